#include "output/pictures/vti_writer.hpp"

#include <filesystem>
#include <mutex>

#include "kernels/backend/errors.hpp"

#ifndef WAVESIM_HAVE_VTK

namespace wavesim {

std::unique_ptr<Writer> make_vti_writer() {
  throw InputError(
      "output.fields.formats: vti needs VTK, which this build is without; take vtkhdf, or install "
      "libvtk9-dev and build again");
}

}  // namespace wavesim

#else

#include <fmt/format.h>
#include <vtkDoubleArray.h>
#include <vtkErrorCode.h>
#include <vtkFieldData.h>
#include <vtkFloatArray.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkUnsignedCharArray.h>
#include <vtkXMLImageDataWriter.h>

#include "output/run/partial_file.hpp"
#include "output/run/paths.hpp"

namespace wavesim {

namespace {

namespace fs = std::filesystem;

/// The values of a plane as a VTK array that only looks at them.
vtkSmartPointer<vtkDataArray> array_of(const Plane& p) {
  vtkSmartPointer<vtkDataArray> array;
  if (p.values.single()) {
    const auto floats = p.values.as<float>();
    auto a = vtkSmartPointer<vtkFloatArray>::New();
    a->SetArray(const_cast<float*>(floats.data()), vtkIdType(floats.size()), 1);
    array = a;
  } else {
    const auto doubles = p.values.as<double>();
    auto a = vtkSmartPointer<vtkDoubleArray>::New();
    a->SetArray(const_cast<double*>(doubles.data()), vtkIdType(doubles.size()), 1);
    array = a;
  }
  array->SetName(p.quantity.c_str());
  return array;
}

class VtiWriter final : public Writer {
 public:
  void begin(const RunInfo& info) override {
    info_ = info;
    info_.rim = {};  // is not written: ranks need not keep it
    folder_ = info.name + "_vti";
    const std::string folder = (fs::path(info.directory) / folder_).string();
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) fail_to_write(folder, error.message());
    write_collection();
  }

  void resume(const RunInfo& info, long step, Archive& saved) override {
    saved.text("entries", entries_);
    begin(info);
    remove_later_files((fs::path(info.directory) / folder_).string(), info.name, ".vti", step);
  }
  void save(Archive& a) override { a.text("entries", entries_); }
  std::string name() const override { return "vti"; }

  void frame(const Frame& f) override {
    static std::mutex one_at_a_time;  // VTK makes its objects by tables of the whole process
    const std::lock_guard lock(one_at_a_time);
    const std::string name = folder_ + "/" + step_name(info_, f.step, ".vti");
    const std::string path = (fs::path(info_.directory) / name).string(), temporary = path + ".partial";
    vtkNew<vtkImageData> image;
    image->SetDimensions(int(info_.nx), int(info_.ny), 1);
    image->SetOrigin(info_.origin[0], info_.origin[1], 0);
    image->SetSpacing(info_.spacing[0], info_.spacing[1], 1);
    for (const Plane& p : f.planes) image->GetPointData()->AddArray(array_of(p));
    for (const Plane& p : info_.once) image->GetPointData()->AddArray(array_of(p));
    if (!info_.inside.empty()) {
      vtkNew<vtkUnsignedCharArray> inside;
      inside->SetName("inside");
      inside->SetArray(const_cast<std::uint8_t*>(info_.inside.as<std::uint8_t>().data()),
                       vtkIdType(info_.inside.size()), 1);
      image->GetPointData()->AddArray(inside);
    }
    if (!f.planes.empty()) image->GetPointData()->SetActiveScalars(f.planes.front().quantity.c_str());
    add_scalar(image, "step", double(f.step));
    add_scalar(image, "iterations", double(f.iterations));
    add_scalar(image, "residual", f.residual);
    add_scalar(image, "energy", f.energy);

    vtkNew<vtkXMLImageDataWriter> writer;
    writer->SetInputData(image);
    writer->SetFileName(temporary.c_str());
    writer->SetDataModeToAppended();
    writer->EncodeAppendedDataOff();
    writer->SetHeaderTypeToUInt64();
    if (info_.compression > 0)
      writer->SetCompressionLevel(info_.compression);
    else
      writer->SetCompressorTypeToNone();
    vtkObject::GlobalWarningDisplayOff();  // a failure is one sentence of ours
    if (writer->Write() == 0) {
      std::error_code ignored;
      fs::remove(temporary, ignored);
      fail_to_write(path, vtkErrorCode::GetStringFromErrorCode(writer->GetErrorCode()));
    }
    rename_file(temporary, path, sync());
    entries_ += fmt::format("    <DataSet timestep=\"{}\" file=\"{}\"/>\n", f.time, name);
    write_collection();
  }

  std::vector<std::string> files() const override { return {result_file(info_, ".pvd")}; }

 private:
  static void add_scalar(vtkImageData* image, const char* name, double value) {
    vtkNew<vtkDoubleArray> a;
    a->SetName(name);
    a->InsertNextValue(value);
    image->GetFieldData()->AddArray(a);
  }

  Sync sync() const { return info_.durable ? Sync::now : Sync::later; }
  /// The list of frames, rewritten whole after each: never names a file that is not complete.
  void write_collection() const {
    replace_file(result_file(info_, ".pvd"),
                 "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n  <Collection>\n" +
                     entries_ + "  </Collection>\n</VTKFile>\n",
                 sync());
  }

  RunInfo info_;
  std::string folder_, entries_;
};

}  // namespace

std::unique_ptr<Writer> make_vti_writer() { return std::make_unique<VtiWriter>(); }

}  // namespace wavesim

#endif
