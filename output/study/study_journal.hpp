#pragma once
// The rows of a study that is under way, a line each, so that one that was stopped can go on.

#include <cstdio>
#include <filesystem>

#include "output/study/study_table.hpp"

namespace wavesim {

/// study.partial in the folder of the result. Its first line says what it belongs to.
class StudyJournal {
 public:
  /// Begins a new one, or goes on with that of `rows`. Throws OutputError.
  StudyJournal(const std::filesystem::path& folder, const std::string& belongs_to,
               const std::vector<StudyRow>& rows);
  ~StudyJournal();
  StudyJournal(const StudyJournal&) = delete;
  StudyJournal& operator=(const StudyJournal&) = delete;

  /// On the disk when this returns. Throws OutputError.
  void add(const StudyRow&);
  /// The study is complete and its files are written.
  void remove();

  static std::filesystem::path path_in(const std::filesystem::path& folder);
  /// The rows of a folder's journal; a last line that was cut off is none. Throws InputError if it is no
  /// journal or belongs to something else.
  static std::vector<StudyRow> read(const std::filesystem::path& folder, const std::string& belongs_to);

 private:
  std::string path_;
  std::FILE* file_ = nullptr;
};

}  // namespace wavesim
