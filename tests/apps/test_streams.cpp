// Standard output and error that cannot be written, or are not there.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "tests/apps/program.hpp"

namespace wavesim {
namespace {

constexpr const char* tiny = R"yaml(name: tiny
grid: {size: [1, 1], cells: [24, 24]}
medium: {speed: 1}
initial: {displacement: "sin(pi*x)*sin(pi*y)"}
receivers: [{name: middle, at: [0.5, 0.5]}]
time: {step: 0.01, steps: 8}
output: {fields: {every: 4}}
)yaml";

void into(const char* file, int descriptor) { dup2(open(file, O_WRONLY), descriptor); }

TEST(StandardOutput, ThatIsFullIsAFailureWithASentence) {
  const Workplace here;
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"list"}, {"schema"}, {"info", "--json"}, {"--help"}}) {
    const Outcome o = here.run(words, [] { into("/dev/full", STDOUT_FILENO); });
    EXPECT_EQ(o.status, 4) << words[0];
    EXPECT_NE(o.err.find("standard output could not be written"), std::string::npos)
        << words[0] << ": " << o.err;
  }
}

TEST(CommandLine, SaysWhatAWordThatNobodyKnowsWasMeantToBe) {
  const Workplace here;
  here.write("rendr", tiny);
  struct Row {
    std::vector<std::string> words;
    const char* sentence;
  };
  for (const Row& row : std::initializer_list<Row>{
           {{"reprot", "results"}, "wavesim: there is no subcommand 'reprot'; did you mean 'report'?\n"},
           {{"lst"}, "wavesim: there is no subcommand 'lst'; did you mean 'list'?\n"},
           {{"render", "x", "--clp", "3"},
            "wavesim: wavesim render has no option '--clp'; did you mean '--clip'?\n"},
           {{"tiny.yaml", "--overwite"},
            "wavesim: wavesim run has no option '--overwite'; did you mean '--overwrite'?\n"}}) {
    const Outcome o = here.run(row.words);
    EXPECT_EQ(o.status, 2);
    EXPECT_EQ(o.err, row.sentence);
  }
  // A file of such a name is a config, whatever its name is near; what is near nothing is named as it is.
  EXPECT_EQ(here.run({"rendr", "--quiet"}).status, 0);
  EXPECT_NE(here.run({"render", "x", "--qqqqqq"}).err.find("see 'wavesim render --help'"), std::string::npos);
}

TEST(StandardOutput, ThatNobodyReadsToItsEndIsNoFailure) {
  const Workplace here;
  const Outcome o = here.run({"schema"}, [] {
    int ends[2];
    if (pipe(ends) != 0) _exit(99);
    close(ends[0]);
    dup2(ends[1], STDOUT_FILENO);
  });
  EXPECT_EQ(o.status, 0) << o.err;
}

TEST(StandardOutput, ThatIsClosedLeavesTheFilesAsTheyAre) {
  const Workplace here;
  here.write("tiny.yaml", tiny);
  ASSERT_EQ(here.run({"tiny.yaml", "--device", "cpu", "--output", "open"}).status, 0);
  const Outcome closed = here.run({"tiny.yaml", "--device", "cpu", "--output", "closed"}, [] {
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) close(descriptor);
  });
  EXPECT_EQ(closed.status, 0);
  const auto text = [&](const char* folder) {
    std::ostringstream all;
    all << std::ifstream(here.folder() / folder / "tiny" / "tiny_receivers.csv").rdbuf();
    return all.str();
  };
  EXPECT_FALSE(text("open").empty());
  EXPECT_EQ(text("closed"), text("open"));
}

TEST(Output, ThatMayNotGrowIsAFailureWithASentence) {
  const Workplace here;
  here.write("tiny.yaml", tiny);
  const Outcome o = here.run({"tiny.yaml", "-q", "--device", "cpu", "--set", "grid.cells=[200,200]"}, [] {
    const rlimit small{20000, 20000};
    setrlimit(RLIMIT_FSIZE, &small);
  });
  EXPECT_EQ(o.status, 4) << o.err;
  EXPECT_NE(o.err.find("tiny"), std::string::npos) << o.err;
}

}  // namespace
}  // namespace wavesim
