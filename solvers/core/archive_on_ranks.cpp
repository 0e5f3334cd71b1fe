#include "solvers/core/archive_on_ranks.hpp"

#include <exception>

#include "kernels/backend/errors.hpp"

namespace wavesim {

std::size_t ArchiveOnRanks::bytes_of(Kind kind, const Shape& shape) {
  std::size_t bytes = size_of(kind);
  for (const std::size_t length : shape) bytes *= length;
  return bytes;
}

template <class F>
void ArchiveOnRanks::on_first(const F& f) const {
  enum { done, failed, not_finite } how = done;
  std::exception_ptr failure;
  if (whole_) try {
      f();
    } catch (const SolveError&) {
      how = not_finite, failure = std::current_exception();
    } catch (...) {
      how = failed, failure = std::current_exception();
    }
  ranks_.broadcast(&how, sizeof how);
  if (failure) std::rethrow_exception(failure);
  if (how == not_finite) throw SolveError("what the first rank saves is not finite");
  if (how == failed) throw InputError("the first rank cannot save or load the state");
}

void ArchiveOnRanks::exchange(const std::string& name, Kind kind, const Shape& shape, void* data) {
  on_first([&] { whole_->entry(name, kind, shape, data); });
  if (loading_) ranks_.broadcast(data, bytes_of(kind, shape));
}

std::size_t ArchiveOnRanks::saved_length(const std::string& name, Kind kind) const {
  std::size_t length = 0;
  on_first([&] { length = whole_->length(name, kind); });
  ranks_.broadcast(&length, sizeof length);
  return length;
}

void ArchiveOnRanks::exchange_part(const std::string& name, Kind kind, const Shape& shape, std::size_t first,
                                   std::size_t end, void* part) {
  struct Range {
    std::size_t first, end;
  };
  const std::size_t size = size_of(kind);
  const std::vector<Range> ranges = ranks_.all_of(Range{first * size, end * size});
  std::vector<char> all(whole_ ? bytes_of(kind, shape) : 0);
  if (loading_) on_first([&] { whole_->entry(name, kind, shape, all.data()); });
  std::vector<Ranks::Message> of_all, of_own{{0, part, (end - first) * size}};
  if (whole_)
    for (int k = 0; k < ranks_.count(); ++k) {
      const Range& r = ranges[std::size_t(k)];
      of_all.push_back({k, all.data() + r.first, r.end - r.first});
    }
  if (loading_) return ranks_.exchange(of_all, of_own);
  ranks_.exchange(of_own, of_all);
  on_first([&] { whole_->entry(name, kind, shape, all.data()); });
}

}  // namespace wavesim
