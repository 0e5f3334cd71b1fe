#include "output/study/study_files.hpp"

#include <algorithm>

#include "kernels/backend/errors.hpp"
#include "output/hdf5/hdf5_dataset.hpp"
#include "output/hdf5/hdf5_file.hpp"
#include "output/hdf5/hdf5_reading.hpp"
#include "output/run/partial_file.hpp"
#include "output/study/study_page.hpp"

namespace wavesim {

namespace {

void write_csv(const std::string& path, const std::vector<StudyRow>& rows) {
  std::string text = study_csv_heading() + "\n";
  for (const StudyRow& r : rows) text += study_csv_line(r) + "\n";
  replace_file(path, text);
}

/// /rows/COLUMN, one value a row.
void write_columns(hid_t file, const std::vector<StudyRow>& rows) {
  const hdf5::Handle group = hdf5::make_group(file, "rows");
  for (const StudyColumn& c : study_columns())
    std::visit(
        [&](auto member) {
          using Value = std::decay_t<decltype(rows.front().*member)>;
          if constexpr (std::is_same_v<Value, std::string>) {
            std::vector<std::string> texts;
            for (const StudyRow& r : rows) texts.push_back(r.*member);
            hdf5::write_texts(group, c.name, texts);
          } else {
            using Stored = std::conditional_t<std::is_same_v<Value, long>, std::int64_t, double>;
            std::vector<Stored> values;
            for (const StudyRow& r : rows) values.push_back(r.*member);
            hdf5::write_array<Stored>(group, c.name, {values.size()}, values);
          }
        },
        c.member);
}

/// /history/values, that of row k from first[k] on, count[k] of them.
void write_histories(hid_t file, const std::vector<StudyRow>& rows) {
  const hdf5::Handle group = hdf5::make_group(file, "history");
  std::vector<double> values;
  std::vector<std::int64_t> first, count;
  for (const StudyRow& r : rows) {
    first.push_back(std::int64_t(values.size()));
    count.push_back(std::int64_t(r.history.size()));
    values.insert(values.end(), r.history.begin(), r.history.end());
  }
  hdf5::write_array<double>(group, "values", {values.size()}, values);
  hdf5::write_array<std::int64_t>(group, "first", {first.size()}, first);
  hdf5::write_array<std::int64_t>(group, "count", {count.size()}, count);
}

void write_hdf5(const std::string& path, const StudyFacts& facts, const std::vector<StudyRow>& rows) {
  const std::string temporary = path + ".partial";
  std::unique_ptr<hdf5::File> file;
  try {
    file = std::make_unique<hdf5::File>(temporary, 1);
    write_columns(*file, rows);
    write_histories(*file, rows);
    hdf5::write_text(*file, "config", facts.config);
    if (!facts.best.empty()) hdf5::write_text(*file, "best", facts.best);
    for (const auto& [key, value] : facts.facts) hdf5::set_attribute(*file, key.c_str(), value);
    file->close();
  } catch (const hdf5::Failure& e) {
    if (file) file->abandon();
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    fail_to_write(path, e.what());
  }
  rename_file(temporary, path);
}

std::vector<StudyRow> read_rows(hid_t file) {
  const hdf5::Handle group(H5Gopen2(file, "rows", H5P_DEFAULT), H5Gclose, "rows");
  std::vector<StudyRow> rows(hdf5::read_array<std::int64_t>(group, "point").size());
  const auto take = [&](auto member, const auto& values) {
    if (values.size() != rows.size()) throw hdf5::Failure("its columns differ in length");
    for (std::size_t k = 0; k < rows.size(); ++k) rows[k].*member = values[k];
  };
  for (const StudyColumn& c : study_columns())
    std::visit(
        [&](auto member) {
          using Value = std::decay_t<decltype(rows.front().*member)>;
          if constexpr (std::is_same_v<Value, std::string>)
            take(member, hdf5::read_texts(group, c.name));
          else
            take(member,
                 hdf5::read_array<std::conditional_t<std::is_same_v<Value, long>, std::int64_t, double>>(
                     group, c.name));
        },
        c.member);
  const hdf5::Handle history(H5Gopen2(file, "history", H5P_DEFAULT), H5Gclose, "history");
  const std::vector<double> values = hdf5::read_array<double>(history, "values");
  const auto first = hdf5::read_array<std::int64_t>(history, "first");
  const auto count = hdf5::read_array<std::int64_t>(history, "count");
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const std::int64_t all = std::int64_t(values.size());
    if (k >= first.size() || k >= count.size() || first[k] < 0 || first[k] > all || count[k] < 0 ||
        count[k] > all - first[k])
      throw hdf5::Failure("its histories do not fit its rows");
    rows[k].history.assign(values.begin() + first[k], values.begin() + first[k] + count[k]);
  }
  return rows;
}

}  // namespace

void write_study(const std::filesystem::path& folder, const StudyFacts& facts,
                 const std::vector<StudyRow>& rows) {
  write_hdf5((folder / "study.h5").string(), facts, rows);
  write_csv((folder / "study.csv").string(), rows);
  replace_file((folder / "study.html").string(), study_page(facts, rows));
}

bool is_study(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored) ? std::filesystem::exists(path / "study.h5", ignored)
                                                      : path.filename() == "study.h5";
}

Study read_study(const std::filesystem::path& path) {
  std::error_code ignored;
  const std::filesystem::path file = std::filesystem::is_directory(path, ignored) ? path / "study.h5" : path;
  if (!std::filesystem::exists(file, ignored))
    throw InputError(file.string() + ": there is no such study; check the name");
  try {
    const hdf5::Handle open = hdf5::open_to_read(file.string());
    Study study;
    study.rows = read_rows(open);
    study.facts.config = hdf5::read_text(open, "config");
    if (hdf5::exists(open, "best")) study.facts.best = hdf5::read_text(open, "best");
    study.facts.facts = hdf5::read_text_attributes(open, ".");
    return study;
  } catch (const hdf5::Failure& e) {
    throw InputError(file.string() + ": this cannot be read as a study (" + e.what() +
                     "); name the folder that wavesim study made");
  }
}

}  // namespace wavesim
