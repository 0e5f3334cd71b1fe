// Saved states: what comes back is what was saved, by name, kind and shape.

#include "solvers/core/archive.hpp"

#include <gtest/gtest.h>

#include "kernels/backend/backend.hpp"
#include "kernels/backend/errors.hpp"

namespace wavesim::test {
namespace {

struct Part {
  double real = 0;
  float less = 0;
  int whole = 0;
  long wide = 0;
  bool yes = false;
  std::string words;
  std::vector<float> list;
  std::vector<std::string> lines;

  void archive(Archive& a) {
    a.number("real", real);
    a.number("less", less);
    const auto inner = a.part("inner");
    a.number("whole", whole);
    a.number("wide", wide);
    a.number("yes", yes);
    a.text("words", words);
    a.list("list", list);
    a.list("lines", lines);
  }
};

template <class P>
SavedState saved(P& part) {
  SavedState state;
  SaveInMemory to(state);
  part.archive(to);
  return state;
}
template <class P>
void load(P& part, const SavedState& state) {
  LoadFromMemory from(state);
  part.archive(from);
}
template <class Act>
std::string refusal(const Act& act) {
  try {
    act();
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(Archive, GivesBackWhatWasSaved) {
  Part one{-0.1, 0.3f, -7, 1L << 40, true, "a b", {1, 2, 3}, {"one", "", "three"}},
      two{5, 5, 5, 5, false, "long enough", {9}, {"x"}};
  const SavedState state = saved(one);
  EXPECT_TRUE(state.contains("real"));
  EXPECT_TRUE(state.contains("inner/words"));
  load(two, state);
  EXPECT_EQ(saved(two), state);
  EXPECT_EQ(two.real, -0.1);
  EXPECT_EQ(two.wide, 1L << 40);
  EXPECT_TRUE(two.yes);
  EXPECT_EQ(two.words, "a b");
  EXPECT_EQ(two.list, one.list);
  EXPECT_EQ(two.lines, one.lines);

  Part empty;
  load(two, saved(empty));
  EXPECT_TRUE(two.list.empty());
  EXPECT_TRUE(two.lines.empty());
  EXPECT_EQ(two.words, "");
}

struct Wave {
  Field<Backend, double> u;
  void archive(Archive& a) { a.field("u", u); }
};

/// Without padding: another grid may lie otherwise in memory.
TEST(Archive, KeepsTheValuesOfAFieldAndNoPadding) {
  Backend be;
  const Extent e = make_extent(5, 3);
  Wave one{{be, e}}, two{{be, e}};
  std::vector<double> all(one.u.memory().size(), 0.0);
  for (int row = 0; row < e.ny; ++row)
    for (int col = 0; col < e.nx; ++col) all[std::size_t(row + 1) * e.pitch + col] = row + 0.1 * col;
  one.u.memory().upload(all);
  const SavedState state = saved(one);
  EXPECT_EQ(state.at("u").shape, (Archive::Shape{3, 5}));
  EXPECT_EQ(state.at("u").bytes.size(), 15 * sizeof(double));
  load(two, state);
  EXPECT_EQ(two.u.memory().download(), all);

  Wave other{{be, make_extent(4, 3)}};
  EXPECT_NE(refusal([&] { load(other, state); }).find("'u' is 3 x 5, and this run needs 3 x 4"),
            std::string::npos);
}

TEST(Archive, RefusesWhatIsMissingOrOfAnotherKind) {
  Part part;
  SavedState state = saved(part);
  state.at("real").kind = Archive::Kind::real32;
  EXPECT_NE(refusal([&] { load(part, state); }).find("'real' is float, and this run needs double"),
            std::string::npos);
  state = saved(part);
  state.erase("inner/whole");
  EXPECT_NE(refusal([&] { load(part, state); }).find("'inner/whole' is missing"), std::string::npos);
}

TEST(Archive, RefusesTwoPartsOfOneName) {
  double a = 1, b = 2;
  SavedState state;
  SaveInMemory to(state);
  to.number("x", a);
  EXPECT_THROW(to.number("x", b), std::logic_error);
}

}  // namespace
}  // namespace wavesim::test
