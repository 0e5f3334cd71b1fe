#include "library/build_facts_of.hpp"

#include <build_facts.hpp>

#include "output/run/utc_time.hpp"

namespace wavesim {

void add_build_facts(RunInfo& info) {
  info.facts["wavesim-version"] = version;
  info.facts["wavesim-commit"] = commit;
  info.facts["compiler"] = compiler;
  info.facts["cuda-compiler"] = cuda_compiler;
  info.facts["build-type"] = build_type;
  info.facts["started"] = utc_time();
}

}  // namespace wavesim
