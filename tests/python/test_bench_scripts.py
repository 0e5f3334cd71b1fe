"""Scripts of bench/ whose results the documents show: they run on small systems, say what they could not measure, and docs/figures.py
reads what they print. test_bench_scripts.py BUILD"""

import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
root, build = pathlib.Path(__file__).resolve().parents[2], pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(root / "docs"))
from figure_tables import TABLES, Missing  # noqa: E402


def run(*words):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True)


def rows_of(table, text):
    return TABLES[table][1](text.splitlines())


def starts_with_date_and_version(text):
    lines = text.splitlines()
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", lines[0]) and lines[1].startswith("wavesim ") and any(line.startswith("cpu ") for line in lines[:5]), text


def right_sides(folder):
    out = folder / "right_sides.txt"
    done = run(root / "bench/right_sides", build, "grid:15", folder / "none.mtx", "--columns", "1,3,10", "--repeat", "1", "--out", out)
    assert done.returncode == 1 and "none: there is no such file" in done.stderr, done
    assert out.read_text() == done.stdout
    starts_with_date_and_version(done.stdout)
    found = re.findall(r"^grid 15\^2 +225 +1065 +(\d+) +(\S+) +(\S+) +(\S+) +(\S+) +(\S+)$", done.stdout, re.M)
    assert [int(cells[0]) for cells in found] == [1, 3, 10], done.stdout
    alone, block = float(found[0][2]), float(found[1][1])
    assert 10 < block < alone, done.stdout  # a block looks for solutions in more directions
    rows = rows_of("right_sides", done.stdout)
    assert rows[0][1:4] == ["iterations one by one", "3 at once", "10 at once"] and rows[1][:2] == ["grid 15², 225 rows", f"{alone:.0f}"], rows
    # an indefinite matrix is not solved, and no figure is made of it
    bad = folder / "bad.mtx"
    bad.write_text("%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 1\n2 1 3\n2 2 1\n")
    done = run(root / "bench/right_sides", build, bad, "--columns", "2", "--repeat", "1")
    assert done.returncode == 1 and "bad: " in done.stderr and "\nbad" not in done.stdout, done
    assert run(root / "bench/right_sides", build, bad, "--columns", "0").returncode == 2


def match(folder):
    (folder / "mcca.mtx").write_text("%%MatrixMarket matrix coordinate real general\n2 2 3\n1 2 2\n2 1 3\n2 2 1\n")
    done = run(root / "bench/match", build, folder)
    assert done.returncode == 1 and "no west0067.mtx" in done.stderr, done
    starts_with_date_and_version(done.stdout)
    cells = next(line for line in done.stdout.splitlines() if line.startswith("mcca")).split()
    assert len(cells) == 6 and cells[3] == "refused" and cells[4].isdigit(), cells  # ilu0, before and after --match: the diagonal has a zero
    assert rows_of("match", done.stdout)[-1][0] == "mcca"


def modes(folder):
    out = folder / "modes.txt"
    done = run(root / "bench/modes", build, "--cells", "24,32", "--out", out)
    assert done.returncode == 0 and out.read_text() == done.stdout, done
    starts_with_date_and_version(done.stdout)
    rows = rows_of("modes", done.stdout)
    assert rows[0][1:] == ["24 x 24 cells", "32 x 32 cells"] and [row[0] for row in rows[1:7]] == [
        "`direct`", "`multigrid`", "`ic0`", "`sine-transform`", "`jacobi`", "`none`"], rows
    assert re.fullmatch(r"\d+ \(\S+ s\)", rows[1][2]) and rows[3][2] == "", rows


def study(folder):
    words = ["--device", "cpu", "--output", folder, "--set", "study.sweep={courant: [1, 14], cells: [24, 32]}", "--set", "study.repetitions=1"]
    done = run(build / "wavesim", "study", root / "bench/study_cusparse.yaml", *words)
    assert done.returncode == 0, done
    try:
        rows_of("study_cusparse", done.stdout)
        assert False, "no figure of cusparse on a CPU"
    except Missing as why:
        assert "cg on cusparse" in str(why), why
    text = done.stdout  # beside a product as long as that of csr
    for method in ("cg", "bicgstab"):
        points = iter(re.findall(rf"^  {method} csr  .*$", done.stdout, re.M))
        text = re.sub(rf"^  {method} cusparse .*$", lambda _: next(points).replace("csr  ", "cusparse  "), text, flags=re.M)
    rows = rows_of("study_cusparse", text)
    assert rows[0][1:] == [f"{n}² cells, Courant number {courant}" for n in (24, 32) for courant in (1, 14)], rows
    assert [row[0] for row in rows[1:11] if row] == [f"`{method}` on `{name}`" for method in ("cg", "bicgstab")
                                                     for name in ("csr", "csr-merge", "ellpack-r", "cusparse", "stencil")], rows
    first = re.search(r"^  cg csr  +(\S+) (us|ms) +\S+ +\S+ +(\S+) ", text, re.M)
    ms, iterations = rows[1][1].split()
    assert abs(float(ms) / (float(first[1]) * {"us": 1e-3, "ms": 1}[first[2]]) - 1) < 0.01 and iterations == f"({first[3]})", (first, rows[1])
    assert rows[4][1:] == rows[1][1:] and "takes 1.00 to 1.00 of that on `csr`," in rows[-1], rows


with tempfile.TemporaryDirectory() as name:
    for test in (right_sides, match, modes, study):
        test(pathlib.Path(name))
