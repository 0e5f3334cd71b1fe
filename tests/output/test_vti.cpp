#include <gtest/gtest.h>

#include <memory>

#include "kernels/backend/errors.hpp"
#include "output/pictures/vti_writer.hpp"
#include "tests/output/fresh_folder.hpp"
#include "tests/output/small_run.hpp"

#ifdef WAVESIM_HAVE_VTK
#include <vtkDataArray.h>
#include <vtkFieldData.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkXMLImageDataReader.h>
#endif

namespace wavesim::testing {
namespace {

#ifdef WAVESIM_HAVE_VTK

TEST(Vti, IsReadBackByVtk) {
  const FreshFolder folder;
  const auto writer = make_vti_writer();
  writer->begin(small_info(folder.path, 3));
  for (long n = 0; n < 3; ++n) writer->frame(small_frame(n));
  writer->finish({});
  for (long n = 0; n < 3; ++n) {
    vtkNew<vtkXMLImageDataReader> reader;
    reader->SetFileName((folder.path / "small_vti" / ("small_0000" + std::to_string(n) + "0.vti")).c_str());
    reader->Update();
    vtkImageData* image = reader->GetOutput();
    const int* dims = image->GetDimensions();
    ASSERT_TRUE(dims[0] == small_nx && dims[1] == small_ny && dims[2] == 1) << n;
    EXPECT_EQ(image->GetOrigin()[0], -1);
    EXPECT_EQ(image->GetSpacing()[0], 0.5);
    vtkDataArray* u = image->GetPointData()->GetArray("displacement");
    ASSERT_NE(u, nullptr);
    for (long iy = 0; iy < small_ny; ++iy)
      for (long ix = 0; ix < small_nx; ++ix)
        EXPECT_EQ(u->GetTuple1(iy * small_nx + ix), small_value(n, ix, iy));
    EXPECT_EQ(image->GetPointData()->GetArray("speed")->GetTuple1(3), 3.0);
    EXPECT_EQ(image->GetFieldData()->GetArray("energy")->GetTuple1(0), 7.0 + double(n));
  }
}

/// Of a run on several ranks it stays in the memory of all until the first one lets it go.
TEST(Vti, KeepsNoRim) {
  const FreshFolder folder;
  RunInfo info = small_info(folder.path, 3);
  info.rim = std::vector<float>(small_nx * small_ny, 1.0f);
  const std::weak_ptr<const PendingCopy> rim = info.rim.source();
  const auto writer = make_vti_writer();
  writer->begin(info);
  info = {};
  EXPECT_TRUE(rim.expired());
}

TEST(Vti, SeriesNamesOnlyCompleteFilesAfterEveryFrame) {
  const FreshFolder folder;
  const auto writer = make_vti_writer();
  writer->begin(small_info(folder.path, 3));
  EXPECT_EQ(content(folder.path / "small.pvd").find("DataSet"), std::string::npos);
  writer->frame(small_frame(0));
  writer->frame(small_frame(1));
  const std::string pvd = content(folder.path / "small.pvd");
  EXPECT_NE(pvd.find("timestep=\"0.25\" file=\"small_vti/small_000010.vti\""), std::string::npos) << pvd;
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path / "small_vti"), {}), 2);
}

TEST(Vti, NamesTheFileThatCannotBeWritten) {
  const FreshFolder folder;
  const auto writer = make_vti_writer();
  writer->begin(small_info(folder.path, 3));
  std::filesystem::remove_all(folder.path / "small_vti");
  try {
    writer->frame(small_frame(0));
    FAIL() << "written into a folder that is not there";
  } catch (const OutputError& e) {
    EXPECT_NE(std::string(e.what()).find("small_000000.vti"), std::string::npos) << e.what();
  }
}

#else

TEST(Vti, IsRefusedInABuildWithoutVtk) {
  try {
    make_vti_writer();
    FAIL() << "made a writer without VTK";
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("libvtk9-dev"), std::string::npos);
  }
}

#endif

}  // namespace
}  // namespace wavesim::testing
