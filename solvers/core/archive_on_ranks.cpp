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
  if (!whole_) {
    each_piece(kind, shape, ranges[std::size_t(ranks_.rank())], [&](const Range& piece) {
      char* const at = static_cast<char*>(part) + (piece.first - first) * size_of(kind);
      const Ranks::Message m{0, at, (piece.end - piece.first) * size_of(kind)};
      loading_ ? ranks_.exchange({}, {m}) : ranks_.exchange({m}, {});
    });
    return on_first([] {});
  }
  std::exception_ptr failure;  // told when all have had their messages
  const auto try_rows = [&](std::size_t row, std::size_t rows, char* at) {
    if (failure || rows == 0) return;
    try {
      whole_->rows_of_entry(name, kind, shape, row, rows, at);
    } catch (...) {
      failure = std::current_exception();
    }
  };
  loading_ ? load_pieces(kind, shape, ranges, static_cast<char*>(part), try_rows)
           : save_pieces(kind, shape, ranges, static_cast<char*>(part), try_rows);
  on_first([&] {
    if (failure) std::rethrow_exception(failure);
  });
}

/// f(range) for pieces of some megabytes, of whole rows but for the ends of `all`.
template <class F>
void ArchiveOnRanks::each_piece(Kind kind, const Shape& shape, const Range& all, const F& f) {
  const std::size_t columns = shape[1],
                    most = std::max<std::size_t>(1, (std::size_t(8) << 20) / (columns * size_of(kind)));
  for (std::size_t at = all.first, next; at < all.end; at = next) {
    next = std::min(all.end, (at / columns + most) * columns);
    f(Range{at, next});
  }
}

/// Whole rows are written from where they lie, and what is left of one is kept until the next rank has the rest.
template <class TryRows>
void ArchiveOnRanks::save_pieces(Kind kind, const Shape& shape, const std::vector<Range>& ranges, char* own,
                                 const TryRows& try_rows) {
  const std::size_t size = size_of(kind), row_bytes = shape[1] * size;
  std::vector<char> kept, room;
  std::size_t row = 0;
  const auto write = [&](char* from, std::size_t bytes) {
    if (!kept.empty()) {
      const std::size_t more = std::min(bytes, row_bytes - kept.size());
      kept.insert(kept.end(), from, from + more);
      from += more, bytes -= more;
      if (kept.size() < row_bytes) return;
      try_rows(row++, 1, kept.data());
      kept.clear();
    }
    const std::size_t rows = bytes / row_bytes;
    try_rows(row, rows, from);
    row += rows;
    kept.assign(from + rows * row_bytes, from + bytes);
  };
  for (std::size_t k = 0; k < ranges.size(); ++k)
    each_piece(kind, shape, ranges[k], [&](const Range& piece) {
      const std::size_t bytes = (piece.end - piece.first) * size;
      if (k == 0) return write(own + (piece.first - ranges[0].first) * size, bytes);
      room.resize(bytes);
      ranks_.exchange({}, {{int(k), room.data(), bytes}});
      write(room.data(), bytes);
    });
  if (!kept.empty()) write(std::string(row_bytes - kept.size(), '\0').data(), row_bytes - kept.size());
}

template <class TryRows>
void ArchiveOnRanks::load_pieces(Kind kind, const Shape& shape, const std::vector<Range>& ranges, char* own,
                                 const TryRows& try_rows) {
  const std::size_t size = size_of(kind), columns = shape[1];
  std::vector<char> room;
  for (std::size_t k = 0; k < ranges.size(); ++k)
    each_piece(kind, shape, ranges[k], [&](const Range& piece) {
      const std::size_t row = piece.first / columns, rows = (piece.end + columns - 1) / columns - row,
                        bytes = (piece.end - piece.first) * size;
      if (k == 0 && bytes == rows * columns * size)
        return try_rows(row, rows, own + (piece.first - ranges[0].first) * size);
      room.resize(rows * columns * size);
      try_rows(row, rows, room.data());
      char* const from = room.data() + (piece.first - row * columns) * size;
      if (k == 0)
        std::copy_n(from, bytes, own + (piece.first - ranges[0].first) * size);
      else
        ranks_.exchange({{int(k), from, bytes}}, {});
    });
}

}  // namespace wavesim
