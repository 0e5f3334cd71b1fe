#pragma once
// An archive of a run whose rows ranks share out. It is saved and loaded by rank 0, as if it had all rows: so a run goes on with
// any number of ranks.

#include "kernels/comm/ranks.hpp"
#include "solvers/core/archive.hpp"

namespace wavesim {

class ArchiveOnRanks final : public Archive {
 public:
  /// `whole`: where rank 0 saves to or loads from; not read on the others. All ranks name the same pieces.
  ArchiveOnRanks(Ranks& ranks, Archive& whole) : ranks_(ranks), whole_(ranks.rank() == 0 ? &whole : nullptr) {
    loading_ = whole.loading();
    ranks_.broadcast(&loading_, sizeof loading_);
  }
  bool loading() const override { return loading_; }

 protected:
  void exchange(const std::string& name, Kind kind, const Shape& shape, void* data) override;
  void exchange_part(const std::string& name, Kind kind, const Shape& shape, std::size_t first,
                     std::size_t end, void* part) override;
  void exchange_rows(const std::string& name, Kind kind, const Shape& shape, std::size_t first,
                     std::size_t count, void* data) override;
  std::size_t saved_length(const std::string& name, Kind kind) const override;

 private:
  struct Range {
    std::size_t first, end;  // elements
  };
  // Rank 0 has room for some rows, not for all. try_rows(first, count, where they lie) saves or loads them there.
  template <class F>
  static void each_piece(Kind kind, const Shape& shape, const Range& all, const F& f);
  template <class TryRows>
  void save_pieces(Kind kind, const Shape& shape, const std::vector<Range>& ranges, char* own,
                   const TryRows& try_rows);
  template <class TryRows>
  void load_pieces(Kind kind, const Shape& shape, const std::vector<Range>& ranges, char* own,
                   const TryRows& try_rows);
  /// f() on rank 0. If it throws there, the others throw, too: a SolveError for one, else an InputError.
  template <class F>
  void on_first(const F& f) const;

  static std::size_t bytes_of(Kind kind, const Shape& shape);

  Ranks& ranks_;
  Archive* whole_;
  bool loading_;
};

}  // namespace wavesim
