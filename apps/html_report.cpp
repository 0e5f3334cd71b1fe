// wavesim report RESULT: one run as one HTML page.

#include <build_facts.hpp>
#include <cstdio>

#include "apps/commands.hpp"
#include "kernels/errors.hpp"
#include "output/html_report.hpp"
#include "output/partial_file.hpp"
#include "output/picture_writer.hpp"
#include "output/render.hpp"

namespace wavesim {

int html_report(const ReportOptions& o) {
  make_picture_writer({});  // refuses a build that has no letters
  const ResultReader result(o.result);
  const RunInfo& info = result.info();
  RenderPlan plan;
  plan.look.quantity = o.quantity;
  plan.look.width = 1200;
  std::string sheet;
  if (!result.frames().empty()) sheet = sheet_of(result, plan, std::size_t(o.sheet)).png();
  const std::string file = o.file.value_or(info.directory + "/" + info.name + "_report.html");
  replace_file(file, html_of(result, sheet,
                             std::string("Page made by wavesim ") + version + " (" + commit +
                                 ") with: wavesim report " + result.file().string()));
  if (!o.quiet) std::printf("%s\n", file.c_str());
  return 0;
}

}  // namespace wavesim
