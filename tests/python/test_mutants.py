"""tests/mutants: finds what may be changed in C++ text and nothing else, writes text that compiles, and the mutant that is chosen at run
time does what the text with its change alone does. test_mutants.py COMPILER"""

import os
import pathlib
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "tests" / "mutants"))
import mutants  # noqa: E402
import sites  # noqa: E402

TEXT = r'''// 1 + 1
#define ONE 1 + 1
template <class T, int n = 2 + 2>
struct Pair {
  T a = 1, b = 2;
  T of[2] = {5, 6};
  explicit Pair(T first) : a(first + 1) { b = first * 2; }
  T least() const { return a < b ? a : b; }  // a < b
  T* last() { return of + 1; }
};

inline std::string text(int n) {
  static_assert(sizeof(int) >= 2 + 2, "1 < 2");
  constexpr int fixed = 3 + 3;
  int left[4] = {1, 0, 0, 0};
  if (n > 100) throw std::runtime_error("above " + std::to_string(n - 100));
  switch (n) {
    case 1 + 6:
      return "seven: 1 + 1";
    default:
      break;
  }
  std::vector<int> list;
  list.reserve(std::size_t(fixed * 2));
  for (int k = 0; k < n; ++k) list.push_back(left[3] + k % 4);
  int sum = 0;
  for (const int v : list)
    if (v != 2 && n - v >= 1) sum += v * 3
                                     - 1;
  const auto twice = [&](int v) { return v + sum; };
  bool even = true;
  if constexpr (sizeof(int) == 4) even = sum % 2 == 0;
  ++sum;
  return std::to_string(twice(sum) / 2) + (even ? "e" : "o") + std::to_string(Pair<int>(n).least());
}
'''
# line: [(original, mutant), ...]
EXPECTED = {
    7: [("first * 2", "first / 2"), ("2", "3")],
    8: [("a < b", "a <= b"), ("a < b", "!(a < b)")],
    9: [("of + 1", "of - 1"), ("1", "2")],
    15: [("1", "2"), ("0", "1"), ("0", "1"), ("0", "1")],
    16: [("n > 100", "n >= 100"), ("n > 100", "!(n > 100)"), ("100", "101")],
    25: [("0", "1"), ("k < n", "k <= n"), ("3", "2"), ("left[3] + k % 4", "left[3] - k % 4"), ("k % 4", "k * 4"), ("4", "5")],
    26: [("0", "1")],
    28: [("v != 2 && n - v >= 1", "!(v != 2 && n - v >= 1)"), ("v != 2", "v == 2"), ("2", "3"),
         ("v != 2 && n - v >= 1", "v != 2 || n - v >= 1"), ("n - v >= 1", "n - v > 1"), ("n - v", "n + v"), ("1", "2"),
         ("sum += v * 3 - 1", "sum -= v * 3 - 1"), ("v * 3", "v / 3"), ("3", "4")],
    29: [("v * 3 - 1", "v * 3 + 1"), ("1", "2")],
    30: [("v + sum", "v - sum")],
    31: [("true", "false")],
    32: [("sum % 2", "sum * 2"), ("2", "3"), ("sum % 2 == 0", "sum % 2 != 0"), ("0", "1")],
    33: [("++sum", "--sum")],
    34: [("twice(sum) / 2", "twice(sum) * 2"), ("2", "3"), ("even", "!(even)"),
         # These two do not compile: strings have no minus.
         ('std::to_string(twice(sum) / 2) + (even ? "e" : "o")', 'std::to_string(twice(sum) / 2) - (even ? "e" : "o")'),
         ('std::to_string(twice(sum) / 2) + (even ? "e" : "o") + std::to_string(Pair<int>(n).least())',
          'std::to_string(twice(sum) / 2) + (even ? "e" : "o") - std::to_string(Pair<int>(n).least())')],
}

found = {}
every = sites.sites_of("text.hpp", TEXT)
for site in every:
    found.setdefault(site.line, []).append(sites.shown(site, TEXT))
for line in sorted(found.keys() | EXPECTED.keys()):
    assert sorted(found.get(line, [])) == sorted(EXPECTED.get(line, [])), (line, found.get(line), EXPECTED.get(line))

# What is counted for figures, and what is not compiled.
counted = '''void f() {
  const double read = (1 + words) * sizeof(T);
  be.rows("label", extent, 4 * (sizeof(T) + 2), [=] { to = 2; });
  result.seconds += clock.seconds(0, 1);
  if (size == sizeof(float)) stop();
}
'''
assert {s.line for s in sites.sites_of("a.hpp", counted)} == {2, 3, 4, 5}
assert [(s.line, s.original) for s in sites.sites_of("a.hpp", counted, figures=True) if s.kind != "branch"] == [(3, "2"), (5, "==")]

# The draw: the same each time, each folder and kind by turns, and a new line elsewhere moves nothing.
files = {"x/a.hpp": TEXT, "y/b.hpp": TEXT}
order = sites.draw(files, ["x", "y"], 1)
assert [s.place() for s in order] == [s.place() for s in sites.draw(files, ["x", "y"], 1)]
assert [s.place() for s in order] != [s.place() for s in sites.draw(files, ["x", "y"], 2)]
assert len({s.place() for s in order}) == len(order)
assert [s.path[0] for s in order[:6]] == list("xyxyxy")
assert {s.kind for s in order[:6]} == set(sites.KINDS)
longer = sites.draw({"x/a.hpp": "int n;\n" + TEXT, "y/b.hpp": TEXT}, ["x", "y"], 1)
assert [(s.path, sites.shown(s, TEXT)) for s in order][:6] == [
    (s.path, sites.shown(s, "int n;\n" + TEXT if s.path == "x/a.hpp" else TEXT)) for s in longer][:6]

# One program with all mutants beside each other, and each alone in a namespace of its own.
whole = [s for s in every if not (s.line == 34 and s.original == "+")]
numbered = list(enumerate(whole, 1))
held = sites.with_all(TEXT, numbered)
assert held.count("\n") == TEXT.count("\n"), "lines have moved"
program = '#include "mutant.hpp"\n#include <cstdio>\n#include <stdexcept>\n#include <string>\n#include <vector>\n'
program += f"namespace held {{\n{held}}}\n"
for number, site in [(0, None), *numbered]:
    alone = sites.changed(TEXT, site) if site else TEXT
    program += f"namespace alone{number} {{\n{alone}}}\n"
program += '''template <class F>
std::string answers(F f) {
  std::string all;
  for (int n : {0, 1, 4, 7, 9, 100, 101}) try {
      all += f(n) + " ";
    } catch (const std::exception& e) {
      all += e.what();
    }
  return all;
}
int main() {
  const std::string here = answers(held::text);
  std::string there;
  switch (wavesim_mutants::chosen) {
'''
program += "".join(f"    case {n}: there = answers(alone{n}::text); break;\n" for n in range(len(numbered) + 1))
program += '  }\n  std::printf("%s", here.c_str());\n  return here == there ? 0 : 1;\n}\n'
with tempfile.TemporaryDirectory() as folder:
    source, binary = pathlib.Path(folder) / "all.cpp", pathlib.Path(folder) / "all"
    source.write_text(program)
    subprocess.run([sys.argv[1], "-std=c++20", "-Wno-narrowing", "-I", root / "tests" / "mutants", source, "-o", binary], check=True)
    symbols = subprocess.run(["nm", binary], capture_output=True, text=True, check=True).stdout
    assert mutants.linked(symbols) >= {n for n, s in numbered if s.line > 9}, "a mutant has no symbol"
    same = []
    usual = None
    for number, site in [(0, None), *numbered]:
        # Out of an array's bounds nothing is promised.
        if site and (site.line == 9 or (site.line == 25 and site.original == "k" and site.mutant == "/")):
            continue
        done = subprocess.run([binary], env=dict(os.environ, WAVESIM_MUTANT=str(number)), capture_output=True, text=True)
        assert done.returncode == 0, (number, site, done)
        usual = usual or done.stdout
        if site and done.stdout == usual:
            same.append((site.line, sites.shown(site, TEXT)))
    assert len(same) < len(numbered) / 4, same  # a few are not seen by these calls

# The folders of the program as they are.
texts = mutants.texts()
drawn = sites.draw(texts, mutants.FOLDERS, 1, mutants.figures)
assert len(drawn) > 300, len(drawn)
print(f"{len(every)} changes of a small text, {len(drawn)} lines of the program that can be changed")
