#include "sim/model/connected_parts.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "sim/model/model_parts.hpp"

namespace wavesim {

namespace {

/// The representative of an element of a union-find.
int root_of(std::vector<int>& parent, int k) {
  while (parent[std::size_t(k)] != k)
    k = parent[std::size_t(k)] = parent[std::size_t(parent[std::size_t(k)])];
  return k;
}

}  // namespace

ConnectedParts::ConnectedParts(const Model& model) : grid_(model.grid) {
  const Grid& g = grid_;
  const std::vector<long> partition = g.partition();
  const std::size_t rank = g.own.ranks ? std::size_t(g.own.ranks->rank()) : 0;
  first_ = partition[rank], end_ = partition[rank + 1];
  if (first_ < end_) rows_.resize(std::size_t(std::min(end_ + 1, g.nodes(1)) - first_));
#pragma omp parallel for schedule(static)
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const long iy = first_ + long(k);
    for (long ix = 0; ix < g.nodes(0); ++ix) {
      if (!is_unknown(model, ix, iy)) continue;
      Row& row = rows_[k];
      if (row.empty() || row.back().last + 1 < ix || !(model.face_x[g.index(ix - 1, iy)] > 0))
        row.push_back({ix, ix, 0});
      row.back().last = ix;
    }
  }
  int count = 0;
  for (Row& row : rows_)
    for (Stretch& s : row) s.part = count++;
  parent_.resize(std::size_t(count));
  std::iota(parent_.begin(), parent_.end(), 0);
  for (std::size_t k = 0; k + 1 < rows_.size(); ++k)
    unite(rows_[k], rows_[k + 1], [&](long ix) { return model.face_y[g.index(ix, first_ + long(k))] > 0; });
  if (g.periodic[1]) unite(rows_.front(), rows_.back(), [](long) { return true; });  // copies of each other
  if (g.periodic[0])
    for (const Row& row : rows_)
      if (!row.empty() && row.front().first == 0 && row.back().last == g.cells[0])
        parent_[std::size_t(root(row.front().part))] = root(row.back().part);
  for (Row& row : rows_)
    for (Stretch& s : row) s.part = root(s.part);
  if (g.own.ranks) join_ranks(partition);
}

int ConnectedParts::root(int part) { return root_of(parent_, part); }

/// `couples(ix)`: whether a wave gets from one row to the other in a column.
template <class Couples>
void ConnectedParts::unite(const Row& low, const Row& high, Couples&& couples) {
  for (auto a = low.begin(), b = high.begin(); a != low.end() && b != high.end();) {
    bool any = false;
    for (long ix = std::max(a->first, b->first); ix <= std::min(a->last, b->last) && !any; ++ix)
      any = couples(ix);
    if (any) parent_[std::size_t(root(a->part))] = root(b->part);
    if (a->last < b->last)
      ++a;
    else
      ++b;
  }
}

/// The first row of a rank is the last one of the rank before it: their stretches are the same.
void ConnectedParts::join_ranks(const std::vector<long>& partition) {
  const auto parts_of = [&](bool here, std::size_t row) {
    std::vector<int> parts;
    if (here)
      for (const Stretch& s : rows_[row]) parts.push_back(s.part);
    return parts;
  };
  const bool any = !rows_.empty();
  const auto below = grid_.own.lists(parts_of(any && first_ > 0, 0)),
             above = grid_.own.lists(parts_of(any && end_ < grid_.nodes(1), rows_.size() - 1));
  std::vector<int> of_all, parent;  // the parts of all ranks' lists, one after the other
  std::vector<std::size_t> begin_below, begin_above;
  for (std::size_t k = 0; k < below.size(); ++k) {
    begin_below.push_back(of_all.size());
    of_all.insert(of_all.end(), below[k].begin(), below[k].end());
    begin_above.push_back(of_all.size());
    of_all.insert(of_all.end(), above[k].begin(), above[k].end());
  }
  const std::size_t end = of_all.size();
  parent.resize(end);
  std::iota(parent.begin(), parent.end(), 0);
  const auto same = [&](std::size_t a, std::size_t b) {
    parent[std::size_t(root_of(parent, int(a)))] = root_of(parent, int(b));
  };
  for (std::size_t k = 0; k < below.size(); ++k) {
    const std::size_t last = k + 1 < below.size() ? begin_below[k + 1] : end;
    std::map<int, std::size_t> seen;  // a rank's part in several places
    for (std::size_t at = begin_below[k]; at < last; ++at)
      same(at, seen.try_emplace(of_all[at], at).first->second);
    if (k + 1 == below.size() || above[k].empty()) continue;
    std::size_t next = k + 1;  // ranks may be without rows
    while (next + 1 < below.size() && partition[next] == partition[next + 1]) ++next;
    if (below[next].size() != above[k].size())
      throw std::logic_error("ranks differ in the row where they meet");
    for (std::size_t s = 0; s < above[k].size(); ++s) same(begin_above[k] + s, begin_below[next] + s);
  }
  const std::size_t rank = std::size_t(grid_.own.ranks->rank());
  const std::size_t last = rank + 1 < below.size() ? begin_below[rank + 1] : end;
  for (std::size_t at = begin_below[rank]; at < last; ++at)
    shared_.push_back(of_all[at]), number_.push_back(root_of(parent, int(at)));
  numbers_ = end;
}

void ConnectedParts::join(std::vector<char>& flags) const {
  if (!grid_.own.ranks) return;
  std::vector<int> set;  // few, where all ranks' numbers are many
  for (std::size_t k = 0; k < shared_.size(); ++k)
    if (flags[std::size_t(shared_[k])]) set.push_back(number_[k]);
  std::sort(set.begin(), set.end());
  set.erase(std::unique(set.begin(), set.end()), set.end());
  std::vector<char> of_all(numbers_, 0);
  for (const std::vector<int>& of_one : grid_.own.lists(std::move(set)))
    for (const int number : of_one) of_all[std::size_t(number)] = 1;
  for (std::size_t k = 0; k < shared_.size(); ++k)
    if (of_all[std::size_t(number_[k])]) flags[std::size_t(shared_[k])] = 1;
}

int ConnectedParts::at(std::size_t node) const {
  const auto [ix, iy] = grid_.place(node);
  if (iy < first_ || iy >= end_) return -1;
  const Row& row = rows_[std::size_t(iy - first_)];
  const auto s =
      std::partition_point(row.begin(), row.end(), [ix = ix](const Stretch& t) { return t.last < ix; });
  return s == row.end() || s->first > ix ? -1 : s->part;
}

}  // namespace wavesim
