#include <gtest/gtest.h>

#include <cmath>

#include "kernels/backend/errors.hpp"
#include "output/run/history_writer.hpp"
#include "output/run/receiver_writer.hpp"
#include "tests/output/fresh_folder.hpp"
#include "tests/output/small_run.hpp"

namespace wavesim::testing {
namespace {

TEST(ReceiverCsv, HasAColumnForEachReceiverAndDigitsThatReadBackTheSame) {
  const FreshFolder folder;
  RunInfo info = small_info(folder.path, 2);
  info.receivers[0].name = "rim, left";
  const auto writer = make_receiver_writer();
  writer->begin(info);
  writer->sample({3, 0.1, {1.0 / 3, -2e-300}});
  writer->finish({});
  EXPECT_EQ(content(folder.path / "small_receivers.csv"),
            "step,time,\"rim, left\",line[0]\n3,0.1,0.3333333333333333,-2e-300\n");
}

TEST(HistoryCsv, LeavesCellsEmptyWhereNoEnergyWasDue) {
  const FreshFolder folder;
  const auto writer = make_history_writer();
  writer->begin(small_info(folder.path, 2));
  StepRecord r = small_record(2);
  r.energy = std::nan("");
  writer->step(r);
  writer->finish({});
  EXPECT_EQ(content(folder.path / "small_history.csv"),
            "step,time,iterations,residual_2,residual_max,status,energy,assembly_seconds,solve_seconds\n"
            "2,0.05,2,1e-07,2e-07,converged,,0.001,0.002\n");
}

TEST(Csv, IsCalledPartialUntilTheRunEnds) {
  const FreshFolder folder;
  {
    const auto writer = make_history_writer();
    writer->begin(small_info(folder.path, 2));
    writer->step(small_record(1));
  }  // a run that ends without finish
  EXPECT_FALSE(std::filesystem::exists(folder.path / "small_history.csv"));
  EXPECT_NE(content(folder.path / "small_history.csv.partial").find("\n1,0.025,1,"), std::string::npos);
}

TEST(Csv, NamesTheFileThatCannotBeWritten) {
  const FreshFolder folder;
  try {
    make_history_writer()->begin(small_info(folder.path / "absent", 2));
    FAIL() << "written into a folder that is not there";
  } catch (const OutputError& e) {
    EXPECT_NE(std::string(e.what()).find("small_history.csv: No such file"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace wavesim::testing
