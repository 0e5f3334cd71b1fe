#include <cstdio>

#include "kernels/backend/errors.hpp"
#include "sim/model/coefficients.hpp"
#include "sim/model/model_parts.hpp"
#include "sim/modes/membrane_modes.hpp"

namespace wavesim {

void require_modes(const Config& config, const Model& model) {
  if (config.precision == "single")
    config.where.fail(
        "modes are computed in double precision, for the lowest eigenvalues are small beside the rounding of "
        "K in single; "
        "write precision: double, or --set precision=double");
  if (config.space.order == 8)
    config.space.where.fail(
        "modes are those of five or nine points, and order: 8 has seventeen; write --set space.order=2 or 4");
  if (!model.pml.empty())
    config.where.fail(
        "waves that run into perfectly matched layers make no modes; write fixed, free or periodic edges, or "
        "{absorbing: {radiation: {}}}, which is taken as free");
}

long unknown_count(const Model& model) {
  const Unknowns u = make_unknowns(model);
  long count = 0;
  for (long iy = u.first[1]; iy < u.first[1] + u.count[1]; ++iy)
    for (long ix = u.first[0]; ix < u.first[0] + u.count[0]; ++ix)
      count += is_inside(model, model.grid.index(ix, iy));
  return count;
}

namespace {

/// Fields of the method, of the medium and of a preconditioner, about.
double bytes_of(const ModesSetup& setup) {
  const Unknowns u = make_unknowns(setup.model);
  const double fields = 12.0 * setup.options.block + (setup.model.space_order == 4 ? 40 : 16);
  return fields * sizeof(double) * double(u.extent.pitch) * double(u.extent.ny + 2);
}

}  // namespace

MembraneModes modes_on(const DeviceFacts& device, const ModesSetup& setup) {
  if (const double bytes = bytes_of(setup); bytes > double(device.free)) {
    char text[200];
    std::snprintf(
        text, sizeof text,
        "%d modes with a block of %d need about %.3g GB of memory, and %.3g GB are free on %s; take fewer "
        "modes, a smaller block, or fewer cells",
        setup.options.count, setup.options.block, bytes * 1e-9, double(device.free) * 1e-9,
        device.name.c_str());
    throw InputError(text);
  }
#ifdef WAVESIM_HAVE_CUDA
  if (device.kind == "cuda") return modes_on_cuda(setup);
#endif
  return modes_on_host(setup);
}

}  // namespace wavesim
