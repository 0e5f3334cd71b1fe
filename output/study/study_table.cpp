#include "output/study/study_table.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

#include "output/run/csv_cell.hpp"

namespace wavesim {

const std::vector<StudyColumn>& study_columns() {
  using R = StudyRow;
  static const std::vector<StudyColumn> all{{"point", &R::point},
                                            {"cells_x", &R::cells_x},
                                            {"cells_y", &R::cells_y},
                                            {"courant", &R::courant},
                                            {"step", &R::step},
                                            {"time", &R::time},
                                            {"candidate", &R::candidate},
                                            {"method", &R::method},
                                            {"preconditioner", &R::preconditioner},
                                            {"format", &R::format},
                                            {"precision", &R::precision},
                                            {"guess", &R::guess},
                                            {"tolerance", &R::tolerance},
                                            {"norm", &R::norm},
                                            {"status", &R::status},
                                            {"iterations", &R::iterations},
                                            {"setup_seconds", &R::setup_seconds},
                                            {"solve_seconds", &R::solve_seconds},
                                            {"least_seconds", &R::least_seconds},
                                            {"iteration_seconds", &R::iteration_seconds},
                                            {"bytes", &R::bytes},
                                            {"bandwidth", &R::bandwidth},
                                            {"bandwidth_share", &R::bandwidth_share},
                                            {"memory_bytes", &R::memory_bytes},
                                            {"residual_2", &R::residual_2},
                                            {"residual_max", &R::residual_max},
                                            {"error_2", &R::error_2},
                                            {"error_max", &R::error_max},
                                            {"message", &R::message}};
  return all;
}

std::string cell(const StudyRow& row, const StudyColumn& column) {
  return std::visit(
      [&](auto member) -> std::string {
        const auto& v = row.*member;
        if constexpr (std::is_same_v<decltype(member), double StudyRow::*>) {
          if (std::isnan(v)) return "";
        }
        return fmt::format("{}", v);
      },
      column.member);
}

bool set_cell(StudyRow& row, const StudyColumn& column, const std::string& text) {
  return std::visit(
      [&](auto member) {
        auto& v = row.*member;
        if constexpr (std::is_same_v<decltype(member), std::string StudyRow::*>) {
          v = text;
          return true;
        } else {
          if constexpr (std::is_same_v<decltype(member), double StudyRow::*>) {
            if (text.empty()) {
              v = std::numeric_limits<double>::quiet_NaN();
              return true;
            }
          }
          const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), v);
          return error == std::errc() && end == text.data() + text.size();
        }
      },
      column.member);
}

std::string study_csv_heading() {
  std::string line;
  for (const StudyColumn& c : study_columns()) line.append(line.empty() ? "" : ",").append(c.name);
  return line;
}

std::string study_csv_line(const StudyRow& row) {
  std::string line;
  for (const StudyColumn& c : study_columns()) line.append(csv_cell(cell(row, c))).append(1, ',');
  line.pop_back();
  return line;
}

}  // namespace wavesim
