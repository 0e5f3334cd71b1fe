#include "output/run/result_files.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <utility>

#include "kernels/backend/errors.hpp"
#include "output/run/partial_file.hpp"
#include "output/run/paths.hpp"

namespace wavesim {

namespace fs = std::filesystem;

namespace {

constexpr const char* heading = "# The files of this result. --overwrite removes these and no others.";

/// Where files that are named by their step go, and how they end.
struct SeriesFolder {
  std::string folder, ending;
};
std::array<SeriesFolder, 3> series_of(const std::string& name) {
  return {{{"pictures", ".png"}, {name + "_vti", ".vti"}, {name + "_checkpoints", ".h5"}}};
}

/// The folders in that of a result.
std::vector<std::string> folders_of(const std::string& name) {
  std::vector<std::string> all{name + "_render"};
  for (const SeriesFolder& s : series_of(name)) all.push_back(s.folder);
  return all;
}

/// Whether this program gives such a name to a file of the result, finished or not.
bool is_own(std::string file, const std::string& folder, const std::string& name) {
  if (file == "study.partial" && name == "study") return true;  // the journal of a study
  if (file == std::string(ResultFiles::list_name) + ".partial") return folder.empty();
  if (file.ends_with(".partial")) file.resize(file.size() - 8);
  const auto is_one_of = [&](std::initializer_list<const char*> endings) {
    return std::any_of(endings.begin(), endings.end(), [&](const char* e) { return file == name + e; });
  };
  if (folder.empty())
    return is_one_of({".vtkhdf", ".h5", ".pvd", "_history.csv", "_receivers.csv", "_report.html",
                      "_not_finite.h5"}) ||
           (name == "study" && is_one_of({".csv", ".html"})) ||
           (name.ends_with("_modes") && is_one_of({".csv"})) ||
           ((name == "sweep" || name == "survey") && is_one_of({".csv", ".segy"}));
  for (const SeriesFolder& s : series_of(name))
    if (folder == s.folder) return step_in_name(file, name, s.ending) >= 0;
  const std::initializer_list<const char*> drawn{".png", ".svg", ".mp4", ".webm", ".ogv"};
  return folder == name + "_render" && (file.starts_with(name + "_") || file.starts_with(name + ".")) &&
         std::any_of(drawn.begin(), drawn.end(), [&](const char* e) { return file.ends_with(e); });
}

/// Whether a path of a list is one that this program writes: a list may be wrong.
bool is_own(const fs::path& path, const std::string& name) {
  return path.is_relative() && is_own(path.filename().string(), path.parent_path().string(), name);
}

void remove_empty_folders(const fs::path& file, const fs::path& folder) {
  std::error_code none;
  for (fs::path p = file.parent_path(); !p.empty() && fs::remove(folder / p, none); p = p.parent_path()) {
  }
}

[[noreturn]] void fail_to_remove(const fs::path& file, const std::error_code& why) {
  throw InputError("cannot remove the old result " + file.string() + ": " + why.message() +
                   "; remove it, or name another folder with --output");
}

}  // namespace

ResultFiles::ResultFiles(fs::path folder, std::string name)
    : folder_(std::move(folder)), name_(std::move(name)) {}

bool ResultFiles::has_list() const {
  std::error_code none;
  return fs::is_regular_file(folder_ / list_name, none);
}

std::vector<fs::path> ResultFiles::listed() const {
  std::vector<fs::path> paths;
  std::ifstream in(folder_ / list_name);
  for (std::string line; std::getline(in, line);) {
    std::error_code none;
    if (!line.starts_with('#') && is_own(fs::path(line), name_) && fs::is_regular_file(folder_ / line, none))
      paths.emplace_back(line);
  }
  return paths;
}

std::vector<fs::path> ResultFiles::named() const {
  std::vector<fs::path> paths;
  const auto look_in = [&](const std::string& sub) {
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder_ / sub, none))
      if (const std::string file = entry.path().filename().string();
          entry.is_regular_file(none) && is_own(file, sub, name_))
        paths.push_back(sub.empty() ? fs::path(file) : fs::path(sub) / file);
  };
  look_in("");
  for (const std::string& folder : folders_of(name_)) look_in(folder);
  return paths;
}

std::vector<fs::path> ResultFiles::links() const {
  std::vector<fs::path> found;
  const auto look_in = [&](const std::string& sub, const auto& is_ours) {
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder_ / sub, none))
      if (const std::string file = entry.path().filename().string(); entry.is_symlink(none) && is_ours(file))
        found.push_back(fs::path(sub) / file);
  };
  const std::vector<std::string> folders = folders_of(name_);
  look_in("", [&](const std::string& file) {
    return file.starts_with('.') || is_own(file, "", name_) ||
           std::find(folders.begin(), folders.end(), file) != folders.end();
  });
  for (const std::string& folder : folders)
    look_in(folder, [&](const std::string& file) { return is_own(file, folder, name_); });
  return found;
}

void ResultFiles::refuse_links() const {
  if (const auto found = links(); !found.empty())
    throw InputError(
        (folder_ / found.front()).string() +
        " is a symbolic link, and results stay in their folder; remove it, or name another folder "
        "with --output");
}

std::vector<fs::path> ResultFiles::present() const {
  std::vector<fs::path> all = has_list() ? listed() : named();
  std::sort(all.begin(), all.end());
  if (!all.empty() && has_list()) all.emplace_back(list_name);
  return all;
}

void ResultFiles::claim_new() {
  const std::vector<fs::path> ours = present(), there = named();
  own_ = {ours.begin(), ours.end()};
  before_ = {there.begin(), there.end()};
}

std::vector<fs::path> ResultFiles::claimed() const {
  std::vector<fs::path> all;
  for (fs::path& file : named())
    if (!before_.count(file)) all.push_back(std::move(file));
  return all;
}

void ResultFiles::write_list() const {
  std::set<fs::path> all;
  std::error_code none;
  for (const fs::path& file : own_)
    if (fs::exists(folder_ / file, none)) all.insert(file);
  for (const fs::path& file : claimed()) all.insert(file);
  all.erase(list_name);
  if (all.empty()) return;
  std::string text = std::string(heading) + "\n";
  for (const fs::path& file : all) text += file.string() + "\n";
  try {
    replace_file((folder_ / list_name).string(), text);
  } catch (const OutputError&) {
    fs::remove(folder_ / list_name, none);  // an old list would leave out the new files
  }
}

void move_files(const std::vector<fs::path>& files, const fs::path& from, const fs::path& to) {
  std::error_code error;
  for (const fs::path& file : files) {
    fs::create_directories((to / file).parent_path(), error);
    if (!error) fs::rename(from / file, to / file, error);
    if (error) fail_to_remove(from / file, error);
    remove_empty_folders(file, from);
  }
}

void remove_files(const std::vector<fs::path>& files, const fs::path& from) {
  std::error_code error;
  for (const fs::path& file : files) {
    fs::remove(from / file, error);
    if (error) fail_to_remove(from / file, error);
    remove_empty_folders(file, from);
  }
}

}  // namespace wavesim
