"""bench/compare: finds a figure that is 5 % worse, one that is gone, and refuses another kind of machine."""

import pathlib
import subprocess
import sys
import tempfile

compare = pathlib.Path(__file__).parents[2] / "bench" / "compare"

HEADING = "wavesim 0.1.0 (abc), 2026-11-21, NVIDIA H200, compute capability 9.0, driver {driver}\n"
STORED = """double   4095  copy                                   0.1200 ms     2237 GB/s  100.0 % of copy
  a = 0.5, broadband right-hand side
double   4095  stencil: cg to 1e-8                    5.0000 ms     4000 GB/s   20 iterations, 0.2500 ms each
  a = 50, broadband right-hand side
double   4095  stencil: cg to 1e-8                   50.0000 ms     4000 GB/s  200 iterations, 0.2500 ms each
--- drum
done        2000 steps in 0.916 s, 2.18e+03 steps/s
"""


def run(new, *options, stored=HEADING.format(driver="13.0") + STORED):
    with tempfile.TemporaryDirectory() as folder:
        old_file, new_file = pathlib.Path(folder) / "old.txt", pathlib.Path(folder) / "new.txt"
        old_file.write_text(stored)
        new_file.write_text(new)
        done = subprocess.run([sys.executable, compare, old_file, new_file, *options], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr


def expect(status, words, answer):
    assert answer[0] == status, answer
    for word in words:
        assert word in answer[1], (word, answer)


same = HEADING.format(driver="14.1") + STORED
expect(0, ["4 figures", "0 of them"], run(same))
# The second of two equal lines, told apart by its heading; 4.9 % is allowed, 5.1 % is not.
expect(0, ["0 of them"], run(same.replace("50.0000 ms", "52.4500 ms")))
expect(1, ["worse", "a = 50", "0.05 -> 0.05255", "1 of them"], run(same.replace("50.0000 ms", "52.5500 ms")))
expect(0, ["0 of them"], run(same.replace("50.0000 ms", "52.5500 ms"), "--allow", "10"))
# A rate is worse when it falls, and better when it rises; the seconds beside it do not count.
expect(1, ["worse", "2180 -> 2050"], run(same.replace("0.916 s, 2.18e+03", "0.976 s, 2.05e+03")))
expect(0, ["better", "2180 -> 3000"], run(same.replace("0.916 s, 2.18e+03", "0.667 s, 3.00e+03")))
# Another unit of the same time.
expect(0, ["0 of them"], run(same.replace("0.1200 ms", "120.0 us")))
# What is not printed any more is no success; unless only a part was run.
fewer = "".join(line + "\n" for line in same.splitlines() if "copy  " not in line)
expect(1, ["gone", "copy"], run(fewer))
expect(0, ["0 of them"], run(fewer, "--part"))
# NaN and zero are no times.
expect(1, ["worse"], run(same.replace("5.0000 ms", "0.0000 ms", 1)))
# Columns of milliseconds under a heading: each of product, analysis and solve counts.
COLUMNS = """ vectors                         product    analysis       solve        both        GB/s
grid 4096^2, natural order: 16777216 rows, 50323456 entries of U, 8191 levels, longest row 3
       1  ours                    0.3109     26.6395      3.1812     29.8207    297.9943
       1  cuSPARSE                0.3785     38.4215     17.5877     56.0093           -
          128 bands; max |b - U x| / max |b|: 6.7e-16, cuSPARSE 7.8e-16
"""
columns = HEADING.format(driver="13.0") + COLUMNS
expect(0, ["6 figures", "0 of them"], run(columns, stored=columns))
expect(1, ["worse", "natural order", "1 ours | solve", "1 of them"], run(columns.replace("3.1812", "3.3500"), stored=columns))
expect(1, ["1 cuSPARSE | analysis", "1 of them"], run(columns.replace("38.4215", "41.0000"), stored=columns))
# A whole step of some Courant number is a figure; the line that says what a run is about is none.
steps = HEADING.format(driver="13.0") + """membrane: 8192 x 8192 cells, 9 steps of 0.00012 s (Courant number 1), crank-nicolson
explicit, Courant number 0.7                                 1.4900 ms a step   energy changes by 1.5e-06 of the first
"""
expect(0, ["1 figures"], run(steps, stored=steps))
expect(1, ["worse", "explicit, Courant number 0.7"], run(steps.replace("1.4900", "1.6000"), stored=steps))
# Not comparable: another machine, none at all, no figures.
expect(2, ["is from NVIDIA H200", "NVIDIA H100"], run(same.replace("H200", "H100")))
expect(2, ["which machine"], run(STORED))
expect(2, ["no figures"], run(same, stored=HEADING.format(driver="13.0")))


def folders(stored, new, *options):
    with tempfile.TemporaryDirectory() as name:
        sides = [pathlib.Path(name) / "old", pathlib.Path(name) / "new"]
        for side, files in zip(sides, (stored, new)):
            side.mkdir()
            for file, text in files.items():
                (side / file).write_text(text)
        done = subprocess.run([sys.executable, compare, *sides, *options], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr


# A file of a program of others, that does not say the machine, is of that of the folder.
peer = "4095  a = 0.5  PETSc, assembled    610.29 ms    20 iterations\n"
expect(0, ["1 figures of petsc.txt, 0"], folders({"ours.txt": same, "petsc.txt": peer}, {"ours.txt": same, "petsc.txt": peer}))
slower = peer.replace("610", "660")
expect(1, ["worse    petsc.txt"], folders({"ours.txt": same, "petsc.txt": peer}, {"ours.txt": same, "petsc.txt": slower}))
expect(2, ["is from NVIDIA H200"], folders({"ours.txt": same, "petsc.txt": peer}, {"ours.txt": same.replace("H200", "H100"), "petsc.txt": peer}))
expect(2, ["which machine"], folders({"petsc.txt": peer}, {"petsc.txt": peer}))
# A file without figures is said and left out; nothing but such is an error.
notes = HEADING.format(driver="13.0") + "a table of iterations\n"
expect(0, ["notes.txt holds no figures", "4 figures"], folders({"ours.txt": same, "notes.txt": notes}, {"ours.txt": same, "notes.txt": notes}))
expect(2, ["holds no figures"], folders({"notes.txt": notes}, {"notes.txt": notes}))
