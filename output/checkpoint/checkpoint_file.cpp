#include "output/checkpoint/checkpoint_file.hpp"

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <stdexcept>

#include "kernels/backend/errors.hpp"
#include "output/checkpoint/hdf5_archive.hpp"
#include "output/checkpoint/sealed_file.hpp"
#include "output/hdf5/hdf5_dataset.hpp"
#include "output/hdf5/hdf5_reading.hpp"
#include "output/run/partial_file.hpp"
#include "sim/input/child_process.hpp"

namespace wavesim {

namespace {

using hdf5::Handle;

/// Of the layout of the file; another one is refused.
constexpr std::int64_t layout = 1;

Handle create(const std::string& path) {
  hdf5::silence();
  const Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose, "file properties");
  hdf5::check(H5Pset_userblock(creation, seal_bytes), "user block");
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "file properties");
  hdf5::check(H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_V18), "file format");
  hdf5::check(H5Pset_fclose_degree(access, H5F_CLOSE_STRONG), "file properties");
  return Handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, access), H5Fclose, "create");
}

void write_head(hid_t file, const CheckpointHead& head) {
  hdf5::set_attribute(file, "layout", layout);
  hdf5::set_attribute(file, "step", std::int64_t(head.step));
  hdf5::set_attribute(file, "time", head.time);
  hdf5::set_attribute(file, "time-step", head.dt);
  hdf5::set_attribute(file, "finite", std::int64_t(head.finite));
  hdf5::write_text(file, "config", head.config);
  const Handle facts = hdf5::make_group(file, "facts");
  for (const auto& [key, value] : head.facts) hdf5::set_attribute(facts, key.c_str(), value);
  const Handle files = hdf5::make_group(file, "files");
  for (const auto& [path, sum] : head.files) hdf5::set_attribute(files, path.c_str(), sum);
}

CheckpointHead head_of(hid_t file, const std::string& path) {
  const auto number = [&](const char* name) { return hdf5::read_attribute(file, ".", name).at(0); };
  if (const long found = hdf5::whole_number(number("layout"), "layout"); found != layout)
    throw InputError("cannot continue from " + path + ": its layout is number " + std::to_string(found) +
                     ", and this program reads number " + std::to_string(layout) +
                     "; continue with the program that wrote it");
  CheckpointHead head;
  head.step = hdf5::whole_number(number("step"), "step");
  head.time = number("time");
  head.dt = number("time-step");
  if (!std::isfinite(head.time) || !(head.dt > 0 && std::isfinite(head.dt)))
    throw hdf5::Failure("its time or time step is no number of seconds");
  head.config = hdf5::read_text(file, "config");
  head.facts = hdf5::read_text_attributes(file, "facts");
  if (hdf5::exists(file, "files")) head.files = hdf5::read_text_attributes(file, "files");
  if (H5Aexists(file, "finite") > 0) head.finite = number("finite") != 0;
  return head;
}

}  // namespace

void write_checkpoint(const std::string& path, const CheckpointHead& head,
                      const std::function<void(Archive&)>& name_state) {
  const std::string temporary = path + ".partial";
  try {
    {
      const Handle file = create(temporary);
      write_head(file, head);
      const Handle state = hdf5::make_group(file, "state");
      SaveInHdf5 archive(state, head.finite);
      name_state(archive);
      hdf5::check(H5Fflush(file, H5F_SCOPE_GLOBAL), "flush");
    }
    seal_and_rename(temporary, path);
  } catch (const hdf5::Failure& e) {
    std::remove(temporary.c_str());
    fail_to_write(path, e.what());
  } catch (...) {
    std::remove(temporary.c_str());
    throw;
  }
}

struct CheckpointFile::Open {
  explicit Open(const std::string& path)
      : file(hdf5::open_to_read(path)),
        state(H5Gopen2(file, "state", H5P_DEFAULT), H5Gclose, "state"),
        archive(state) {}
  Handle file, state;
  LoadFromHdf5 archive;
};

CheckpointFile::CheckpointFile(const std::string& path) : path_(path) {
  if (const std::string damage = damage_of(path); !damage.empty())
    throw InputError("cannot continue from " + path + ": " + damage + "; name another checkpoint");
  const auto look_at_all = [&] {
    const Handle file = hdf5::open_to_read(path);
    head_of(file, path);  // first, as below: what open_all() refuses may end it before
    hdf5::open_all(file);
  };
  if (const std::string death = death_of(look_at_all); !death.empty())  // somebody gave it a right checksum
    throw InputError("cannot continue from " + path + ": reading it ends with " + death +
                     ", so it is none of this program; name another checkpoint");
  try {
    open_ = std::make_unique<Open>(path);
    head_ = head_of(open_->file, path);
  } catch (const hdf5::Failure& e) {
    throw InputError("cannot continue from " + path + ": " + e.what() + "; name another checkpoint");
  }
  if (!head_.finite)
    throw InputError("cannot continue from " + path +
                     ": it is the state of a run that ended because it was not finite; name a checkpoint");
}

CheckpointFile::~CheckpointFile() = default;

Archive& CheckpointFile::state() { return open_->archive; }

}  // namespace wavesim
