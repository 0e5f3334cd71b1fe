#pragma once
// What the programs of bench/ share: the command line, the device, the heading, matrices of a folder.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "build_facts.hpp"
#include "kernels/backend/device.hpp"
#include "kernels/backend/errors.hpp"

namespace wavesim {

/// Version, commit, date and device: the first line of every result.
inline void print_heading(const DeviceFacts& device) {
  char today[32];
  const std::time_t now = std::time(nullptr);
  std::strftime(today, sizeof today, "%Y-%m-%d", std::gmtime(&now));
  std::printf("wavesim %s (%s), %s, %s, %s\n", version, commit, today, device.name.c_str(),
              device.detail.c_str());
}

using Files = std::vector<std::filesystem::path>;

struct CommandLine {
  bool cuda = false;
  std::map<std::string, std::string> options;  // --NAME VALUE
  std::vector<std::string> words;              // the rest

  /// A whole number of at least 1. Throws InputError.
  int number(const std::string& name, int usual) const {
    const auto at = options.find(name);
    return at == options.end() ? usual : whole(at->second, "--" + name);
  }
  static int whole(const std::string& text, const std::string& what) {
    char* end = nullptr;
    const long n = std::strtol(text.c_str(), &end, 10);
    if (*end || n < 1 || n > 2000000000L)
      throw InputError(what + " is '" + text + "'; it is a whole number between 1 and 2000000000");
    return int(n);
  }
  /// A list of such numbers, separated by commas.
  std::vector<int> numbers(const std::string& name, std::vector<int> usual) const {
    if (!options.count(name)) return usual;
    std::vector<int> list;
    for (const std::string& word : words_of(name, {})) list.push_back(whole(word, "--" + name));
    return list;
  }
  /// A list of words, separated by commas.
  std::vector<std::string> words_of(const std::string& name, std::vector<std::string> usual) const {
    const auto at = options.find(name);
    if (at == options.end()) return usual;
    std::vector<std::string> list;
    for (std::size_t from = 0; from <= at->second.size();) {
      const std::size_t to = std::min(at->second.find(',', from), at->second.size());
      list.push_back(at->second.substr(from, to - from));
      from = to + 1;
    }
    return list;
  }
  /// The matrices among the words: files, and what a folder holds. Throws InputError.
  Files matrices() const {
    namespace fs = std::filesystem;
    Files files;
    const auto matrix = [](const fs::path& p) {
      return p.extension() == ".mtx" || p.string().ends_with(".mtx.gz");
    };
    for (const std::string& w : words)
      if (fs::is_directory(w)) {
        for (const auto& entry : fs::directory_iterator(w))
          if (matrix(entry.path())) files.push_back(entry.path());
      } else if (fs::exists(w)) {
        files.push_back(w);
      } else {
        throw InputError("there is no file or folder '" + w + "'");
      }
    std::sort(files.begin(), files.end());
    return files;
  }
};

/// The name of a matrix: its file's without endings.
inline std::string matrix_name(const std::filesystem::path& file) {
  const std::string name = file.filename().string();
  return name.substr(0, name.find(".mtx"));
}

/// Reads the command line, prints the heading, runs `body` and returns the exit status. `options`: names
/// without dashes that take a value, beside --device.
inline int run_program(const char* name, const char* usage, const std::vector<std::string>& options, int argc,
                       char** argv, const std::function<void(const CommandLine&)>& body) try {
  const std::vector<DeviceFacts> gpus = cuda_facts();
  CommandLine line;
  line.cuda = !gpus.empty();
  const auto refuse = [&] {
    return std::fprintf(stderr, "usage: %s [--device cuda|cpu] %s\n", name, usage), 2;
  };
  for (int k = 1; k < argc; ++k) {
    const std::string word = argv[k];
    if (!word.starts_with("--")) {
      line.words.push_back(word);
      continue;
    }
    if (++k == argc) return refuse();
    const std::string key = word.substr(2), value = argv[k];
    if (key == "device" && (value == "cuda" || value == "cpu"))
      line.cuda = value == "cuda";
    else if (std::find(options.begin(), options.end(), key) != options.end())
      line.options[key] = value;
    else
      return refuse();
  }
  if (line.cuda && gpus.empty()) throw DeviceError(why_no_cuda());
  print_heading(line.cuda ? gpus.front() : cpu_facts());
  if (line.cuda) {
    const DeviceFacts cpu = cpu_facts();
    std::printf("CPU: %s, %s\n", cpu.name.c_str(), cpu.detail.c_str());
  }
  body(line);
  return 0;
} catch (const DeviceError& e) {
  return std::fprintf(stderr, "%s: %s\n", name, e.what()), 5;
} catch (const SolveError& e) {
  return std::fprintf(stderr, "%s: %s\n", name, e.what()), 3;
} catch (const std::exception& e) {
  return std::fprintf(stderr, "%s: %s\n", name, e.what()), 2;
}

}  // namespace wavesim
