#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "tests/apps/program.hpp"

namespace wavesim {
namespace {

constexpr const char* tiny = R"yaml(
name: tiny
grid: {size: [1, 1], cells: [24, 24]}
medium: {speed: 1}
initial: {displacement: {gaussian: {center: [0.5, 0.5], width: 0.1, amplitude: 1}}}
receivers: [{name: middle, at: [0.5, 0.5]}]
time: {courant: 1, steps: 8}
output: {fields: {every: 2}}
)yaml";

std::string contents(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

/// The longest line.
std::size_t width_of(const std::string& text) {
  std::size_t width = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) width = std::max(width, line.size());
  return width;
}

TEST(RenderCommand, MakesPicturesAndPlotsByDefault) {
  Workplace here;
  here.write("tiny.yaml", tiny);
  ASSERT_EQ(here.run({"tiny.yaml", "-q", "--device", "cpu"}).status, 0);
  const Outcome render = here.run({"render", "results/tiny", "--width", "160"});
  EXPECT_EQ(render.status, 0) << render.err;
  EXPECT_NE(render.out.find("(5 pictures)"), std::string::npos) << render.out;
  const auto made = here.folder() / "results/tiny/tiny_render";
  for (const char* name :
       {"tiny_000000.png", "tiny_000008.png", "tiny_receivers.svg", "tiny_energy.png", "tiny_iterations.svg"})
    EXPECT_TRUE(std::filesystem::exists(made / name)) << name;
  for (const std::string& left : here.left_behind())
    EXPECT_EQ(left.find(".partial"), std::string::npos) << left;
}

TEST(RenderCommand, MakesOnlyWhatIsAskedFor) {
  Workplace here;
  here.write("tiny.yaml", tiny);
  ASSERT_EQ(here.run({"tiny.yaml", "-q", "--device", "cpu"}).status, 0);
  const Outcome render = here.run(
      {"render", "results/tiny/tiny.vtkhdf", "--contact-sheet", "3", "--history", "--output", "made", "-q"});
  EXPECT_EQ(render.status, 0) << render.err;
  EXPECT_EQ(render.out, "");
  EXPECT_TRUE(std::filesystem::exists(here.folder() / "made/tiny_sheet.png"));
  EXPECT_TRUE(std::filesystem::exists(here.folder() / "made/tiny_energy.svg"));
  EXPECT_FALSE(std::filesystem::exists(here.folder() / "made/tiny_receivers.svg"));
  EXPECT_FALSE(std::filesystem::exists(here.folder() / "made/tiny_000000.png"));
}

TEST(RenderCommand, MakesThePlotsOfAResultWithoutFrames) {
  Workplace here;
  here.write("tiny.yaml", tiny);
  ASSERT_EQ(here.run({"tiny.yaml", "-q", "--device", "cpu", "--set", "output.fields.formats=[vti]"}).status,
            0);
  const Outcome render = here.run({"render", "results/tiny"});
  EXPECT_EQ(render.status, 0) << render.err;
  EXPECT_TRUE(std::filesystem::exists(here.folder() / "results/tiny/tiny_render/tiny_receivers.svg"));
  EXPECT_EQ(here.run({"render", "results/tiny", "--pictures"}).status, 2);
  EXPECT_EQ(here.run({"report", "results/tiny", "-q"}).status, 0);
}

TEST(RenderCommand, RefusesBeforeItWritesAnything) {
  Workplace here;
  here.write("tiny.yaml", tiny);
  ASSERT_EQ(here.run({"tiny.yaml", "-q", "--device", "cpu"}).status, 0);
  const auto before = here.left_behind();
  const std::vector<std::pair<std::vector<std::string>, std::string>> mistakes{
      {{"nowhere"}, "nowhere: there is no such result"},
      {{"results/tiny", "--quantity", "speed"}, "does not hold 'speed'"},
      {{"results/tiny", "--colours", "blue"}, "there is no colour map 'blue'"},
      {{"results/tiny", "--from", "99"}, "lies between --from and --to"},
      {{"results/tiny", "--width", "3"}, "--width"},
      {{"results/tiny", "--movie", "gif"}, "there is no film format 'gif'"},
      {{"results/tiny", "--range", "1", "--scale", "picture"}, "leave one out"},
      {{"results/tiny", "--shading", "1.5"}, "--shading"},
      {{"results/tiny", "--relief", "0.1"}, "--relief requires --shading"},
      {{"tiny.yaml"}, "is no result of wavesim"}};
  for (const auto& [words, sentence] : mistakes) {
    std::vector<std::string> all{"render"};
    all.insert(all.end(), words.begin(), words.end());
    const Outcome wrong = here.run(all);
    EXPECT_EQ(wrong.status, 2) << wrong.err;
    EXPECT_NE(wrong.err.find(sentence), std::string::npos) << wrong.err;
    EXPECT_EQ(std::count(wrong.err.begin(), wrong.err.end(), '\n'), 1) << wrong.err;
  }
  EXPECT_EQ(here.left_behind(), before);
}

TEST(RenderCommand, EndsWithFourWhereItCannotWrite) {
  Workplace here;
  here.write("tiny.yaml", tiny);
  here.write("taken", "a file");
  ASSERT_EQ(here.run({"tiny.yaml", "-q", "--device", "cpu"}).status, 0);
  const Outcome failed = here.run({"render", "results/tiny", "--output", "taken"});
  EXPECT_EQ(failed.status, 4);
  EXPECT_NE(failed.err.find("cannot write taken"), std::string::npos) << failed.err;
  EXPECT_EQ(here.run({"report", "results/tiny", "--output", "taken/page.html"}).status, 4);
}

TEST(Pictures, OfARunShowWhatTheConfigAsksForAndAreThoseOfRender) {
  Workplace here;
  here.write("tiny.yaml", tiny);
  const std::string look =
      "output.pictures={every: 4, quantity: velocity, colours: green-purple, width: 160, range: 3, "
      "shading: {strength: 0.5, relief: 0.1, azimuth: 100, altitude: 30}}";
  ASSERT_EQ(here.run({"tiny.yaml", "-q", "--device", "cpu", "--set", look, "--set",
                      "output.fields.quantities=[velocity]"})
                .status,
            0);
  ASSERT_EQ(here.run({"render",    "results/tiny", "--pictures", "--quantity", "velocity",
                      "--colours", "green-purple", "--width",    "160",        "--range",
                      "3",         "--shading",    "0.5",        "--relief",   "0.1",
                      "--azimuth", "100",          "--altitude", "30",         "-q"})
                .status,
            0);
  const auto result = here.folder() / "results/tiny";
  EXPECT_EQ(contents(result / "pictures/tiny_000004.png").substr(1, 3), "PNG");
  EXPECT_EQ(contents(result / "pictures/tiny_000004.png"),
            contents(result / "tiny_render/tiny_velocity_000004.png"));
  const Outcome both =
      here.run({"tiny.yaml", "--overwrite", "--set", "output.pictures={range: 1, scale: picture}"});
  EXPECT_EQ(both.status, 2);
  EXPECT_NE(both.err.find("remove one of the two"), std::string::npos) << both.err;
}

TEST(ReportCommand, MakesOnePage) {
  Workplace here;
  here.write("tiny.yaml", tiny);
  ASSERT_EQ(here.run({"tiny.yaml", "-q", "--device", "cpu"}).status, 0);
  const Outcome report = here.run({"report", "results/tiny"});
  EXPECT_EQ(report.status, 0) << report.err;
  EXPECT_EQ(report.out, "results/tiny/tiny_report.html\n");
  const std::string page = contents(here.folder() / "results/tiny/tiny_report.html");
  for (const char* part :
       {"data:image/png;base64,iVBORw0KGgo", "Receiver middle", "Effective config", "wavesim-version"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
}

TEST(ReportCommand, IsRemovedTogetherWithTheResultItIsOf) {
  Workplace here;
  here.write("tiny.yaml", tiny);
  ASSERT_EQ(here.run({"tiny.yaml", "-q", "--device", "cpu"}).status, 0);
  ASSERT_EQ(here.run({"report", "results/tiny", "-q"}).status, 0);
  ASSERT_EQ(here.run({"tiny.yaml", "-q", "--device", "cpu", "--overwrite"}).status, 0);
  EXPECT_FALSE(std::filesystem::exists(here.folder() / "results/tiny/tiny_report.html"));
}

TEST(Help, FitsIntoEightyColumnsAndShowsAnExample) {
  Workplace here;
  const std::string all = here.run({"--help"}).out;
  EXPECT_LE(width_of(all), 80u);
  EXPECT_NE(all.find("Example: "), std::string::npos);
  for (const char* command :
       {"run", "solve", "study", "render", "report", "info", "list", "schema", "completion", "man"}) {
    EXPECT_NE(all.find(std::string("\n  ") + command + " "), std::string::npos) << command;
    const Outcome help = here.run({command, "--help"});
    EXPECT_EQ(help.status, 0);
    EXPECT_LE(width_of(help.out), 80u) << help.out;
    EXPECT_NE(help.out.find("Example: "), std::string::npos) << help.out;
    EXPECT_NE(help.out.find("wavesim " + std::string(command)), std::string::npos) << help.out;
  }
}

TEST(List, ShowsWhatMethodsNeedCostAndAreBestFor) {
  Workplace here;
  const std::string methods = here.run({"list", "methods"}).out;
  for (const char* part : {"method                 needs     words reads  best for",
                           "  cg                     spd           8     2  the wave; the first choice"})
    EXPECT_NE(methods.find(part), std::string::npos) << methods;
  const std::string table = methods.substr(0, methods.find("\n\n"));
  EXPECT_LE(width_of(table), 80u) << table;
  std::istringstream lines(table);
  std::string line;
  std::getline(lines, line), std::getline(lines, line);
  while (std::getline(lines, line)) EXPECT_GT(line.size(), 49u) << "no words for: " << line;
}

TEST(Completion, KnowsCommandsAndOptionsInBash) {
  Workplace here;
  const Outcome script = here.run({"completion", "bash"});
  ASSERT_EQ(script.status, 0);
  const auto file = here.folder() / "completion";
  std::ofstream(file) << script.out
                      << "COMP_WORDS=(wavesim \"$@\"); COMP_CWORD=$#; _wavesim; echo \"${COMPREPLY[@]}\"\n";
  const auto completed = [&](const std::string& words) {
    const auto out = here.folder() / "out";
    EXPECT_EQ(std::system(("bash " + file.string() + " " + words + " > " + out.string()).c_str()), 0);
    return contents(out);
  };
  EXPECT_EQ(completed("rep"), "report\n");
  EXPECT_EQ(completed("render --contact"), "--contact-sheet\n");
  EXPECT_EQ(completed("render --movie w"), "webm\n");
  EXPECT_EQ(completed("x.yaml --dry"), "--dry-run\n");
  EXPECT_EQ(completed("run c.yaml --set grid.c"), "grid.cells=\n");
  EXPECT_EQ(completed("run c.yaml --set sources.0.ricker.f"), "sources.0.ricker.frequency=\n");
  EXPECT_EQ(completed("c.yaml --set solver.method = sine"), "sine-transform\n");
  EXPECT_EQ(completed("c.yaml --set output.pictures ="), "none\n");
  EXPECT_EQ(here.run({"completion", "tcsh"}).status, 2);
}

TEST(Completion, IsWrittenForZsh) {
  Workplace here;
  const std::string script = here.run({"completion", "zsh"}).out;
  EXPECT_EQ(script.find("#compdef wavesim"), 0u);
  for (const char* part : {"'render:", "--movie[", "(auto mp4 webm ogv)", "'*--set["})
    EXPECT_NE(script.find(part), std::string::npos) << part;
  if (std::system("command -v zsh >/dev/null") != 0) return;
  const auto file = here.folder() / "_wavesim", out = here.folder() / "out";
  std::ofstream(file) << "compdef() { }\n"
                      << script
                      << "compadd() { print -- $@ }\n"
                         "compset() { [[ $here == *=* ]] && IPREFIX=${here%%=*}= }\n"
                         "for here in $@; do _wavesim_settings; done\n";
  ASSERT_EQ(
      std::system(
          ("zsh -f " + file.string() + " grid.c solver.method=s output.pictures= > " + out.string()).c_str()),
      0);
  const std::string words = contents(out);
  for (const char* part : {" grid.cells ", " sine-transform", "-- none\n"})
    EXPECT_NE(words.find(part), std::string::npos) << part << " in " << words;
}

TEST(Completion, IsWrittenForFish) {
  Workplace here;
  const Outcome script = here.run({"completion", "fish"});
  ASSERT_EQ(script.status, 0);
  for (const char* part : {"-a render -d", "-l movie -x -a 'auto mp4 webm ogv'",
                           "-l set -x -a '(__wavesim_settings)'", " solver.method= "})
    EXPECT_NE(script.out.find(part), std::string::npos) << part;
  const auto file = here.folder() / "wavesim.fish";
  std::ofstream(file) << script.out;
  if (std::system("command -v fish >/dev/null") == 0) {
    std::ofstream(file, std::ios::app) << "function commandline\n  echo $here\nend\n"
                                          "set here output.pictures=\n__wavesim_settings\n"
                                          "set here grid.c\n__wavesim_settings\n";
    const auto out = here.folder() / "out";
    ASSERT_EQ(std::system(("fish " + file.string() + " > " + out.string()).c_str()), 0);
    EXPECT_EQ(contents(out).find("output.pictures=none\n"), 0u) << contents(out);
    EXPECT_NE(contents(out).find("\ngrid.cells=\n"), std::string::npos);
  }
}

TEST(ManPage, NamesEveryCommandAndOption) {
  Workplace here;
  const std::string page = here.run({"man"}).out;
  EXPECT_EQ(page.find(".TH WAVESIM 1"), 0u);
  for (const char* part : {".SH NAME", ".SH SYNOPSIS", ".SS render", ".SS completion",
                           "\\-\\-contact\\-sheet N", "Exit status", ".SS solve"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
}

TEST(Configs, BeginWithTheLineThatTellsEditorsTheirSchema) {
  for (const auto& entry : std::filesystem::directory_iterator(WAVESIM_SOURCE_DIR "/configs"))
    if (entry.path().extension() == ".yaml") {
      EXPECT_EQ(contents(entry.path()).find("# yaml-language-server: $schema=schema.json\n"), 0u)
          << entry.path();
    }
  Workplace here;
  EXPECT_EQ(contents(WAVESIM_SOURCE_DIR "/configs/schema.json"), here.run({"schema"}).out)
      << "write it anew: wavesim schema > configs/schema.json";
}

}  // namespace
}  // namespace wavesim
