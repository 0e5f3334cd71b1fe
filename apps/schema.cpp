// wavesim schema: a JSON Schema of configs, for editors that check and complete YAML.

#include <cstdio>

#include "apps/commands.hpp"
#include "sim/config/config.hpp"

namespace wavesim {

int schema() {
  std::fputs(config_schema().c_str(), stdout);
  return 0;
}

}  // namespace wavesim
