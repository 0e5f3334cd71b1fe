#pragma once
// Which files of a folder belong to a result: what --overwrite may remove.

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace wavesim {

/// The files of the result NAME in its folder. A result lists them in FOLDER/.files, one relative path a line;
/// one without a list (of a run that was killed) has those whose names this program gives.
class ResultFiles {
 public:
  ResultFiles(std::filesystem::path folder, std::string name);

  /// Those that are there, as relative paths, sorted; the list itself among them.
  std::vector<std::filesystem::path> present() const;
  /// Symbolic links under names that this program writes or reads there, as relative paths: what is written must not leave
  /// the folder through them.
  std::vector<std::filesystem::path> links() const;
  /// Throws InputError where there are some.
  void refuse_links() const;
  /// From here on what appears under the names of this program belongs to the result; what has such a name
  /// already and is not on the list belongs to somebody else.
  void claim_new();
  /// Files that appeared since claim_new().
  std::vector<std::filesystem::path> claimed() const;
  /// Lists what was there and what appeared since claim_new(). A list that cannot be written is none.
  void write_list() const;
  bool has_list() const;

  static constexpr const char* list_name = ".files";

 private:
  std::vector<std::filesystem::path> listed() const;
  std::vector<std::filesystem::path> named() const;
  std::filesystem::path folder_;
  std::string name_;
  std::set<std::filesystem::path> before_, own_;
};

/// Moves files of a folder, given by relative paths, into another one, whose folders are made; folders that are
/// then empty are removed. Throws InputError.
void move_files(const std::vector<std::filesystem::path>& files, const std::filesystem::path& from,
                const std::filesystem::path& to);
/// Removes them, and folders that are then empty. Throws InputError.
void remove_files(const std::vector<std::filesystem::path>& files, const std::filesystem::path& from);

}  // namespace wavesim
