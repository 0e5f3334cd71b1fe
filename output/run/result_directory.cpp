#include "output/run/result_directory.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "kernels/backend/errors.hpp"
#include "output/run/one_line.hpp"

namespace wavesim {

namespace fs = std::filesystem;

namespace {

/// Where the old result waits: while its files go there or come back; when all are there; when they are not
/// needed any more. A kill at any moment leaves one of them, which says what the next run has to do.
constexpr const char *moving = ".old-moving", *aside = ".old", *removing = ".old-removing";

/// All files below a folder, as relative paths. Throws InputError where not all can be seen: what is not on the list
/// would be lost.
std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error, none;
  fs::recursive_directory_iterator at(folder, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error))
    if (!at->is_directory(none)) files.push_back(at->path().lexically_relative(folder));
  if (error)
    throw InputError("cannot read the folder " + folder.string() + ": " + error.message() +
                     "; the old result waits there, and the next run into its folder brings it back");
  return files;
}

void move_folder(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error)
    throw InputError("cannot rename " + from.string() + ": " + error.message() +
                     "; name another folder with --output");
}

/// The folder, made where it is missing.
const fs::path& made_folder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error || !fs::is_directory(path))
    throw InputError("cannot make the folder " + path.string() + ": " +
                     (error ? error.message() : std::string("a file has that name")) +
                     "; name another one with --output or output.directory");
  return path;
}

/// The topmost folder of `directory` that does not exist yet; empty if all do.
fs::path first_missing(const fs::path& directory) {
  fs::path missing, p = fs::absolute(directory);
  for (std::error_code e; !p.empty() && !fs::exists(p, e) && p != p.root_path(); p = p.parent_path())
    missing = p;
  return missing;
}

}  // namespace

std::string human_bytes(double bytes) {
  constexpr std::array units{"bytes", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  while (bytes >= 999.5 && unit + 1 < units.size()) {
    bytes /= 1000;
    ++unit;
  }
  char text[32];
  std::snprintf(text, sizeof text, "%.3g %s", bytes, units[unit]);
  return text;
}

ResultDirectory::ResultDirectory(const fs::path& directory, const std::string& name, bool overwrite,
                                 bool may_continue)
    : path_(directory), made_(first_missing(directory)), lock_(made_folder(directory)), files_(path_, name) {
  files_.refuse_links();
  recover();
  old_ = files_.present();
  files_.claim_new();
  if (!old_.empty() && !overwrite && !may_continue) refuse_old();
}

void refuse_other_kind(const fs::path& folder, bool several) {
  std::error_code none;
  const auto refuse = [&](const std::string& what, const fs::path& file) {
    throw InputError(folder.string() + " holds the result of " + what + ", " + file.filename().string() +
                     "; name another folder with --output, or give the config another name");
  };
  if (!several) {
    for (const std::string kind : {"survey", "sweep"})
      if (fs::exists(folder / (kind + ".csv"), none)) refuse("a " + kind, kind + ".csv");
    for (const char* result :
         {"shot-001.vtkhdf", "shot-001.h5"})  // of a survey that was killed, or is under way
      if (fs::exists(folder / "shot-001" / result, none)) refuse("a survey", "shot-001");
    return;
  }
  for (fs::directory_iterator at(folder, none), end; !none && at != end; at.increment(none))
    if (at->path().extension() == ".vtkhdf" || at->path().extension() == ".h5") refuse("one run", at->path());
}

/// After a run that was killed before its first frame, or while it moved files.
void ResultDirectory::recover() {
  std::error_code none;
  fs::remove_all(path_ / removing, none);
  if (fs::is_directory(path_ / aside, none)) {
    remove_files(files_.present(), path_);  // a run without a frame
    move_folder(path_ / aside, path_ / moving);
  }
  if (!fs::is_directory(path_ / moving, none)) return;
  move_files(files_below(path_ / moving), path_ / moving, path_);
  fs::remove_all(path_ / moving, none);
}

fs::path ResultDirectory::old_result() const { return old_.empty() ? fs::path() : path_ / old_.front(); }

void ResultDirectory::refuse_old() const {
  throw InputError("there is a result already: " + old_result().string() +
                   "; replace it with --overwrite or name another folder with --output");
}

ResultDirectory::~ResultDirectory() {
  try {
    if (set_aside_) bring_back();
  } catch (const InputError& e) {
    print_note(e.what());
  }
  if (writing_) files_.write_list();
  lock_.reset();
  if (made_.empty()) return;
  // Nothing was written: leave no empty folders behind (remove() takes empty ones only).
  std::error_code ignored;
  for (fs::path p = fs::absolute(path_); fs::remove(p, ignored) && p != made_;) p = p.parent_path();
}

void ResultDirectory::require_room(std::uintmax_t bytes) const {
  std::error_code error;
  const fs::space_info space = fs::space(path_, error);
  if (error) return;  // a file system that does not say; writing will
  std::uintmax_t available = space.available;
  for (const fs::path& file : old_) {
    const std::uintmax_t size = fs::file_size(path_ / file, error);
    if (!error) available += size;
  }
  if (bytes > available)
    throw InputError(
        "the results need up to " + human_bytes(double(bytes)) + ", but " + path_.string() +
        " has room for " + human_bytes(double(available)) +
        "; write fewer frames (output.fields.every), a part (stride, region), or elsewhere (--output)");
}

void ResultDirectory::start_writing() {
  if (!old_.empty()) set_old_aside();
  writing_ = true;
}

void ResultDirectory::set_old_aside() {
  try {
    move_files(old_, path_, path_ / moving);
    move_folder(path_ / moving, path_ / aside);
  } catch (const InputError&) {
    recover();
    throw;
  }
  old_.clear();
  set_aside_ = true;
  files_.claim_new();
}

void ResultDirectory::discard_old() {
  if (!set_aside_) return;
  set_aside_ = false;
  // In two steps: a kill in between must not bring half of it back.
  move_folder(path_ / aside, path_ / removing);
  std::error_code ignored;  // what cannot be removed now goes with the next run
  fs::remove_all(path_ / removing, ignored);
}

void ResultDirectory::bring_back() {
  set_aside_ = false;
  remove_files(files_.claimed(), path_);
  move_folder(path_ / aside, path_ / moving);
  move_files(files_below(path_ / moving), path_ / moving, path_);
  std::error_code ignored;
  fs::remove_all(path_ / moving, ignored);
  files_.claim_new();
}

}  // namespace wavesim
