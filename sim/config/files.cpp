#include "sim/config/files.hpp"

#include <algorithm>

#include "sim/config/visitor.hpp"

namespace wavesim {

namespace {

class FileCollector : public Visitor<FileCollector> {
 public:
  std::vector<std::filesystem::path> files;

  template <class T>
  void value(std::string_view, T&, const Rule&) {}
  void value(std::string_view, FilePath& v, const Rule&) {
    if (!v.empty()) files.push_back(std::filesystem::absolute(v.path).lexically_normal());
  }
  void section(std::string_view, Configured& v, const Rule&) override { v.fields(*this); }
  void list(std::string_view, const std::function<Configured&()>&,
            const std::function<std::vector<Configured*>()>& items, const Rule&) override {
    for (Configured* item : items()) item->fields(*this);
  }

 protected:
  void one(std::string_view, std::string_view, const std::vector<AnyKind>&, const Take&, Configured* now,
           const Rule&) override {
    if (now) now->fields(*this);
  }
  void many(std::string_view, std::string_view, const std::vector<AnyKind>&, const Take&,
            const std::function<void()>&, const std::vector<Configured*>& now, const Rule&) override {
    for (Configured* item : now) item->fields(*this);
  }
  void embedded(std::string_view, const std::vector<AnyKind>&, const Take&, Configured* now,
                const Rule&) override {
    if (now) now->fields(*this);
  }
};

}  // namespace

std::vector<std::filesystem::path> files_of(Configured& config) {
  FileCollector collector;
  config.fields(collector);
  std::vector<std::filesystem::path>& all = collector.files;
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace wavesim
