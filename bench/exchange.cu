// bench_exchange [--gpus N] [--repetitions K]: what an exchange of ghost rows, a sum over all rows, and bringing each GPU all rows
// take on N GPUs of one host (2): by kernels that write to the other GPUs, and through NCCL. Microseconds of one of K in a row (1000),
// launches included; bytes are those that go to each neighbour. The status is 1 where a rank gets other rows or another sum than
// there are.

#include <cstdio>

#include "bench/program.hpp"
#include "bench/timing.hpp"
#include "kernels/backend/backend.hpp"
#include "kernels/comm/forked_ranks.hpp"
#include "kernels/comm/nccl_rows.hpp"
#include "kernels/comm/peer_rows.hpp"
#include "kernels/comm/row_share.hpp"
#include "kernels/memory/field.hpp"

namespace wavesim {

namespace {

using Doubles = Buffer<Backend, double>;

double number_of(int field, int row, int col, double turn) { return turn + 1e-2 * field + row + 1e-6 * col; }

class Bench {
 public:
  Bench(Ranks& ranks, int repetitions) : ranks_(ranks), repetitions_(repetitions) {}

  void rows(const char* way, SharedRows& shared, int side, int depth, int fields) {
    const Extent e = share_of(make_extent(side, side), ranks_.rank(), ranks_.count());
    const std::size_t count = elements_of_field(e);
    std::vector<Doubles> memory;
    std::vector<RowsInMemory> all;
    for (int f = 0; f < fields; ++f) {
      memory.emplace_back(be_, count);
      all.push_back({memory.back().data() + e.pitch, std::size_t(e.pitch) * sizeof(double)});
    }
    double turn = 0;
    const auto write = [&] {
      ++turn;
      for (int f = 0; f < fields; ++f)
        for (const int row : rows_of(e, depth, false))
          put(memory[std::size_t(f)], e, row, [&](int col) { return number_of(f, row, col, turn); });
    };
    for (int k = 0; k < 3; ++k) {
      write();
      shared.fetch_ghosts(e, depth, all);
      for (int f = 0; f < fields; ++f)
        for (const int row : rows_of(e, depth, true)) {
          const std::vector<double> got = line(memory[std::size_t(f)], e, row);
          for (int col = 0; col < e.nx; ++col)
            right_ = right_ && got[std::size_t(col)] == number_of(f, row, col, turn);
        }
    }
    const double bytes = double(fields) * depth * e.pitch * sizeof(double);
    report(way, "ghost rows", side, depth, fields, bytes, [&] { shared.fetch_ghosts(e, depth, all); });
  }
  /// All rows of a field on each rank: three times other values, then the time.
  void all_rows(const char* way, SharedRows& shared, int side) {
    const Extent e = make_extent(side, side);
    const std::vector<int> start = first_rows_of_ranks(e, ranks_.count());
    Doubles memory(be_, elements_of_field(e));
    const RowsInMemory field{memory.data() + e.pitch, std::size_t(e.pitch) * sizeof(double)};
    const int first = start[std::size_t(ranks_.rank())], end = start[std::size_t(ranks_.rank()) + 1];
    for (int turn = 1; turn <= 3; ++turn) {
      for (int row = first; row < end; row += side / 64)
        put(memory, e, row, [&](int col) { return number_of(0, row, col, turn); });
      shared.fetch_all(start, {&field, 1});
      for (std::size_t k = 0; k + 1 < start.size(); ++k)
        for (int row = start[k]; row < start[k + 1]; row += side / 64) {
          const std::vector<double> got = line(memory, e, row);
          for (int col = 0; col < e.nx; ++col)
            right_ = right_ && got[std::size_t(col)] == number_of(0, row, col, turn);
        }
    }
    report(way, "all rows", side, side, 1, double(end - first) * double(field.pitch), [&] {
      shared.fetch_all(start, {&field, 1});
    });
  }
  /// A sum over a field with rows of few columns, of as many bands as a large one has: its launches and what ranks wait for.
  void sums(const char* way, SharedRows& shared) {
    const Extent e = share_of(make_extent(128, 8192), ranks_.rank(), ranks_.count());
    be_.share(&shared);
    Field<Backend, double> ones(be_, e);
    ones.upload_own_rows(
        std::vector<double>(std::size_t(e.end_own() - e.first_own) * std::size_t(e.pitch), 1.0).data());
    Buffer<Backend, Norms> sum(be_, 1);
    const auto work = [&] { be_.map_sum("sum", e, sum.data(), NormsOf{}, NoEpilogue{}, ones.in()); };
    for (int turn = 0; turn < 3; ++turn) {
      work();
      right_ = right_ && sum.download()[0].squares == double(e.pitch) * e.ny;
    }
    report(way, "a sum", 128, 1, 1, 8, work);
    be_.share(nullptr);
  }
  bool right() { return !ranks_.any<1>({!right_})[0]; }
  Backend& backend() { return be_; }

 private:
  static std::vector<int> rows_of(const Extent& e, int depth, bool ghosts) {
    std::vector<int> rows;
    for (int k = 0; k < depth; ++k) {
      if (e.first_own > 0) rows.push_back(ghosts ? e.first_own - 1 - k : e.first_own + k);
      if (e.end_own() < e.ny) rows.push_back(ghosts ? e.end_own() + k : e.end_own() - 1 - k);
    }
    return rows;
  }
  template <class F>
  void put(Doubles& memory, const Extent& e, int row, const F& f) {
    std::vector<double> values;
    for (int col = 0; col < e.nx; ++col) values.push_back(f(col));
    check(cudaMemcpyAsync(memory.data() + std::size_t(row + 1) * std::size_t(e.pitch), values.data(),
                          values.size() * 8, cudaMemcpyHostToDevice, be_.stream()));
    be_.synchronize();
  }
  std::vector<double> line(Doubles& memory, const Extent& e, int row) {
    std::vector<double> values(std::size_t(e.nx), 0.0);
    check(cudaMemcpyAsync(values.data(), memory.data() + std::size_t(row + 1) * std::size_t(e.pitch),
                          values.size() * 8, cudaMemcpyDeviceToHost, be_.stream()));
    be_.synchronize();
    return values;
  }
  template <class Work>
  void report(const char* way, const char* what, int side, int count, int fields, double bytes,
              const Work& work) {
    const double seconds = median_seconds<Backend>(
        be_, 5,
        [&] {
          for (int k = 0; k < repetitions_; ++k) work();
        },
        [&] { ranks_.all_of(0); });
    if (ranks_.rank() == 0)
      std::printf("%-8s %-11s %6d columns, %3d x %d, %9.0f bytes: %7.2f us\n", way, what, side, count, fields,
                  bytes, 1e6 * seconds / repetitions_);
  }

  Ranks& ranks_;
  const int repetitions_;
  Backend be_;
  bool right_ = true;
};

int run(Ranks& ranks, int repetitions) {
  check(cudaSetDevice(ranks.rank()));
  if (ranks.rank() == 0) print_heading(cuda_facts().front());
  Bench bench(ranks, repetitions);
  struct Way {
    const char* name;
    std::unique_ptr<SharedRows> shared;
  } ways[] = {{"kernels", make_peer_rows(ranks, bench.backend().stream())},
              {"nccl", make_nccl_rows(ranks, bench.backend().stream())}};
  for (const Way& way : ways) {
    if (!way.shared) {
      if (ranks.rank() == 0) std::printf("%s: not on these GPUs, or not in this build\n", way.name);
      continue;
    }
    for (const int side : {1024, 4097, 8193, 20000})
      for (const int depth : {1, 10}) bench.rows(way.name, *way.shared, side, depth, depth == 1 ? 1 : 2);
    bench.rows(way.name, *way.shared, 20000, 32, 3);  // in several pieces
    bench.sums(way.name, *way.shared);
    for (const int side : {1023, 2047}) bench.all_rows(way.name, *way.shared, side);
  }
  const bool right = bench.right();
  if (ranks.rank() == 0) std::printf("rows and sums: %s\n", right ? "those of the neighbours" : "WRONG");
  return right ? 0 : 1;
}

}  // namespace

}  // namespace wavesim

int main(int argc, char** argv) {
  using namespace wavesim;
  int gpus = 2, repetitions = 1000;
  for (int k = 1; k + 1 < argc; k += 2)
    (std::string(argv[k]) == "--gpus" ? gpus : repetitions) = CommandLine::whole(argv[k + 1], argv[k]);
  const std::unique_ptr<ProcessRanks> ranks = fork_ranks(gpus, {});
  int status = 5;
  try {
    status = run(*ranks, repetitions);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_exchange: %s\n", e.what());
  }
  return ranks->end(status, 10).status;
}
