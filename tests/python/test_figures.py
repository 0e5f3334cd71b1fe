"""docs/figures.py: the tables of the documents are those of bench/results; a figure that differs, or is gone, is found."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parents[2]


POZZO = """wavesim 0.1.0 (abc), 2026-11-28, NVIDIA H200, compute capability 9.0, driver 13.0
table 2: 2048 x 2048 points; milliseconds, mean ± standard deviation of 7 runs
CPU with 1 thread
                       made, CPU         made, GPU            copied        solve, CPU        solve, GPU       total
case 1  paper    717.3399±0.0511                 -                 -   814.2865±0.1076   262.5792±0.1584   1794.2056
        ours      36.0000±0.1000                 -    26.0000±0.2000   506.0000±1.0000     1.5000±0.0010    569.5000
case 3  paper    406.4061±0.3489     0.0269±0.0002                 -   865.1089±1.0797   452.6854±0.2589   1724.4694
        ours      35.5000±0.1200     0.0700±0.0010                 -   470.1000±2.5000     1.4900±0.0030    507.1600
CPU with 16 threads; paper: serial
                       made, CPU         made, GPU            copied        solve, CPU        solve, GPU       total
case 3  paper    406.4061±0.3489     0.0269±0.0002                 -   865.1089±1.0797   452.6854±0.2589   1724.4694
        ours       3.6000±0.0900     0.0800±0.0020                 -    50.1000±0.5000     1.5000±0.0040     55.2800
figure 8: cases of table 1 over the size of the grid; milliseconds, means of 7 runs a case, of 3 from size 4096 on
paper: curves, without numbers
CPU with 16 threads
copy of 8192 x 8192 points on the GPU: 4100 GB/s
  size   made, CPU   made, GPU % of copy  solve, CPU  solve, GPU % of copy      to GPU      to CPU      case 1      case 2      case 3      case 4
   256      0.0700      0.0120       3.1      0.9000      0.1700       8.2      0.3100      0.3500      1.4500      1.4320      1.1520      1.1700
  8192     58.2000           -         -    812.0000           -         -           -           -           -           -           -           -
"""


def figures(tree, *options):
    done = subprocess.run([sys.executable, root / "docs" / "figures.py", "--root", tree, *options], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def change(path, old, new):
    text = path.read_text()
    assert old in text, (path, old)
    path.write_text(text.replace(old, new))


status, said = figures(root, "--check")
assert status == 0, said

with tempfile.TemporaryDirectory() as name:
    tree = pathlib.Path(name)
    shutil.copytree(root / "docs", tree / "docs", ignore=shutil.ignore_patterns("*.png"))
    shutil.copy(root / "README.md", tree)
    shutil.copytree(root / "bench" / "results", tree / "bench" / "results")
    page, steps = tree / "docs" / "performance.md", tree / "bench" / "results" / "h200" / "steps.txt"
    before = page.read_text()
    measured = re.search(r"^chebyshev, 1e-8 +(\S+ ms a step)", steps.read_text(), re.M)[1]
    shown = f"| {float(measured.split()[0]):.3f} (1, missed by "

    # A figure of the page that was never measured.
    change(page, shown, "| 0.680 (1, missed by ")
    status, said = figures(tree, "--check")
    assert status == 1 and "performance.md: steps differ" in said, (status, said)
    assert figures(tree) == (0, "docs/performance.md: wrote steps\n")
    assert page.read_text() == before

    # A new measurement.
    change(steps, measured, "0.9600 ms a step")
    assert figures(tree, "--check")[0] == 1
    assert figures(tree)[0] == 0 and "| 0.960 (1, missed by 60 %) |" in page.read_text()
    assert figures(tree, "--check")[0] == 0

    # Standard deviations and times over the size of the grid, which older files lack.
    papers, pozzo = tree / "docs" / "papers.md", tree / "bench" / "results" / "h200" / "papers_pozzo.txt"
    pozzo.write_text(POZZO)
    assert figures(tree) == (0, "docs/papers.md: wrote pozzo, pozzo_sizes\n")
    for row in ("| the paper, one core | 406.4061 ± 0.3489 | 0.0269 ± 0.0002 | 865.1089 ± 1.0797 | 452.6854 ± 0.2589 |",
                "| ours, one core | 35.5000 ± 0.1200 | 0.0700 ± 0.0010 | 470.1000 ± 2.5000 | 1.4900 ± 0.0030 |",
                "| ours, 16 cores | 3.6000 ± 0.0900 | 0.0800 ± 0.0020 | 50.1000 ± 0.5000 | 1.5000 ± 0.0040 |",
                "| 256² | 0.0700 | 0.0120 (3.1 %) | 0.900 | 0.170 (8.2 %) | 0.310 | 0.350 | 1.45 | 1.43 | 1.15 | 1.17 |",
                "| 8192² | 58.2 |  | 812 |  |  |  |  |  |  |  |", "![time over the size of the grid](pictures/papers_pozzo.svg)"):
        assert row + "\n" in papers.read_text(), (row, papers.read_text())
    assert figures(tree, "--check")[0] == 0
    pozzo.write_text(POZZO[: POZZO.index("   256 ")])
    status, said = figures(tree, "--check")
    assert status == 2 and "table pozzo_sizes" in said, (status, said)
    pozzo.write_text(POZZO)

    # A figure that is gone, a file that is gone, a table without a function, a mark without its end.
    change(steps.with_name("steps_others.txt"), "sine-transform, Courant number 10  ", "something else")
    status, said = figures(tree, "--check")
    assert status == 2 and "table speed" in said and "sine-transform, Courant number 10" in said, (status, said)
    steps.unlink()
    assert figures(tree, "--check")[0] == 2
    (tree / "docs" / "other.md").write_text("<!-- figures: nothing -->\n<!-- end of figures -->\n")
    assert "other.md: docs/figures.py has no such table" in figures(tree, "--check")[1]
    (tree / "docs" / "other.md").write_text("<!-- figures: steps -->\n")
    status, said = figures(tree, "--check")
    assert status == 2 and "without its" in said, (status, said)

# Tables whose files name the machine, the sizes and how many processes there were.
with tempfile.TemporaryDirectory() as name:
    tree = pathlib.Path(name)
    for folder in ("docs", "bench/results/cpu2", "bench/results/h200"):
        (tree / folder).mkdir(parents=True)
    results = root / "bench" / "results"
    for file in ("peers", "petsc", "steps"):
        text = (results / "cpu16" / f"{file}.txt").read_text()
        text = text.replace("Intel(R) Xeon(R) Processor, 16 threads", "AMD EPYC, 2 threads").replace("Intel(R) Xeon(R) Processor: 16 threads", "AMD EPYC: 2 threads")
        (tree / "bench/results/cpu2" / f"{file}.txt").write_text(text.replace("3.18.5, 16 processes", "3.22.1, 2 processes"))
    (tree / "bench/results/h200/right_sides.txt").write_text("""2026-11-30
grid 255^2     65025   324105       1      241.0      242.2       0.39       0.36          0.92
grid 255^2     65025   324105       5      235.0      242.2       4.00       2.00          0.50
1138_bus        1138     4054       5      209.0     1016.4       0.10       0.15          1.50
1138_bus        1138     4054      20      155.0     1016.4       0.30       0.60          2.00
""")
    (tree / "bench/results/h200/configs.txt").write_text("2026-11-30\n" + "".join(f"""--- {config}
done        {steps} steps in {seconds} s, 1 steps/s
time        assembly 0.01 s (3 %), solve 0.1 s (30 %), output 0.02 s (64 %), rest 0.035 s (4 %)
""" for config, steps, seconds in (("drum", 2000, 0.18), ("marmousi", 1650, 0.7), ("gulf", 292, 1.5))))
    (tree / "README.md").write_text("")
    page = tree / "docs" / "page.md"
    page.write_text("".join(f"<!-- figures: {table} -->\n<!-- end of figures -->\n" for table in ("peers_two", "steps_two", "right_sides_gpu", "configs")))
    assert figures(tree) == (0, "docs/page.md: wrote peers_two, steps_two, right_sides_gpu, configs\n")
    for row in ("Processor: AMD EPYC, 2 threads.", "The target is a step 3 times as fast as one of `cg`. Processor: AMD EPYC, 2 threads.",
                "From [h200/right_sides.txt](../bench/results/h200/right_sides.txt) (2026-11-30):",
                "| 1138_bus, 1138 rows | 1016 | 209 | 155 | 1.50 | 2.00 |", "| grid 255², 65025 rows | 242 | 235 |  | 0.500 |  |",
                "With 5 and 20 columns they are faster at once on 1138_bus.", "With none of these numbers of columns they are faster at once on grid 255².",
                "| `configs/drum.yaml` | 2000 | 0.180 | 0.100 | 0.0200 | 0.2, met |", "| `configs/gulf.yaml` | 292 | 1.50 | 0.100 | 0.0200 |  |"):
        assert row + "\n" in page.read_text(), (row, page.read_text())
    assert "| PETSc 3.22, 2 processes | 489 |" in page.read_text()
