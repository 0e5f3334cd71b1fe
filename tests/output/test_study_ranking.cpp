// The words of a study's ranking, from rows with known numbers.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "output/study/study_ranking.hpp"
#include "output/study/study_table.hpp"

namespace wavesim {
namespace {

StudyRow row(long point, double courant, long step, const std::string& candidate, double seconds,
             const std::string& status = "converged") {
  StudyRow r;
  r.point = point;
  r.cells_x = 100;
  r.cells_y = 50;
  r.courant = courant;
  r.step = step;
  r.candidate = candidate;
  r.status = status;
  if (status != "converged") r.message = "try " + candidate + " elsewhere";
  r.solve_seconds = seconds;
  r.least_seconds = 0.9 * seconds;
  r.setup_seconds = 3 * seconds;
  r.iterations = 7;
  r.error_2 = 1e-6 * seconds;
  return r;
}

bool says(const StudyRanking& r, const std::string& sentence) {
  return std::find(r.sentences.begin(), r.sentences.end(), sentence) != r.sentences.end();
}

TEST(StudyRanking, NamesTheFastestByCourantNumber) {
  const StudyRanking r = rank({row(0, 1, 1, "cg-onchip", 2e-4), row(0, 1, 1, "chebyshev", 3e-4),
                               row(1, 4, 1, "cg-onchip", 9e-4), row(1, 4, 1, "chebyshev", 5e-4),
                               row(2, 8, 1, "cg-onchip", 20e-4), row(2, 8, 1, "chebyshev", 7e-4)});
  EXPECT_EQ(r.sentences.front(),
            "cg-onchip is fastest at Courant 1 (200 us a solve), chebyshev from Courant 4 (500 us to 700 us "
            "a solve).");
  EXPECT_EQ(r.best, "chebyshev");
  const StudyRanking same = rank({row(0, 1, 1, "cg", 1), row(1, 2, 1, "cg", 2), row(2, 4, 1, "cg", 4)});
  EXPECT_EQ(same.sentences.front(), "cg is fastest at Courant 1 to 4 (1 s to 4 s a solve).");
  const StudyRanking later = rank({row(0, 1, 1, "cg", 1), row(0, 1, 1, "idr", 2), row(1, 2, 1, "cg", 2),
                                   row(1, 2, 1, "idr", 3), row(2, 4, 1, "cg", 4), row(2, 4, 1, "idr", 3)});
  EXPECT_EQ(later.sentences.front(),
            "cg is fastest up to Courant 2 (1 s to 2 s a solve), idr from Courant 4 (3 s a solve).");
}

TEST(StudyRanking, OrdersByTheMeanOfTheStepsAndPutsFailuresLast) {
  const StudyRanking r =
      rank({row(0, 1, 1, "a", 1), row(0, 1, 1, "b", 2), row(0, 1, 1, "c", 0.1), row(0, 1, 2, "a", 5),
            row(0, 1, 2, "b", 2), row(0, 1, 2, "c", 0.1, "stagnated"),
            row(0, 1, 1, "d", std::numeric_limits<double>::quiet_NaN(), "does-not-fit")});
  ASSERT_EQ(r.points.size(), 1u);
  std::vector<std::string> order;
  for (const Standing& s : r.points[0].standings) order.push_back(s.candidate);
  EXPECT_EQ(order, (std::vector<std::string>{"b", "a", "c", "d"}));
  EXPECT_EQ(r.points[0].standings[1].seconds, 3);
  EXPECT_EQ(r.best, "b");
  EXPECT_TRUE(says(r, "b is fastest at Courant 1 (2 s a solve)."));
  EXPECT_TRUE(says(r, "in multiples of its time take a 1.5 times."));
  EXPECT_TRUE(says(r, "The set-up of b takes 6 s, as long as 3 of its solves."));
  EXPECT_TRUE(says(r, "c never converges (stagnated): try c elsewhere."));
  EXPECT_TRUE(says(r, "d does not fit: try d elsewhere."));
}

TEST(StudyRanking, SaysWhatIsLevelAndWhatFailsSomewhere) {
  const StudyRanking one = rank({row(0, 1, 1, "cg", 1), row(0, 1, 1, "fcg", 1.03), row(0, 1, 1, "idr", 2)});
  EXPECT_TRUE(says(one, "fcg is level with it, within 5 %; in multiples of its time take idr 2 times."));
  const StudyRanking two = rank({row(0, 1, 1, "cg", 1), row(0, 1, 1, "jacobi", 0.5), row(1, 9, 1, "cg", 1),
                                 row(1, 9, 1, "jacobi", 5, "max-iterations")});
  EXPECT_TRUE(says(two,
                   "jacobi does not converge at Courant 9 on 100 x 50 cells (max-iterations): try jacobi "
                   "elsewhere."));
  EXPECT_EQ(two.best, "cg") << "it converges at more points";
  EXPECT_EQ(two.failures.size(), 1u);
  EXPECT_EQ(two.order, (std::vector<std::string>{"cg", "jacobi"}));
  const StudyRanking more =
      rank({row(0, 1, 1, "cg", 1), row(0, 1, 1, "cgs", 2), row(1, 5, 1, "cg", 1),
            row(1, 5, 1, "cgs", 5, "stagnated"), row(2, 9, 1, "cg", 1), row(2, 9, 1, "cgs", 5, "stagnated")});
  EXPECT_TRUE(says(
      more, "cgs does not converge at Courant 5 and 9 on 100 x 50 cells (stagnated): try cgs elsewhere."));
  EXPECT_TRUE(says(more, "Never the fastest: cgs (at best 2 times as long)."));
}

TEST(StudyRanking, NamesThoseThatAreNeverTheFastestTheNearestFirst) {
  std::vector<StudyRow> rows;
  for (long point = 0; point < 2; ++point) {
    rows.push_back(row(point, double(1 + point), 1, "cg", 1));
    for (int k = 6; k > 1; --k)
      rows.push_back(row(point, double(1 + point), 1, std::to_string(k) + "x", k + double(point)));
  }
  EXPECT_TRUE(says(rank(rows),
                   "Never the fastest: 2x (at best 2 times as long), 3x (3 times as long), 4x (4 times as "
                   "long) and 2 others."));
}

TEST(StudyRanking, ComparesGridsAtTheLeastAndTheLargestCourantNumber) {
  std::vector<StudyRow> rows;
  long point = 0;
  for (long cells : {100, 200})
    for (double courant : {1.0, 2.0, 8.0}) {
      rows.push_back(row(point++, courant, 1, "cg", 1e-6 * courant * double(cells)));
      rows.back().cells_x = cells;
    }
  const StudyRanking r = rank(rows);
  EXPECT_TRUE(says(r,
                   "At Courant 1 the fastest solve takes 100 us on 100 x 50 cells and 200 us on 200 x 50 "
                   "cells, 20 and 20 ns a cell."));
  EXPECT_TRUE(says(r,
                   "At Courant 8 the fastest solve takes 800 us on 100 x 50 cells and 1.6 ms on 200 x 50 "
                   "cells, 160 and 160 ns a cell."));
  EXPECT_FALSE(std::any_of(r.sentences.begin(), r.sentences.end(),
                           [](auto& s) { return s.rfind("At Courant 2", 0) == 0; }));
}

TEST(StudyRanking, SaysWhenTimesScatter) {
  std::vector<StudyRow> rows{row(0, 1, 1, "cg", 1), row(0, 1, 1, "idr", 2), row(0, 1, 1, "fcg", 2)};
  const auto scatters = [&] {
    const StudyRanking r = rank(rows);
    return std::any_of(r.sentences.begin(), r.sentences.end(), [](const std::string& s) {
      return s.rfind("Times scatter: for 1 of 3 rows", 0) == 0;
    });
  };
  EXPECT_FALSE(scatters());
  rows[1].least_seconds = 1.2;
  EXPECT_TRUE(scatters());
}

TEST(StudyRanking, HasNoBestWhereNothingConverges) {
  const StudyRanking some = rank({row(0, 1, 1, "cg", 1), row(1, 2, 1, "cg", 1, "stagnated")});
  EXPECT_EQ(some.sentences.front(),
            "cg is fastest at Courant 1 (1 s a solve), no candidate converges from Courant 2.");
  const StudyRanking r = rank({row(0, 1, 1, "cg", 1, "stagnated")});
  EXPECT_EQ(r.best, "");
  EXPECT_NE(ranking_text(r).find("stagnated"), std::string::npos);
}

TEST(StudyTable, GivesEachCellBackAsItWas) {
  StudyRow r = row(3, 0.1, 12, "a, \"b\"", 1.0 / 3, "stagnated");
  r.bytes = std::numeric_limits<double>::quiet_NaN();
  StudyRow back;
  for (const StudyColumn& c : study_columns()) EXPECT_TRUE(set_cell(back, c, cell(r, c))) << c.name;
  for (const StudyColumn& c : study_columns()) EXPECT_EQ(cell(back, c), cell(r, c)) << c.name;
  EXPECT_EQ(back.solve_seconds, 1.0 / 3);
  EXPECT_FALSE(set_cell(back, study_columns().front(), "x1"));
  EXPECT_NE(study_csv_line(r).find("\"a, \"\"b\"\"\""), std::string::npos) << study_csv_line(r);
}

}  // namespace
}  // namespace wavesim
