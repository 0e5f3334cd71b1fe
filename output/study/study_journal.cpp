#include "output/study/study_journal.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "kernels/backend/errors.hpp"
#include "output/run/partial_file.hpp"

namespace wavesim {

namespace {

constexpr const char* mark = "wavesim study, rows so far: ";

/// One line, whatever it was.
std::string line_of(const std::string& text) {
  std::string out;
  for (char c : text) out += c == '\n' ? "\\n" : c == '\t' ? " " : std::string(1, c);
  return out;
}

std::string line_of(const StudyRow& row) {
  std::string line;
  for (const StudyColumn& c : study_columns()) line += line_of(cell(row, c)) + "\t";
  for (double v : row.history) line += fmt::format("{} ", v);
  return line + "\n";
}

bool read_row(const std::string& line, StudyRow& row) {
  std::istringstream in(line);
  std::string text;
  for (const StudyColumn& c : study_columns())
    if (!std::getline(in, text, '\t') || !set_cell(row, c, text)) return false;
  while (in >> text) {
    char* end = nullptr;
    row.history.push_back(std::strtod(text.c_str(), &end));
    if (*end) return false;
  }
  return true;
}

}  // namespace

std::filesystem::path StudyJournal::path_in(const std::filesystem::path& folder) {
  return folder / "study.partial";
}

StudyJournal::StudyJournal(const std::filesystem::path& folder, const std::string& belongs_to,
                           const std::vector<StudyRow>& rows)
    : path_(path_in(folder).string()) {
  std::string text = mark + line_of(belongs_to) + "\n";
  for (const StudyRow& r : rows) text += line_of(r);
  replace_file(path_, text);  // a line that was cut off is gone
  file_ = std::fopen(path_.c_str(), "ae");
  if (!file_) fail_to_write(path_, std::strerror(errno));
}

StudyJournal::~StudyJournal() {
  if (file_) std::fclose(file_);
}

void StudyJournal::add(const StudyRow& row) {
  const std::string line = line_of(row);
  if (std::fwrite(line.data(), 1, line.size(), file_) != line.size() || std::fflush(file_) != 0)
    fail_to_write(path_, std::strerror(errno));
}

void StudyJournal::remove() {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

std::vector<StudyRow> StudyJournal::read(const std::filesystem::path& folder, const std::string& belongs_to) {
  const std::string path = path_in(folder).string();
  std::ifstream in(path);
  std::ostringstream all;
  all << in.rdbuf();
  const std::string text = all.str();
  const std::size_t head = text.find('\n');
  if (text.rfind(mark, 0) != 0 || head == text.npos)
    throw InputError(path + ": these are not the rows of a study; start it anew with --overwrite");
  if (text.substr(0, head) != mark + line_of(belongs_to))
    throw InputError(path +
                     " belongs to a study with another config, device or version; go on with the one it was "
                     "begun with, or start anew with --overwrite");
  std::vector<StudyRow> rows;
  for (std::size_t at = head + 1, end; (end = text.find('\n', at)) != text.npos; at = end + 1) {
    StudyRow row;
    if (!read_row(text.substr(at, end - at), row))
      throw InputError(path + ": row " + std::to_string(rows.size() + 1) +
                       " cannot be read; start the study anew with --overwrite");
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace wavesim
