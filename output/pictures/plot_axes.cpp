#include "output/pictures/plot_axes.hpp"

namespace wavesim::plotting {

Axes axes_of(const Plot& plot, double width, int rows) {
  Axes a;
  a.right = width - 24;
  a.top += rows * legend_row;
  a.log_y = plot.log_y;
  if (plot.from_zero) a.y.take(0);
  for (const Curve& c : plot.curves)
    for (std::size_t k = 0; k < c.x.size(); ++k) {
      a.x.take(c.x[k]);
      if (!plot.log_y)
        a.y.take(c.y[k]);
      else if (c.y[k] > 0)
        a.y.take(std::log10(c.y[k]));
    }
  if (a.x.empty()) a.x = {0, 1};
  if (a.y.empty()) a.y = {0, 1};
  // A series that starts after one step starts at zero.
  if (a.x.low > 0 && a.x.low < 0.02 * a.x.high) a.x.low = 0;
  const double far = std::max(std::abs(a.x.low), std::abs(a.x.high));
  if (!(a.x.high - a.x.low > 1e-9 * far)) a.x.high = a.x.low + std::max(1.0, 1e-6 * far);  // ticks are apart
  if (plot.log_y) a.y = {std::floor(a.y.low), std::ceil(a.y.high)};
  if (!(a.y.high - a.y.low > 1e-12 * std::abs(a.y.high))) {
    const double margin = std::max(1e-12, std::abs(a.y.high) * 0.1);
    a.y = {a.y.low - (plot.log_y ? 1 : margin), a.y.high + (plot.log_y ? 1 : margin)};
    if (plot.from_zero) a.y.low = 0;
  } else if (!plot.log_y) {
    const double margin = 0.05 * (a.y.high - a.y.low);
    if (!plot.from_zero || a.y.low < 0) a.y.low -= margin;
    a.y.high += plot.notes.empty() ? margin : 2.5 * margin;  // room for the highest
  }
  a.x_scale = scale_of(plot.x_unit, std::max(std::abs(a.x.low), std::abs(a.x.high)));
  a.y_scale = plot.log_y ? Scale{1, plot.y_unit}
                         : scale_of(plot.y_unit, std::max(std::abs(a.y.low), std::abs(a.y.high)));
  return a;
}

}  // namespace wavesim::plotting
