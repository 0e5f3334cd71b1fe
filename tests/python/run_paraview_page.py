"""run_paraview_page.py PAGE FOLDER: the Python blocks of a page as one script, in a folder where results/drum is FOLDER; run by pvbatch.

What the page reads at a point is what the run's receiver there recorded; each picture it names is made and is no empty paper.
"""

import csv
import os
import pathlib
import re
import sys
import tempfile

page, folder = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
if not (folder / "drum.pvd").exists():
    print("skipped: this build writes no .pvd (it is without VTK)")
    sys.exit(77)
text = page.read_text()
script = "".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
shown = re.findall(r'src="pictures/(.*?)"', text)
assert len(shown) >= 5, shown

with tempfile.TemporaryDirectory() as work:
    os.chdir(work)
    os.makedirs("results")
    os.symlink(folder, "results/drum")
    page_names = {}
    exec(compile(script, str(page), "exec"), page_names)

    from paraview import servermanager
    from vtkmodules.vtkIOImage import vtkPNGReader

    def darkest_and_lightest(name):
        reader = vtkPNGReader()
        reader.SetFileName(name)
        reader.Update()
        return reader.GetOutput().GetScalarRange()

    for name in shown:
        assert os.path.exists(name), f"{name} is not made; there are {sorted(os.listdir())}"
        low, high = darkest_and_lightest(name)
        assert low < 128 and high == 255, f"{name}: {low} to {high}"

    def displacement(source):
        source.UpdatePipeline(0.002)
        return servermanager.Fetch(source).GetPointData().GetArray("displacement")

    with open("results/drum/drum_receivers.csv") as table:
        recorded = next(float(row["middle"]) for row in csv.DictReader(table) if abs(float(row["time"]) - 0.002) < 1e-9)
    probed = displacement(page_names["point"]).GetValue(0)
    assert recorded != 0 and abs(probed - recorded) < 1e-6 * abs(recorded), (probed, recorded)
    along = displacement(page_names["line"])
    assert abs(along.GetValue(along.GetNumberOfTuples() // 2) - recorded) < 1e-3 * abs(recorded), "the line's middle"
print("ran the page:", len(shown), "pictures")
