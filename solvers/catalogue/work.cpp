// What the entries of the catalogue are and cost with the options that were chosen.
#include <cmath>

#include "solvers/catalogue/catalogue.hpp"
#include "solvers/catalogue/option_list.hpp"

namespace wavesim {

namespace {

Work work_of(const Method& m, const Choices& choices) {
  Work p = m.work;
  if (m.growing) {
    const double n = choices.number(*m.growing);
    p.kept += n * m.each.kept;
    p.moved += n * m.each.moved;
    p.products += n * m.each.products;
    p.kernels += n * m.each.kernels;
  }
  return p;
}

}  // namespace

PreconditionerEntry entry_of(const PreconditionerOptions& o) {
  PreconditionerEntry e = *find_preconditioner(o.type);
  if (!e.of_method) return e;
  const Method& m = *find_method(o.choices.word(option::steps_of));
  e.fixed = m.steps.linear;
  e.symmetric = m.symmetric || m.steps.symmetric;
  e.symmetric_only = m.symmetric;
  e.repeatable = m.repeatable;
  e.reads_rows = m.reads_rows;
  const double steps = o.choices.number(option::steps);
  e.work = work_of(m, o.choices);
  e.work.moved = 3 + steps * e.work.moved;
  e.work.products *= steps;
  e.work.kernels = 2 + steps * e.work.kernels;
  return e;
}

std::string short_name(const PreconditionerOptions& o) {
  if (!find_preconditioner(o.type)->of_method) return o.type;
  return std::to_string(o.choices.count(option::steps)) + " steps of " + o.choices.word(option::steps_of);
}

Work work_of(const SolverOptions& o) {
  Work p = work_of(*find_method(o.method), o.choices);
  if (o.mixed) {  // of an iteration of the inner solve: everything in half the bytes
    p.kept = 2 + (2 + p.kept) / 2;
    p.moved /= 2;
    p.products /= 2;
  }
  return p;
}

double iterations_by(IterationBound bound, double condition, double tolerance) {
  const double root = std::sqrt(condition);
  const double krylov = std::log(2 / tolerance) / std::log((root + 1) / (root - 1));
  switch (bound) {
    case IterationBound::krylov:
      return krylov;
    case IterationBound::two_products:
      return krylov / 2;
    case IterationBound::jacobi:
      return std::log(1 / tolerance) / -std::log((condition - 1) / (condition + 1));
    case IterationBound::direct:
      return 2;
  }
  return krylov;
}

bool stores_rows(std::string_view format) {
  const Format* f = find_format(format);
  return f && f->values > 0;
}

double row_bytes(std::string_view format, double word, bool periodic, double media, int points) {
  if (!stores_rows(format)) return media;
  const Format* f = find_format(format);
  // each of the corner points of nine has four diagonals where axes are periodic
  const bool wraps = periodic && f->periodic_values > f->values;
  const double more = points - 5;
  return ((periodic ? f->periodic_values : f->values) + more * (wraps ? 4 : 1)) * word +
         (f->indices > 0 ? f->indices + more : 0) * 4;
}

}  // namespace wavesim
