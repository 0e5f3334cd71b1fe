// wavesim report RESULT: one run, or one study, as one HTML page.

#include <build_facts.hpp>
#include <cstdio>

#include "apps/commands.hpp"
#include "kernels/backend/errors.hpp"
#include "output/pages/html_report.hpp"
#include "output/pictures/picture_writer.hpp"
#include "output/pictures/render.hpp"
#include "output/run/partial_file.hpp"
#include "output/run/result_files.hpp"
#include "output/study/study_page.hpp"

namespace wavesim {

namespace {

/// The page that `wavesim study` left, made anew of study.h5.
int study_report(const ReportOptions& o) {
  const Study study = read_study(o.result);
  const std::filesystem::path folder =
      std::filesystem::is_directory(o.result) ? o.result : o.result.parent_path();
  const std::string file = o.file.value_or((folder / "study.html").string());
  replace_file(file, study_page(study.facts, study.rows));
  if (!o.quiet) std::printf("%s\n", file.c_str());
  return 0;
}

}  // namespace

int html_report(const ReportOptions& o) {
  if (is_study(o.result)) return study_report(o);
  make_picture_writer({});  // refuses a build that has no letters
  const ResultReader result(o.result);
  const RunInfo& info = result.info();
  if (info.facts.contains("frequencies"))
    throw InputError(result.file().string() +
                     " holds modes, which have no steps to report on; wavesim render draws them");
  RenderPlan plan;
  plan.look.quantity = o.quantity;
  plan.look.width = 1200;
  std::string sheet, narrow;
  if (!result.frames().empty()) {
    sheet = sheet_of(result, plan, std::size_t(o.sheet)).png();
    plan.look.width = 720;  // of a phone's pixels
    narrow = sheet_of(result, plan, std::size_t(o.sheet), 2).png();
  }
  const std::string file = o.file.value_or(info.directory + "/" + info.name + "_report.html");
  ResultFiles listed(info.directory, info.name);
  listed.refuse_links();
  listed.claim_new();
  replace_file(file, html_of(result, sheet,
                             std::string("Page made by wavesim ") + version + " (" + commit +
                                 ") with: wavesim report " + result.file().string(),
                             narrow));
  if (listed.has_list()) listed.write_list();
  if (!o.quiet) std::printf("%s\n", file.c_str());
  return 0;
}

}  // namespace wavesim
