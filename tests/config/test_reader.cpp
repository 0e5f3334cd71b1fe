// Every form in which a config may be written, and what it means.

#include <unistd.h>

#include <fstream>

#include "sim/config/files.hpp"
#include "sim/config/search_path.hpp"
#include "tests/config/configs.hpp"

namespace wavesim {
namespace {

TEST(Reader, ReadsASmallConfigAndLeavesTheRestAtItsDefaults) {
  const Config c = with("");
  EXPECT_EQ(c.name, "small");
  EXPECT_EQ(c.grid.size, (std::array<double, 2>{1, 2}));
  EXPECT_EQ(c.grid.cells, (std::array<long, 2>{10, 20}));
  ASSERT_EQ(c.medium.speed.size(), 1u);
  EXPECT_EQ(c.time.end, 1);
  EXPECT_FALSE(c.time.courant);
  EXPECT_EQ(c.solver.method, "cg");
  EXPECT_EQ(c.solver.tolerance, 1e-6);
  EXPECT_EQ(c.output.frames->quantities, std::vector<std::string>{"displacement"});
  EXPECT_EQ(c.output.pictures, nullptr);
}

TEST(Reader, NamesTheRunAfterTheFileWhereTheConfigDoesNot) {
  const std::string text = std::string(small_config).substr(std::string("name: small\n").size());
  EXPECT_EQ(parse_config(text, "configs/bell.yaml").name, "bell");
}

TEST(Reader, TakesAKindAsANumberATextAMapOrAList) {
  const Grid grid{.cells = {2, 2}, .spacing = {1, 1}};
  const auto value = [&](const std::string& written) {
    return evaluate(with("initial: {displacement: " + written + "}\n").initial.displacement,
                    grid)[grid.index(1, 2)];
  };
  EXPECT_EQ(value("2.5"), 2.5);
  EXPECT_EQ(value("\"x + 10 * y\""), 21);
  EXPECT_EQ(value("x + 10 * y"), 21);
  EXPECT_EQ(value("{expression: x + 10 * y}"), 21);
  EXPECT_EQ(value("[1, 2.5, x]"), 4.5);
  EXPECT_EQ(value("{gaussian: {center: [1, 2], width: 1, amplitude: 4}}"), 4);
  EXPECT_EQ(value("{layers: [{from: 0, value: 1}, {from: 1.5, value: 7}]}"), 7);
}

TEST(Reader, TakesOneEdgeForAllSidesOrAMapOfSides) {
  for (const auto& edge : with("edges: free\n").edges)
    EXPECT_EQ(edge->condition(1, 1).kind, EdgeCondition::free);
  for (const auto& edge : with("edges: {absorbing: {radiation: {}}}\n").edges)
    EXPECT_TRUE(edge->condition(1, 1).radiation);
  const Config c = with("edges: {left: free, top: {driven: {sinusoid: {frequency: 2}}}}\n");
  EXPECT_EQ(c.edges[0]->condition(1, 1).kind, EdgeCondition::free);
  EXPECT_EQ(c.edges[1]->condition(1, 1).kind, EdgeCondition::fixed);
  EXPECT_EQ(c.edges[2]->condition(1, 1).kind, EdgeCondition::fixed);
  EXPECT_EQ(c.edges[3]->condition(1, 1).kind, EdgeCondition::driven);
}

TEST(Reader, TakesASignalAmongTheKeysOfASourceAndBareBelowDriven) {
  const Config c = with(
      "sources:\n  - {name: a, at: [0, 0], ricker: {frequency: 3, delay: 0.5}}\n"
      "  - {at: [0, 0], expression: 2 * t}\nedges: {left: {driven: 3 * t}}\n");
  ASSERT_EQ(c.sources.size(), 2u);
  EXPECT_EQ(c.sources[0].name, "a");
  EXPECT_EQ(c.sources[0].signal->at(0.5), 1);
  c.sources[1].signal->prepare();
  EXPECT_EQ(c.sources[1].signal->at(4), 8);
  EXPECT_EQ(c.edges[0]->condition(1, 1).driven_by->at(2), 6);
}

TEST(Reader, TakesAPreconditionerAsABareWord) {
  EXPECT_EQ(dumped(with("solver: {preconditioner: jacobi}\n")),
            dumped(with("solver: {preconditioner: {type: jacobi}}\n")));
  EXPECT_EQ(with("solver: {preconditioner: jacobi}\n").solver.preconditioner.type, "jacobi");
}

TEST(Reader, TakesOneWordOrOneNumberForAListOfOne) {
  EXPECT_EQ(with("output: {fields: {formats: vti}}\n").output.frames->formats,
            std::vector<std::string>{"vti"});
  EXPECT_EQ(with("output: {fields: {times: 0.5}}\n").output.frames->schedule.times, std::vector<double>{0.5});
}

TEST(Reader, ReadsASchedulesKeysInTheSectionItself) {
  const Config c = with("output: {fields: {every: 7}, history: {interval: 0.5}, pictures: {}}\n");
  EXPECT_EQ(c.output.frames->schedule.every, 7);
  EXPECT_EQ(c.output.history.schedule.interval, 0.5);
  ASSERT_NE(c.output.pictures, nullptr);
  EXPECT_FALSE(c.output.pictures->schedule.given());
}

TEST(Reader, TakesAnythingForATextThatYamlTakesForSomethingElse) {
  EXPECT_EQ(with("", {"name=no"}).name, "no");
  EXPECT_EQ(with("", {"name=2024"}).name, "2024");
  EXPECT_EQ(with("receivers: [{name: y, at: [0, 0]}]\n").receivers[0].name, "y");
  const Config c = with("edges: {absorbing: {sponge: {thickness: 0.5}}}\n");
  EXPECT_EQ(c.edges[0]->layer_cells(0.1), 5);
}

TEST(Reader, UnderstandsNumbersInEveryDecimalForm) {
  const std::pair<const char*, double> forms[] = {{"1", 1},  {"+2.5", 2.5},  {".5", 0.5},
                                                  {"3.", 3}, {"1e-3", 1e-3}, {"2E+2", 200}};
  for (const auto& [text, number] : forms)
    EXPECT_EQ(with("", {"time.end=" + std::string(text)}).time.end, number) << text;
  EXPECT_EQ(with("output: {fields: {every: 1e3}}\n").output.frames->schedule.every, 1000);
}

TEST(Reader, LooksForFilesFromTheConfigsFolder) {
  const Config c = parse_config(std::string(small_config) + "shape: {file: mask.h5}\n", "a/small.yaml", "a");
  Config copy = c;
  EXPECT_NE(dump_config(copy).find("/a/mask.h5"), std::string::npos) << dump_config(copy);
}

TEST(Reader, LooksForFilesInTheFoldersOfDataToo) {
  namespace fs = std::filesystem;
  const fs::path here = fs::temp_directory_path() / ("wavesim_data_" + std::to_string(getpid()));
  for (const char* folder : {"config", "first", "second"}) fs::create_directories(here / folder);
  for (const char* file : {"config/a.h5", "first/a.h5", "first/b.h5", "second/b.h5", "second/c.h5"})
    std::ofstream(here / file) << "";
  ::setenv("WAVESIM_DATA", ("/nowhere:" + (here / "second").string()).c_str(), 1);
  const auto found = [&](const std::string& name) {
    Config c = parse_config(std::string(small_config) + "shape: {file: " + name + "}\n", "small.yaml",
                            here / "config", {}, data_folders({here / "first"}));
    return fs::relative(files_of(c).at(0), here).string();
  };
  EXPECT_EQ(found("a.h5"), "config/a.h5") << "beside the config comes first";
  EXPECT_EQ(found("b.h5"), "first/b.h5") << "then what --data names";
  EXPECT_EQ(found("c.h5"), "second/c.h5") << "then what WAVESIM_DATA names";
  EXPECT_EQ(found("d.h5"), "config/d.h5") << "the place to put it";
  EXPECT_EQ(found("../second/b.h5"), "second/b.h5");
  EXPECT_EQ(found((here / "second/b.h5").string()), "second/b.h5");
  ::unsetenv("WAVESIM_DATA");
  EXPECT_THROW(data_folders({here / "third"}), InputError);
  fs::remove_all(here);
}

TEST(Reader, ResolvesAnchorsAliasesAndMerges) {
  const Config c = with(
      "sources:\n  - &first {name: a, at: [0.5, 0.5], ricker: &pulse {frequency: 3}}\n"
      "  - {<<: *first, name: b}\n  - {name: c, at: [0, 0], ricker: *pulse}\n");
  ASSERT_EQ(c.sources.size(), 3u);
  EXPECT_EQ(c.sources[1].name, "b");
  EXPECT_EQ(c.sources[1].at, c.sources[0].at);
  EXPECT_EQ(c.sources[2].signal->at(0.5), c.sources[0].signal->at(0.5));
}

TEST(Reader, RefusesAliasesThatUnfoldWithoutEnd) {
  std::string bomb = "solver:\n  a: &a [x, x, x, x, x, x, x, x, x, x]\n";
  for (char c = 'b'; c < 'j'; ++c) {
    bomb += std::string("  ") + c + ": &" + c + " [";
    for (int i = 0; i < 10; ++i) bomb += std::string(i ? ", *" : "*") + char(c - 1);
    bomb += "]\n";
  }
  EXPECT_NE(refusal_of(bomb).find("without end"), std::string::npos);
}

TEST(Reader, RefusesALongTextThatAliasesRepeatWithoutEnd) {
  std::string bomb = "solver:\n  a: &a '" + std::string(100000, 'x') + "'\n  b: [*a";
  for (int k = 0; k < 1000; ++k) bomb += ", *a";
  EXPECT_NE(refusal_of(bomb + "]\n").find("without end"), std::string::npos);
}

TEST(Reader, RefusesDeepNestingAndSaysSo) {
  const std::string deep = "solver: " + std::string(150, '[') + "1" + std::string(150, ']') + "\n";
  EXPECT_NE(refusal_of(deep).find("nested more than 100 deep"), std::string::npos) << refusal_of(deep);
  EXPECT_NE(refusal_of(std::string(1000, '[')).find("not valid YAML"), std::string::npos);
}

TEST(Reader, RefusesMoreValuesThanYamlCppHasMemoryFor) {
  const std::string sentence = refusal_of("solver: [" + std::string(2000000, ',') + "]\n");
  EXPECT_NE(sentence.find("more than 500000 values and lines"), std::string::npos) << sentence;
}

TEST(Reader, RefusesMoreKeysThanItHasTimeToCompare) {
  std::string keys = "solver:\n", merges = "a: &a {";
  for (int k = 0; k < 1001; ++k) keys += "  k" + std::to_string(k) + ": 1\n";
  for (int k = 0; k < 600; ++k) merges += "k" + std::to_string(k) + ": 1, ";
  merges += "}\nb: &b {";
  for (int k = 0; k < 600; ++k) merges += "l" + std::to_string(k) + ": 1, ";
  EXPECT_NE(refusal_of(keys).find("more than 1000 keys"), std::string::npos);
  EXPECT_NE(refusal_of(merges + "}\nsolver: {<<: [*a, *b]}\n").find("more than 1000 keys"),
            std::string::npos);
}

TEST(Reader, RefusesAKeyOfManyLettersAndShortensItInTheSentence) {
  const std::string sentence = refusal_of("? " + std::string(100000, 'k') + "\n: 1\n");
  EXPECT_NE(sentence.find("has more than 200 letters"), std::string::npos) << sentence.substr(0, 300);
  EXPECT_LT(sentence.size(), 300u);
}

TEST(Reader, ShortensLongValuesInItsSentences) {
  const std::string value(100000, 'v');
  for (const std::string& text : {"solver: {method: " + value + "}\n", "edges: " + value + "\n"}) {
    const std::string sentence = refusal_of(text);
    EXPECT_NE(sentence.find("'vvvvv"), std::string::npos);
    EXPECT_LT(sentence.size(), 2000u);
  }
}

TEST(Reader, RefusesControlCharactersInNamesAndTexts) {
  EXPECT_EQ(refusal_of("sources: [{name: \"a\\x1b[31m\", at: [0, 0], ricker: {frequency: 3}}]\n"),
            "small.yaml:5:12: 'sources.0.name' has a control character in it; remove it");
  EXPECT_NE(refusal_of("receivers: [{name: \"a\\nb\", at: [0, 0]}]\n").find("line break"), std::string::npos);
  EXPECT_NE(refusal(small_config, {"name=\"a\\tb\""}).find("plain word"), std::string::npos);
}

TEST(Reader, RefusesWhatIsNoUtf8) {
  EXPECT_EQ(refusal(small_config, {"name=h\xf6hle"}),
            "--set name: the value has bytes in it that are no UTF-8; save the file as UTF-8");
  EXPECT_NE(refusal_of("shape: {file: h\xf6hle.png}\n").find("small.yaml:5:9: the value has bytes"),
            std::string::npos);
  EXPECT_NE(refusal_of("h\xf6he: 3\n").find("unknown key"), std::string::npos);
  EXPECT_EQ(parse_config(small_config, "small.yaml", ".", {"name=h\xc3\xb6hle"}).name, "h\xc3\xb6hle");
}

TEST(Reader, SaysAllOfASentenceThatQuotesAByteZero) {
  EXPECT_EQ(
      refusal("\"a\\0b\": 1\n").rfind("small.yaml:1:1: unknown key 'a\\x00b' at the top level; its keys", 0),
      0u)
      << refusal("\"a\\0b\": 1\n");
}

TEST(Set, RefusesAPathOfManyParts) {
  std::string path = "a";
  for (int k = 0; k < 20000; ++k) path += ".a";
  EXPECT_NE(refusal_of("", {path + "=1"}).find("more than 100 parts"), std::string::npos);
}

TEST(Set, GoesOverTheFileAndMakesSectionsThatAreNotThere) {
  const Config c = with("sources: [{at: [0, 0], ricker: {frequency: 3}}]\n",
                        {"solver.tolerance=1e-9", "sources.0.at=[1, 2]", "grid.cells.1=40",
                         "output.pictures.width=100", "solver.preconditioner=jacobi"});
  EXPECT_EQ(c.solver.tolerance, 1e-9);
  EXPECT_EQ(c.sources[0].at->point, (std::array<double, 2>{1, 2}));
  EXPECT_EQ(c.grid.cells, (std::array<long, 2>{10, 40}));
  ASSERT_NE(c.output.pictures, nullptr);
  EXPECT_EQ(c.output.pictures->width, 100);
  EXPECT_EQ(c.solver.preconditioner.type, "jacobi");
}

TEST(Set, RemovesAKeyByAnEmptyValue) {
  const Config c = with("", {"time.end=", "time.steps=5"});
  EXPECT_FALSE(c.time.end);
  EXPECT_EQ(c.time.steps, 5);
  EXPECT_EQ(refusal_of("", {"time.step="}),
            "--set time.step: the value is empty, which removes a key, but 'time.step' is not there; give it "
            "a value");
}

TEST(Set, LetsTheLastOneHold) { EXPECT_EQ(with("", {"time.end=2", "time.end=3"}).time.end, 3); }

TEST(Where, IsHandedToEveryPieceAlsoToSectionsLeftOut) {
  const Config c = with("sources:\n  - {at: [0, 0], ricker: {frequency: 3}}\n",
                        {"shape={circle: {center: [0, 0], radius: 1}}"});
  EXPECT_EQ(c.grid.where.text(), "small.yaml:2:1");
  EXPECT_EQ(c.sources[0].where.text(), "small.yaml:6:5");
  EXPECT_EQ(c.sources[0].signal->where.text(), "small.yaml:6:18");
  EXPECT_EQ(c.sources[0].signal->where.key, "sources.0.ricker");
  EXPECT_EQ(c.shape[0]->where.text(), "--set shape");
  EXPECT_EQ(c.solver.where.text(), "small.yaml:1:1");
  EXPECT_EQ(c.output.frames->where.key, "output.fields");
}

}  // namespace
}  // namespace wavesim
