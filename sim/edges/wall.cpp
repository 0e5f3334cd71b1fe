#include "sim/edges/wall.hpp"

namespace wavesim {

void Wall::keys(Section& s) {
  s("impedance", impedance,
    {.text = "of the wall behind it: pressure over normal velocity in Pa s/m (acoustic), tension over "
             "velocity in kg/(m^2 s) (membrane)",
     .above = 0});
  s("reflection", reflection,
    {.text = "part of the amplitude that it gives back of a wave that falls on it straight: 1 as where it is "
             "free, 0 as radiation, towards -1 as where it is fixed",
     .above = -1,
     .most = 1});
}

void Wall::damp(EdgeCondition& edge) const {
  edge.radiation = true;
  if (reflection) edge.matched = (1 - *reflection) / (1 + *reflection);
  edge.damping = impedance;
}

}  // namespace wavesim
