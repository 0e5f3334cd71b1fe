#include "library/build_facts_of.hpp"

#include <build_facts.hpp>

#include "output/run/utc_time.hpp"

namespace wavesim {

std::map<std::string, std::string> build_facts() {
  return {{"wavesim-version", version},
          {"wavesim-commit", commit},
          {"compiler", compiler},
          {"cuda-compiler", cuda_compiler},
          {"build-type", build_type}};
}

void add_build_facts(RunInfo& info) {
  info.facts.merge(build_facts());
  info.facts["started"] = utc_time();
}

}  // namespace wavesim
