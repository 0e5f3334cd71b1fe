#pragma once
// The values of a plane of which each rank has some rows.

#include <utility>
#include <vector>

#include "kernels/comm/parts_of_ranks.hpp"
#include "sim/run/values.hpp"

namespace wavesim {

/// Bytes start[k] to start[k + 1] - 1 are rank k's, which has them in `own`. All ranks together; all values on rank 0, on the
/// others nothing. They stay where they are until they are written, where `parts` is not null; else they come together here.
template <class P>
Values values_of_ranks(Ranks& ranks, PartsOfRanks* parts, Values own, const std::vector<std::size_t>& start) {
  const std::size_t count = start.back() / sizeof(P);
  const bool first = ranks.rank() == 0;
  if (parts) {
    auto all = parts->share(own.source(), start);
    return first ? Values(std::move(all), count, sizeof(P)) : Values();
  }
  std::vector<P> all(first ? count : 0);
  std::vector<Ranks::Message> receives;
  if (first)
    for (int k = 0; k < ranks.count(); ++k)
      receives.push_back({k, reinterpret_cast<char*>(all.data()) + start[std::size_t(k)],
                          start[std::size_t(k) + 1] - start[std::size_t(k)]});
  ranks.exchange({{0, const_cast<P*>(own.as<P>().data()), own.size() * sizeof(P)}}, receives);
  return all;
}

}  // namespace wavesim
