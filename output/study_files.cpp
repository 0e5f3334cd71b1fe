#include "output/study_files.hpp"

#include <filesystem>

#include "output/hdf5_dataset.hpp"
#include "output/hdf5_file.hpp"
#include "output/partial_file.hpp"

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

}  // namespace

void write_study(const std::filesystem::path& folder, const StudyFacts& facts,
                 const std::vector<StudyRow>& rows) {
  write_hdf5((folder / "study.h5").string(), facts, rows);
  write_csv((folder / "study.csv").string(), rows);
}

}  // namespace wavesim
