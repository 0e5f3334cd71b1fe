#pragma once
// A run whose rows ranks share out: what a backend has to know, and what comes together on rank 0.

#include <memory>
#include <vector>

#include "kernels/comm/row_share.hpp"
#include "kernels/comm/shared_rows_of.hpp"
#include "sim/model/coefficients.hpp"
#include "sim/run/values_of_ranks.hpp"
#include "sim/time/read_out.hpp"
#include "sim/time/receivers_on.hpp"

namespace wavesim {

/// One for each backend. `ranks` null: one has all rows. `parts` may be null.
template <class B>
class RanksOn {
 public:
  RanksOn(B& backend, Ranks* ranks, PartsOfRanks* parts) : ranks_(ranks), parts_(parts) {
    if (!ranks) return;
    rows_ = make_shared_rows(backend, *ranks);
    backend.share(rows_.get());
  }

  /// The unknowns as this rank sees them.
  Unknowns share_of_this(Unknowns u) const {
    if (ranks_) u.extent = share_of(u.extent, ranks_->rank(), ranks_->count());
    return u;
  }
  bool is_first() const { return !ranks_ || ranks_->rank() == 0; }

  /// What all have read of a window (ReadOut), on rank 0; on the others nothing.
  template <class P>
  Values gathered(Values own, const Unknowns& unknowns, const Window& w) const {
    if (!ranks_) return own;
    const std::size_t row = std::size_t(w.count[0]) * sizeof(P);
    std::vector<std::size_t> start{0};
    for (int k = 0; k < ranks_->count(); ++k) {
      const Extent rows =
          ReadOut<B>::rows_of(share_of(unknowns.extent, k, ranks_->count()), unknowns.first[1], w);
      start.push_back(row * std::size_t(rows.end_own()));
    }
    return values_of_ranks<P>(*ranks_, parts_, std::move(own), start);
  }

  /// Samples of all receivers, one after the other at each time, each from the rank whose it is, on rank 0; on the others
  /// nothing of use.
  template <class T>
  void gather(std::vector<double>& samples, const ReceiversOn<B, T>& receivers, const Extent& rows) const {
    if (!ranks_ || samples.empty()) return;
    std::vector<std::vector<double>> all(is_first() ? std::size_t(ranks_->count()) : 0,
                                         std::vector<double>(samples.size()));
    std::vector<Ranks::Message> sends{{0, samples.data(), samples.size() * sizeof(double)}}, receives;
    for (std::size_t k = 0; k < all.size(); ++k)
      receives.push_back({int(k), all[k].data(), all[k].size() * sizeof(double)});
    ranks_->exchange(sends, receives);
    for (std::size_t k = 0; k < all.size(); ++k) {
      const Extent there = share_of(rows, int(k), ranks_->count());
      for (std::size_t n = 0; n < samples.size(); ++n)
        if (receivers.is_own(n % receivers.count(), there)) samples[n] = all[k][n];
    }
  }

 private:
  Ranks* ranks_;
  PartsOfRanks* parts_;
  std::unique_ptr<SharedRows> rows_;
};

}  // namespace wavesim
