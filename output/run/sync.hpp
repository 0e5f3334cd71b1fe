#pragma once
// From the system's memory to the disk: what has to survive a power cut.

#include <string>

namespace wavesim {

/// What was written into an open file is on the disk when this returns. Throws OutputError that names `path`.
void sync_file(int descriptor, const std::string& path);
/// The same for a file that another library has written and closed.
void sync_closed_file(const std::string& path);
/// The names in the folder of a file. A file system that cannot do this for a folder has done it already.
void sync_names_beside(const std::string& path);
/// All files of the file system on which a folder lies.
void sync_file_system(const std::string& folder);

}  // namespace wavesim
