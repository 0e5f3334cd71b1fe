#include "sim/input/hdf5_array.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <mutex>
#include <optional>

#include "kernels/backend/errors.hpp"
#include "sim/input/child_process.hpp"
#include "sim/input/hdf5_source.hpp"
#include "sim/input/text.hpp"

namespace wavesim {

namespace {

// The conversation. Here: file, dataset, "column" or nothing. There: "failed" and a sentence; or "array", rows, columns, dataset, and the
// bytes of the spacing or nothing. Here: the first row that is wanted, and the end. Then pieces take turns in the two halves of a mapping that both processes share: "ready" is
// answered by "taken", so that one half is filled while the other is copied. "done": the file is closed.

constexpr long piece = 1 << 19;  // numbers

/// Two pieces that both processes see.
class SharedPieces {
 public:
  SharedPieces() {
    void* const at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) throw std::bad_alloc();
    numbers_ = static_cast<double*>(at);
  }
  ~SharedPieces() { munmap(numbers_, bytes); }
  SharedPieces(const SharedPieces&) = delete;
  SharedPieces& operator=(const SharedPieces&) = delete;
  double* half(long turn) const { return numbers_ + turn % 2 * piece; }

 private:
  static constexpr std::size_t bytes = 2 * piece * sizeof(double);
  double* numbers_;
};

/// Numbers of the next piece, from number `first` on: whole rows before row `end`, or a part of one.
long piece_from(long first, long end, long columns) {
  if (columns > piece) return std::min(piece, columns - first % columns);
  return std::min(piece / columns * columns, end * columns - first);
}

/// A number from 0 on, or none.
std::optional<long> number_in(const std::string& said) {
  long n = 0;
  const auto [end, wrong] = std::from_chars(said.data(), said.data() + said.size(), n);
  if (wrong != std::errc() || n < 0 || n > (1L << 40)) return std::nullopt;
  return n;
}

template <class V>
std::string bytes_of(const V& v) {
  return {reinterpret_cast<const char*>(&v), sizeof v};
}

void hand_over(Connection& to, const SharedPieces& pieces, const Hdf5Source& source) {
  for (const std::string& text :
       {std::string("array"), std::to_string(source.rows()), std::to_string(source.columns()),
        source.dataset(), source.spacing() ? bytes_of(*source.spacing()) : ""})
    if (!to.send(text)) return;
  std::string wanted, end_of_wanted, taken;
  if (!to.receive(wanted) || !to.receive(end_of_wanted)) return;
  const long begin = number_in(wanted).value_or(0), end = number_in(end_of_wanted).value_or(0);
  long turn = 0;
  for (long first = begin * source.columns(), n = 0; first < end * source.columns(); first += n, ++turn) {
    if (turn >= 2 && !to.receive(taken)) return;
    ChildProcess::begin_piece();
    n = piece_from(first, end, source.columns());
    source.read(first, n, pieces.half(turn));
    if (!to.send("ready")) return;
  }
  for (long left = std::min(turn, 2L); left > 0; --left)
    if (!to.receive(taken)) return;
}

/// What the child does, as long as anybody asks.
void serve(Connection& to, const SharedPieces& pieces) {
  std::string file, dataset, form;
  while (to.receive(file) && to.receive(dataset) && to.receive(form)) {
    ChildProcess::begin_piece();
    try {
      hand_over(to, pieces, Hdf5Source(file, dataset, form == "column"));
      to.send("done");
    } catch (const InputError& e) {
      to.send("failed");
      to.send(e.what());
    } catch (const std::bad_alloc&) {
      to.send("failed");
      to.send(file + " needs more memory than is free to be read; write it again with smaller chunks");
    }
  }
}

class Reader {
 public:
  Reader() : child_([this](Connection& to) { serve(to, pieces_); }) {}

  Hdf5Array read(const std::string& file, const std::string& dataset, bool column, const RowChoice& choice) {
    Connection& child = child_.connection();
    if (!child.send(file) || !child.send(dataset) || !child.send(column ? "column" : "")) fail(file);
    expect("array", file);
    Hdf5Array a;
    a.rows = number(file);
    a.columns = number(file);
    std::string spacing;
    if (!child.receive(a.dataset) || !child.receive(spacing)) fail(file);
    if (spacing.size() == sizeof(double) * 2) {
      a.spacing.emplace();
      spacing.copy(reinterpret_cast<char*>(a.spacing->data()), spacing.size());
    }
    RowsOfArray rows = choice ? choice(a) : RowsOfArray{0, a.rows};
    rows = {std::clamp(rows.first, 0L, a.rows - 1), std::clamp(rows.end, 1L, a.rows)};
    a.first_row = rows.first;
    if (!child.send(std::to_string(rows.first)) || !child.send(std::to_string(rows.end))) fail(file);
    const long end = rows.end * a.columns;
    a.values.reserve(std::size_t((rows.end - rows.first) * a.columns));
    for (long first = rows.first * a.columns, turn = 0, n = 0; first < end; first += n, ++turn) {
      expect("ready", file);
      n = piece_from(first, rows.end, a.columns);
      a.values.insert(a.values.end(), pieces_.half(turn), pieces_.half(turn) + n);
      if (!child.send("taken")) fail(file);
    }
    expect("done", file);
    return a;
  }

 private:
  void expect(const std::string& word, const std::string& file) {
    std::string said;
    if (!child_.connection().receive(said)) fail(file);
    if (said == word) return;
    if (said != "failed" || !child_.connection().receive(said)) fail(file);
    throw InputError(said);
  }
  long number(const std::string& file) {
    std::string said;
    if (!child_.connection().receive(said)) fail(file);
    const std::optional<long> n = number_in(said);
    if (!n || *n < 1) fail(file);
    return *n;
  }
  [[noreturn]] void fail(const std::string& file) {
    const std::string death = child_.end().death;
    throw InputError(file + " is damaged: the HDF5 library died of it" +
                     (death.empty() ? "" : " (" + death + ")") + "; take another copy, or write it again");
  }

  SharedPieces pieces_;
  ChildProcess child_;
};

std::unique_ptr<Reader>& reader() {
  static std::unique_ptr<Reader> the;
  return the;
}

}  // namespace

void prepare_to_read_hdf5() {
  if (!reader()) reader() = std::make_unique<Reader>();
}

Hdf5Array read_hdf5_array(const std::filesystem::path& path, const std::string& dataset, const Where& where,
                          bool column, const RowChoice& rows) {
  const std::string name = path.string();
  std::error_code none;
  if (!std::filesystem::exists(path, none)) where.fail("there is no file " + name + elsewhere);
  static std::mutex one_at_a_time;  // ranks may be threads
  const std::lock_guard lock(one_at_a_time);
  prepare_to_read_hdf5();
  try {
    return reader()->read(name, dataset, column, rows);
  } catch (const InputError& e) {
    reader().reset();  // the child may have died, or be in the middle of the pieces
    where.fail(e.what());
  }
}

}  // namespace wavesim
