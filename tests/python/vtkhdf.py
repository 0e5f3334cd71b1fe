"""A .vtkhdf file through VTK's own reader."""

from small_run import NX, NY, plane, skip, time

try:
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as Pipeline
    from vtkmodules.vtkIOHDF import vtkHDFReader
except ImportError as e:
    skip(str(e))


def check(path, finished, newest_without_time=None):
    """The first `finished` frames have the right times and values. `newest_without_time`: the last of the frames whose number a kill has
    left in the file without their times. VTK takes these for 0; its search in times that do not rise then shows that frame at the times
    of others."""
    reader = vtkHDFReader()
    assert reader.CanReadFile(path), path
    reader.SetFileName(path)
    reader.UpdateInformation()
    information = reader.GetOutputInformation(0)
    times = information.Get(Pipeline.TIME_STEPS())
    assert len(times) >= max(finished, 2), (path, len(times), finished)
    for n in range(finished):
        assert times[n] == time(n), (path, n, times[n])
        reader.UpdateTimeStep(times[n])
        image = reader.GetOutputDataObject(0)
        shown = n if newest_without_time is None else int(image.GetFieldData().GetArray("energy").GetValue(0)) - 7
        assert shown in (n, newest_without_time), (path, n, shown)
        assert image.GetDimensions() == (NX, NY, 1), path
        assert image.GetOrigin() == (-1, 0, 0) and image.GetSpacing() == (0.5, 1, 1), path
        for name, sign in (("displacement", 1), ("velocity", -1)):
            array = image.GetPointData().GetArray(name)
            assert array is not None, (path, n, name)
            assert vtk_to_numpy(array).reshape(NY, NX).tolist() == plane(shown, sign), (path, n, name)
        assert vtk_to_numpy(image.GetPointData().GetArray("speed")).tolist() == [3.0] * (NX * NY), path
        assert image.GetFieldData().GetArray("energy").GetValue(0) == 7 + shown, path
