#pragma once
#include <sys/mount.h>

#include <filesystem>

namespace wavesim {

/// A disk of a test's own, of 48 MB; none where nobody may mount.
class SmallDisk {
 public:
  explicit SmallDisk(const std::filesystem::path& at, unsigned long flags = 0) : at_(at) {
    std::filesystem::create_directory(at_);
    mounted_ = mount("tmpfs", at_.c_str(), "tmpfs", flags, "size=48m") == 0;
  }
  ~SmallDisk() {
    if (mounted_) umount(at_.c_str());
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  bool mounted() const { return mounted_; }

 private:
  std::filesystem::path at_;
  bool mounted_ = false;
};

}  // namespace wavesim
