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
  /// Of parts that are whole rows: rank 0 has room for some of them, not for all.
  void exchange_row_by_row(const std::string& name, Kind kind, const Shape& shape,
                           const std::vector<Range>& ranges, char* part);
  /// f() on rank 0. If it throws there, the others throw, too: a SolveError for one, else an InputError.
  template <class F>
  void on_first(const F& f) const;

  static std::size_t bytes_of(Kind kind, const Shape& shape);

  Ranks& ranks_;
  Archive* whole_;
  bool loading_;
};

}  // namespace wavesim
