// Results, studies and checkpoints in which datasets and attributes were replaced by others. The library reads these
// files well, so that what is wrong with them is left to the program's own checks.

#include <hdf5.h>

#include <array>
#include <fstream>
#include <iterator>
#include <limits>
#include <vector>

#include "output/run/make_writers.hpp"
#include "output/study/study_files.hpp"
#include "tests/fuzz/hdf5_files.hpp"
#include "tests/fuzz/target.hpp"
#include "tests/output/small_run.hpp"

using namespace wavesim;

namespace {

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

std::string result_bytes() {
  const RunInfo info = testing::small_info(fuzz::folder(), 2);
  const auto writer = make_writers({}, info);
  writer->begin(info);
  for (long n = 0; n < 2; ++n) {
    writer->step(testing::small_record(n));
    writer->sample(testing::small_receiver_sample(n));
    writer->frame(testing::small_frame(n));
  }
  writer->finish({});
  return bytes_of(fuzz::folder() / "small.vtkhdf");
}

std::string study_bytes() {
  std::vector<StudyRow> rows(2);
  for (StudyRow& row : rows)
    row.method = row.candidate = "cg", row.status = "converged", row.history = {1, 0.1};
  write_study(fuzz::folder(), {"name: small\n", "solver: {method: cg}\n", {{"device", "a CPU"}}}, rows);
  return bytes_of(fuzz::folder() / "study.h5");
}

struct Base {
  std::string bytes;
  std::vector<std::string> datasets;                            // paths
  std::vector<std::pair<std::string, std::string>> attributes;  // object, name
};

herr_t take_attribute(hid_t, const char* name, const H5A_info_t*, void* to) {
  auto& all = static_cast<Base*>(to)->attributes;
  all.push_back({all.back().first, name});
  return 0;
}

herr_t take_object(hid_t root, const char* path, const H5O_info_t* info, void* to) {
  Base& base = *static_cast<Base*>(to);
  if (info->type == H5O_TYPE_DATASET) base.datasets.push_back(path);
  base.attributes.push_back({path, ""});
  hsize_t at = 0;
  H5Aiterate_by_name(root, path, H5_INDEX_NAME, H5_ITER_INC, &at, take_attribute, to, H5P_DEFAULT);
  return 0;
}

Base base_of(std::string bytes) {
  Base base{std::move(bytes), {}, {}};
  const fuzz::InputFile file(base.bytes.data(), base.bytes.size());
  const hid_t h5 = H5Fopen(file.path().c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  H5Ovisit2(h5, H5_INDEX_NAME, H5_ITER_INC, take_object, &base, H5O_INFO_BASIC);
  H5Fclose(h5);
  if (base.datasets.empty()) throw std::logic_error("what is to be edited cannot be read");
  std::erase_if(base.attributes, [](const auto& a) { return a.second.empty(); });
  return base;
}

/// The input as a list of choices.
class Picks {
 public:
  Picks(const std::uint8_t* at, std::size_t size) : at_(at), end_(at + size) {}
  bool any() const { return at_ != end_; }
  std::size_t below(std::size_t n) { return any() ? *at_++ % n : 0; }

 private:
  const std::uint8_t *at_, *end_;
};

hid_t type_of(Picks& c) {
  const hid_t types[] = {H5T_NATIVE_DOUBLE, H5T_NATIVE_FLOAT, H5T_NATIVE_INT64, H5T_NATIVE_UINT8};
  const std::size_t which = c.below(7);
  if (which < 4) return H5Tcopy(types[which]);
  const hid_t text = H5Tcopy(H5T_C_S1);
  H5Tset_size(text, which == 4 ? H5T_VARIABLE : 1 + c.below(40));
  if (which != 5) return text;
  const hid_t pair = H5Tcreate(H5T_COMPOUND, 16);
  H5Tinsert(pair, "a", 0, H5T_NATIVE_DOUBLE);
  H5Tclose(text);
  return pair;
}

hid_t space_of(Picks& c) {
  constexpr hsize_t lengths[] = {1, 2, 4, 5, 0, 3, 20, 100, 1 << 20, hsize_t(1) << 31, hsize_t(1) << 40};
  std::array<hsize_t, 3> shape{};
  const int rank = int(c.below(4));
  for (hsize_t& n : shape) n = lengths[c.below(std::size(lengths))];
  return rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(rank, shape.data(), nullptr);
}

/// Numbers to write; HDF5 converts them to the type of the file.
std::vector<double> values(Picks& c, hid_t space) {
  constexpr double extremes[] = {0,
                                 1,
                                 -1,
                                 2,
                                 3,
                                 4,
                                 0.5,
                                 1e-320,
                                 1e20,
                                 1e300,
                                 -1e300,
                                 1.5e308,
                                 2e9,
                                 4e9,
                                 std::numeric_limits<double>::infinity(),
                                 std::numeric_limits<double>::quiet_NaN()};
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  std::vector<double> v(count > 0 && count <= 4096 ? std::size_t(count) : 0);
  for (double& x : v) x = extremes[c.below(std::size(extremes))];
  return v;
}

void replace_dataset(hid_t file, const std::string& path, Picks& c) {
  H5Ldelete(file, path.c_str(), H5P_DEFAULT);
  if (c.below(8) == 0) return;
  const hid_t type = type_of(c), space = space_of(c), made = H5Pcreate(H5P_DATASET_CREATE);
  if (c.below(3) == 1) {  // as our writer compresses; not for every shape
    const hsize_t chunk[] = {1, 1 + c.below(8), 5};
    H5Pset_chunk(made, std::max(1, H5Sget_simple_extent_ndims(space)), chunk);
    H5Pset_shuffle(made);
    H5Pset_deflate(made, 4);
  }
  const hid_t set = H5Dcreate2(file, path.c_str(), type, space, H5P_DEFAULT, made, H5P_DEFAULT);
  if (const std::vector<double> v = values(c, space);
      set >= 0 && !v.empty() && H5Tget_class(type) != H5T_STRING)
    H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, v.data());
  H5Dclose(set);
  H5Pclose(made);
  H5Sclose(space);
  H5Tclose(type);
}

void replace_attribute(hid_t file, const std::pair<std::string, std::string>& which, Picks& c) {
  const auto& [object, name] = which;
  H5Adelete_by_name(file, object.c_str(), name.c_str(), H5P_DEFAULT);
  if (c.below(8) == 0) return;
  const hid_t type = type_of(c), space = space_of(c);
  const hid_t a = H5Acreate_by_name(file, object.c_str(), name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT,
                                    H5P_DEFAULT);
  if (const std::vector<double> v = values(c, space);
      a >= 0 && !v.empty() && H5Tget_class(type) != H5T_STRING)
    H5Awrite(a, H5T_NATIVE_DOUBLE, v.data());
  H5Aclose(a);
  H5Sclose(space);
  H5Tclose(type);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  static const std::array<Base, 3> bases{base_of(result_bytes()), base_of(study_bytes()),
                                         base_of(fuzz::checkpoint_bytes())};
  Picks c(data, size);
  const std::size_t which = c.below(3);
  const Base& base = bases[which];
  const fuzz::InputFile file(base.bytes.data(), base.bytes.size());
  const hid_t h5 = H5Fopen(file.path().c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  for (int edits = 0; edits < 4 && c.any(); ++edits)
    if (c.below(3) == 0)
      replace_attribute(h5, base.attributes[c.below(base.attributes.size())], c);
    else
      replace_dataset(h5, base.datasets[c.below(base.datasets.size())], c);
  H5Fclose(h5);
  return fuzz::refused_or_read([&] {
    if (which == 0) fuzz::look_at_result(file.path());
    if (which == 1) fuzz::look_at_study(file.path());
    if (which == 2) fuzz::look_at_checkpoint(bytes_of(file.path()));
  });
}
