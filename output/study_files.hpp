#pragma once
// What a study leaves: study.csv and study.h5, each complete or absent.

#include <filesystem>
#include <map>

#include "output/study_table.hpp"

namespace wavesim {

/// What the rows were made with.
struct StudyFacts {
  std::string config;                        // effective, as YAML
  std::map<std::string, std::string> facts;  // device, version, commit, ...
};

/// Writes both files into the folder. Throws OutputError.
void write_study(const std::filesystem::path& folder, const StudyFacts&, const std::vector<StudyRow>&);

}  // namespace wavesim
