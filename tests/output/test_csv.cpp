#include <gtest/gtest.h>

#include <cerrno>
#include <cmath>
#include <cstring>

#include "kernels/backend/errors.hpp"
#include "output/run/history_writer.hpp"
#include "output/run/partial_file.hpp"
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
            "step,time,iterations,residual_2,residual_max,residual_recurrence,status,energy,assembly_seconds,"
            "solve_seconds\n"
            "2,0.05,2,1e-07,2e-07,3e-07,converged,,0.001,0.002\n");
}

TEST(HistoryCsv, NamesTheSolverOfEachStepAndWhyOthersFailed) {
  const FreshFolder folder;
  const auto writer = make_history_writer();
  RunInfo info = small_info(folder.path, 2);
  info.solvers = {"jacobi", "cg+ic0"};
  writer->begin(info);
  StepRecord r = small_record(2);
  r.solver = 1;
  r.failures = "max-iterations";
  writer->step(r);
  writer->finish({});
  const std::string text = content(folder.path / "small_history.csv");
  EXPECT_NE(text.find(",solve_seconds,solver,failures\n"), std::string::npos) << text;
  EXPECT_NE(text.find(",0.002,cg+ic0,max-iterations\n"), std::string::npos) << text;
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

TEST(Csv, AdviceFitsTheReason) {
  const auto of = [](int error) { return remedy_for(std::string("close: ") + std::strerror(error)); };
  for (const int full : {ENOSPC, EDQUOT, EFBIG}) EXPECT_NE(of(full).find("free space"), std::string::npos);
  for (const int denied : {EACCES, EROFS}) EXPECT_NE(of(denied).find("allow writing"), std::string::npos);
  EXPECT_NE(of(ENOENT).find("make its folder"), std::string::npos);
  EXPECT_EQ(of(EIO), "write elsewhere (--output), and run again");
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
