#pragma once
// The connected parts of the unknowns: no wave gets from one to another.

#include <vector>

#include "sim/model/model.hpp"

namespace wavesim {

/// Of ranks each knows the parts in its rows (Grid::partition) by numbers of its own; several numbers may be one part, which
/// goes through rows of others. All ranks together make them, and join what is said of them.
class ConnectedParts {
 public:
  explicit ConnectedParts(const Model& model);

  /// The part of a node; -1 where it is held or outside, or in rows of another rank.
  int at(std::size_t node) const;
  /// Numbers of parts are less.
  std::size_t count() const { return parent_.size(); }
  /// Flags of parts: each gets those of all its numbers, on any rank.
  void join(std::vector<char>& flags) const;
  /// Calls visit(part, first, last) for nodes side by side that are unknowns, row by row.
  template <class Visit>
  void each_stretch(Visit&& visit) const {
    for (std::size_t k = 0; k < rows_.size(); ++k)
      for (const Stretch& s : rows_[k])
        visit(std::size_t(s.part), grid_.index(s.first, first_ + long(k)),
              grid_.index(s.last, first_ + long(k)));
  }

 private:
  /// Unknowns side by side in a row.
  struct Stretch {
    long first, last;
    int part;
  };
  using Row = std::vector<Stretch>;

  int root(int part);
  template <class Couples>
  void unite(const Row& low, const Row& high, Couples&& couples);
  void join_ranks(const std::vector<long>& partition);

  const Grid& grid_;
  long first_ = 0, end_ = 0;  // rows of this rank
  std::vector<Row> rows_;     // and, where another rank has the next one, that
  std::vector<int> parent_;   // union-find over the stretches
  /// Parts of the rows where ranks meet, and the number that all ranks have for each.
  std::vector<int> shared_, number_;
  std::size_t numbers_ = 0;
};

}  // namespace wavesim
