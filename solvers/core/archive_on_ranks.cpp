#include "solvers/core/archive_on_ranks.hpp"

#include <algorithm>
#include <exception>
#include <stdexcept>

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

void ArchiveOnRanks::exchange_rows(const std::string&, Kind, const Shape&, std::size_t, std::size_t, void*) {
  throw std::logic_error("what ranks save in parts is a part of each of them");
}

void ArchiveOnRanks::exchange_part(const std::string& name, Kind kind, const Shape& shape, std::size_t first,
                                   std::size_t end, void* part) {
  const std::vector<Range> ranges = ranks_.all_of(Range{first, end});
  const auto whole_rows = [&](const Range& r) { return r.first % shape[1] == 0 && r.end % shape[1] == 0; };
  if (shape.size() == 2 && shape[1] > 0 && std::all_of(ranges.begin(), ranges.end(), whole_rows))
    return exchange_row_by_row(name, kind, shape, ranges, static_cast<char*>(part));
  const std::size_t size = size_of(kind);
  std::vector<char> all(whole_ ? bytes_of(kind, shape) : 0);
  if (loading_) on_first([&] { whole_->entry(name, kind, shape, all.data()); });
  std::vector<Ranks::Message> of_all, of_own{{0, part, (end - first) * size}};
  if (whole_)
    for (int k = 0; k < ranks_.count(); ++k) {
      const Range& r = ranges[std::size_t(k)];
      of_all.push_back({k, all.data() + r.first * size, (r.end - r.first) * size});
    }
  if (loading_) return ranks_.exchange(of_all, of_own);
  ranks_.exchange(of_own, of_all);
  on_first([&] { whole_->entry(name, kind, shape, all.data()); });
}

void ArchiveOnRanks::exchange_row_by_row(const std::string& name, Kind kind, const Shape& shape,
                                         const std::vector<Range>& ranges, char* part) {
  const std::size_t row_bytes = shape[1] * size_of(kind),
                    most = std::max<std::size_t>(1, (std::size_t(8) << 20) / row_bytes);
  std::vector<char> room;
  std::exception_ptr failure;  // told when all have had their messages
  const auto try_rows = [&](std::size_t row, std::size_t rows, char* at) {
    if (failure) return;
    try {
      whole_->rows_of_entry(name, kind, shape, row, rows, at);
    } catch (...) {
      failure = std::current_exception();
    }
  };
  const auto each_piece = [&](const Range& of, const auto& f) {
    for (std::size_t row = of.first / shape[1], end = of.end / shape[1]; row < end; row += most)
      f(row, std::min(most, end - row));
  };
  const Range& own = ranges[std::size_t(ranks_.rank())];
  const auto own_at = [&](std::size_t row) { return part + (row - own.first / shape[1]) * row_bytes; };
  if (!whole_) {
    each_piece(own, [&](std::size_t row, std::size_t rows) {
      const Ranks::Message m{0, own_at(row), rows * row_bytes};
      loading_ ? ranks_.exchange({}, {m}) : ranks_.exchange({m}, {});
    });
  } else {
    each_piece(own, [&](std::size_t row, std::size_t rows) { try_rows(row, rows, own_at(row)); });
    for (int k = 1; k < ranks_.count(); ++k)
      each_piece(ranges[std::size_t(k)], [&](std::size_t row, std::size_t rows) {
        room.resize(rows * row_bytes);
        const Ranks::Message m{k, room.data(), room.size()};
        if (!loading_) ranks_.exchange({}, {m});
        try_rows(row, rows, room.data());
        if (loading_) ranks_.exchange({m}, {});
      });
  }
  on_first([&] {
    if (failure) std::rethrow_exception(failure);
  });
}

}  // namespace wavesim
