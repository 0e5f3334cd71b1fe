"""study_in_chromium.py PROGRAM: the page of `wavesim study` in headless Chromium: no word on the console, the numbers on it
are those of study.csv and study.h5, curves can be hovered over and hidden, axes made logarithmic, nothing wider than a phone,
paper white. Skipped (77) without Chromium ($CHROMIUM, or chromium on the PATH)."""

import csv
import html.parser
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from small_run import skip

CONFIG = """
name: {name}
grid: {{size: [1, 1], cells: [20, 20]}}
shape: {{circle: {{center: [0.5, 0.5], radius: 0.45}}}}
medium: {{speed: 1}}
initial: {{velocity: {{gaussian: {{center: [0.4, 0.5], width: 0.1}}}}}}
time: {{courant: 2, steps: 6}}
study:
  at: {at}
  repetitions: 2
{sweep}  candidates:
    - {{methods: [cg, bicgstab, gmres, idr], preconditioners: [none, jacobi, ic0]}}
    - {{method: sine-transform}}
    - {{method: cg, name: '</script><b> & "cg"'}}
    - {{method: jacobi, max-iterations: 2}}
"""

# Without a screen no frame is ever drawn, and Chart.js waits for one before it looks at the pointer.
FRAMES = "<script>window.requestAnimationFrame = (f) => setTimeout(() => f(performance.now()), 5);</script>"

# Runs in the page after its own script and leaves what it found in an element of its own.
PROBE = r"""
<script>
(async () => {
  const pause = () => new Promise((done) => setTimeout(done, 200));
  const curves = (id) => Chart.getChart(document.querySelector('#' + id + ' canvas')).data.datasets
    .map((d) => ({label: d.label, data: d.data}));
  const found = {plots: {}, hover: null};
  await pause();
  found.background = getComputedStyle(document.body).backgroundColor;
  found.overflow = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (typeof Chart !== 'undefined') {
    const press = (name) => [...document.querySelectorAll('#curves .chips > button:not(.chip)')].find((b) => b.textContent === name).click();
    const named = (id, name) => document.querySelector('#' + id + ' [name=' + name + ']');
    const choose = (id, name, value) => { const s = named(id, name); if (!s) return; s.value = value; s.dispatchEvent(new Event('change')); };
    found.first = Object.fromEntries([...document.querySelectorAll('section canvas')].map((c) => [c.closest('section').id, Chart.getChart(c).data.datasets.length]));
    press('all');
    for (const c of document.querySelectorAll('section canvas')) {
      const chart = Chart.getChart(c), id = c.closest('section').id;
      found.plots[id] = {curves: curves(id), labels: chart.data.labels, x: chart.scales.x.type, y: chart.scales.y.type, caption: c.closest('figure').textContent};
    }
    found.residuals = {};
    const points = named('residuals', 'point') ? [...named('residuals', 'point').options].map((o) => o.value) : ['0'];
    for (const point of points) {
      choose('residuals', 'point', point);
      found.residuals[point] = curves('residuals');
    }
    found.bars = {};
    for (const measure of ['memory', 'solve']) {
      choose('memory', 'measure', measure);
      const chart = Chart.getChart(document.querySelector('#memory canvas'));
      found.bars[measure] = {labels: chart.data.labels, data: chart.data.datasets[0].data};
    }
    // an axis made linear
    const where = document.querySelector('#by-courant') ? 'by-courant' : 'by-step';
    const box = named(where, 'log_y');
    box.checked = false;
    box.dispatchEvent(new Event('change'));
    found.linear = Chart.getChart(document.querySelector('#' + where + ' canvas')).scales.y.type;
    // the pointer over the second point of the first curve
    let chart = Chart.getChart(document.querySelector('#' + where + ' canvas'));
    chart.canvas.scrollIntoView({behavior: 'instant'});
    await pause();
    const spot = chart.getDatasetMeta(0).data[1].getProps(['x', 'y']), edge = chart.canvas.getBoundingClientRect();
    chart.canvas.dispatchEvent(new MouseEvent('mousemove', {clientX: edge.left + spot.x, clientY: edge.top + spot.y, bubbles: true}));
    await pause();
    found.hover = {opacity: chart.tooltip.opacity, title: chart.tooltip.title, lines: chart.tooltip.body.map((b) => b.lines[0]), label: chart.data.datasets[0].label};
    // one curve hidden from below one plot: gone from all
    found.before = curves('memory').length && Chart.getChart(document.querySelector('#memory canvas')).data.labels;
    const chip = document.querySelector('#' + where + ' .chip');
    found.hidden = chip.textContent;
    chip.click();
    found.after = Chart.getChart(document.querySelector('#memory canvas')).data.labels;
    found.left = curves(where).map((c) => c.label);
    document.querySelector('#' + where + ' .chip').click();
    found.back = curves(where).map((c) => c.label);
    press('none');
    found.none = curves(where).length;
    press('all');
    // a table sorted by another column
    const table = document.querySelector('table.ranking'), order = () => [...table.tBodies[0].rows].map((r) => r.cells[7] && r.cells[7].dataset.v);
    table.tHead.rows[0].cells[7].click();
    found.sorted = order();
    table.tHead.rows[0].cells[7].click();
    found.reversed = order();
    table.tHead.rows[0].cells[1].click();
    // all rows saved
    let saved = null;
    URL.createObjectURL = (blob) => { saved = blob; return '#'; };
    document.querySelector('#save button').click();
    found.saved = await saved.text();
    // paper
    const closed = document.querySelectorAll('details:not([open])').length;
    dispatchEvent(new Event('beforeprint'));
    found.paper = {background: getComputedStyle(document.body).backgroundColor, closed: document.querySelectorAll('details:not([open])').length};
    dispatchEvent(new Event('afterprint'));
    found.restored = document.querySelectorAll('details:not([open])').length === closed;
  }
  const out = document.createElement('pre');
  out.id = 'probe';
  out.textContent = JSON.stringify(found);
  document.body.append(out);
  if (parent !== window) parent.postMessage(out.textContent, '*');
})();
</script>
"""


# A window cannot be made as narrow as a phone, a frame in it can.
PHONE = """<body><iframe src="probed.html" style="width: 390px; height: 800px; border: 0"></iframe><script>
addEventListener('message', (e) => { const out = document.createElement('pre'); out.id = 'probe'; out.textContent = e.data; document.body.append(out); });
</script></body>"""


def browser():
    named = [os.environ["CHROMIUM"]] if os.environ.get("CHROMIUM") else []
    for name in named + ["chromium", "chromium-browser", "google-chrome"]:
        if shutil.which(name):
            return shutil.which(name)
    skip("no Chromium here; on Debian: apt install chromium")


class Elements(html.parser.HTMLParser):
    """Rows of tables, texts of elements with an id, ids."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.rows, self.ids, self.texts, self.collecting = [], [], {}, None
        self.table = self.row = self.cell = None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if "id" in attributes:
            self.ids.append(attributes["id"])
            if tag in ("script", "pre"):
                self.collecting, self.texts[attributes["id"]] = attributes["id"], ""
        if tag == "table":
            self.table = attributes
        if tag == "tr" and self.table is not None:
            self.row = []
            self.rows.append((self.table, self.row))
        if tag in ("td", "th") and self.row is not None:
            self.cell = {"text": "", **attributes}
            self.row.append(self.cell)

    def handle_endtag(self, tag):
        if tag in ("script", "pre"):
            self.collecting = None
        if tag == "table":
            self.table = self.row = None
        if tag in ("td", "th"):
            self.cell = None

    def handle_data(self, data):
        if self.collecting:
            self.texts[self.collecting] += data
        if self.cell:
            self.cell["text"] += data


class Case:
    def __init__(self, program, chromium, folder, name, at, sweep):
        self.chromium, self.folder = chromium, folder
        config = folder / f"{name}.yaml"
        config.write_text(CONFIG.format(name=name, at=at, sweep=sweep))
        run = subprocess.run([program, "study", str(config), "--device", "cpu", "-q", "--output", str(folder)], capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
        self.study = folder / f"{name}-study"
        with open(self.study / "study.csv", newline="") as f:
            self.rows = list(csv.DictReader(f))
        self.page = (self.study / "study.html").read_text()
        assert len(self.page) < 3e6
        self.dom, self.found = self.look()

    def look(self, *options, phone=False):
        page = self.folder / "probed.html"
        page.write_text(self.page.replace("<head>", "<head>" + FRAMES, 1).replace("</body>", PROBE + "</body>"))
        if phone:
            page = self.folder / "phone.html"
            page.write_text(PHONE)
        words = [self.chromium, "--headless", "--disable-gpu", "--no-first-run", f"--user-data-dir={self.folder}/profile", "--window-size=500,900",
                 "--virtual-time-budget=10000", "--enable-logging=stderr", "--dump-dom", *options, page.as_uri()]
        if os.geteuid() == 0:
            words.insert(1, "--no-sandbox")
        run = subprocess.run(words, capture_output=True, text=True, timeout=120)
        assert run.returncode == 0, run.stderr
        said = [line for line in run.stderr.splitlines() if "CONSOLE" in line]
        assert not said, said
        dom = Elements(run.stdout)
        assert "probe" in dom.texts, "the script of the page or of the test ended early"
        return dom, json.loads(dom.texts["probe"])

    def points(self):
        return sorted({int(r["point"]) for r in self.rows})

    def of(self, point, candidate):
        return [r for r in self.rows if int(r["point"]) == point and r["candidate"] == candidate]


def close(a, b):
    return math.isclose(a, b, rel_tol=1e-12)


def mean(rows, column):
    known = [float(r[column]) for r in rows if r[column] != ""]
    return sum(known) / len(known) if known else None


def check_embedded(case):
    """The table in the page is study.csv."""
    data = json.loads(case.dom.texts["data"])
    for name in case.rows[0]:
        column = data["columns"][name]
        if isinstance(column, dict):
            assert [column["texts"][k] for k in column["at"]] == [r[name] for r in case.rows], name
        else:
            assert column == [None if r[name] == "" else float(r[name]) for r in case.rows], name
    return data


def check_tables(case):
    """The rankings that are seen are means of its rows."""
    seen = 0
    heads = ["candidate", "solve", "× fastest", "set-up", "iterations", "of a copy", "memory", "residual", "error"]
    columns = {"solve": "solve_seconds", "set-up": "setup_seconds", "iterations": "iterations", "of a copy": "bandwidth_share", "memory": "memory_bytes"}
    for table, cells in case.dom.rows:
        if "ranking" not in table.get("class", "") or cells[0]["text"] == "candidate":
            continue
        rows = case.of(int(table["data-point"]), cells[0]["text"])
        assert rows, cells
        if rows[0]["status"] == "does-not-fit":
            assert cells[1]["text"] == "does-not-fit", cells
            continue
        for head, column in columns.items():
            assert close(float(cells[heads.index(head)]["data-v"]), mean(rows, column)), (head, cells, rows)
        for head, column in {"residual": "residual_2", "error": "error_2"}.items():
            assert float(cells[heads.index(head)]["data-v"]) == max(float(r[column]) for r in rows), (head, cells)
        if any(r["status"] != "converged" for r in rows):
            assert cells[2]["text"] in {r["status"] for r in rows}, cells
        seen += 1
    assert seen == len({(r["point"], r["candidate"]) for r in case.rows if r["status"] != "does-not-fit"}), seen


def check_winners(case):
    winners = [cell for table, cells in case.dom.rows if "winners" in table.get("class", "") for cell in cells if "data-v" in cell]
    assert len(winners) == len(case.points())
    least = []
    for point in case.points():
        names = {r["candidate"] for r in case.rows if int(r["point"]) == point}
        good = {n: mean(case.of(point, n), "solve_seconds") for n in names if all(r["status"] == "converged" for r in case.of(point, n))}
        best = min(good, key=good.get)
        least.append(good[best])
        cell = [c for c in winners if close(float(c["data-v"]), good[best])]
        assert cell and best in cell[0]["text"], (best, winners)


def histories(case):
    """Of each row; only their lengths where there is no h5py."""
    try:
        import h5py
    except ImportError:
        return None
    with h5py.File(case.study / "study.h5") as f:
        values, first, count = (f[f"history/{k}"][:] for k in ("values", "first", "count"))
        for name in case.rows[0]:
            column = f[f"rows/{name}"][:]
            if column.dtype.kind != "S":
                assert [None if math.isnan(v) else float(v) for v in column] == [None if r[name] == "" else float(r[name]) for r in case.rows], name
    return [values[a:a + n] for a, n in zip(first, count)]


def check_plots(case, data):
    """What is drawn is what the rows say."""
    plots, points = case.found["plots"], {p["number"]: p for p in data["points"]}
    converged = lambda rows: rows and all(r["status"] == "converged" for r in rows)
    if "by-courant" in plots:
        grid = max(int(r["cells_x"]) for r in case.rows)
        for curve in plots["by-courant"]["curves"]:
            for spot in curve["data"]:
                rows = [r for r in case.rows if int(r["cells_x"]) == grid and float(r["courant"]) == spot["x"] and r["candidate"] == curve["label"]]
                assert (spot["y"] is not None) == bool(converged(rows)), (curve, rows)
                assert spot["y"] is None or close(spot["y"], mean(rows, "solve_seconds")), (curve, rows)
        assert plots["by-courant"]["x"] == plots["by-courant"]["y"] == "logarithmic"
    if "by-size" in plots:
        for curve in plots["by-size"]["curves"]:
            for spot in curve["data"]:
                rows = [r for r in case.rows if float(r["courant"]) == min(p["courant"] for p in points.values()) and
                        int(r["cells_x"]) * int(r["cells_y"]) == spot["x"] and r["candidate"] == curve["label"]]
                assert close(spot["y"], mean(rows, "solve_seconds")), (curve, rows)
    if "by-step" in plots:
        for curve in plots["by-step"]["curves"]:
            for spot in curve["data"]:
                (row,) = [r for r in case.of(0, curve["label"]) if int(r["step"]) == spot["x"]]
                assert spot["y"] == (float(row["solve_seconds"]) if row["status"] == "converged" else None), (spot, row)
    full = histories(case)
    drawn = 0
    for point, curves in case.found["residuals"].items():
        for curve in curves:
            if curve["label"] == "tolerance":
                continue
            rows = case.of(int(point), curve["label"])
            row = min(rows, key=lambda r: int(r["step"]))
            assert curve["data"][-1]["x"] == int(row["iterations"]) and curve["data"][0]["x"] == 0, row
            if full:
                history = full[case.rows.index(row)]
                for spot in curve["data"]:
                    if spot["y"] is not None:
                        assert math.isclose(spot["y"], history[int(spot["x"])], rel_tol=1e-3), (curve, history)
            drawn += 1
    assert drawn >= len(case.points()) * 10, drawn
    for measure, column in {"memory": "memory_bytes", "solve": "solve_seconds"}.items():
        bars = case.found["bars"][measure]
        assert len(bars["labels"]) >= 12
        for name, value in zip(bars["labels"], bars["data"]):
            assert close(value, mean(case.of(0, name), column)), (measure, name)


def check_playing(case):
    f = case.found
    saved = list(csv.DictReader(f["saved"].splitlines()))
    assert len(saved) == len(case.rows)
    for ours, theirs in zip(saved, case.rows):
        assert list(ours) == list(theirs)
        for name, text in theirs.items():
            try:
                assert float(ours[name]) == float(text), (name, ours[name], text)
            except ValueError:
                assert ours[name] == text, (name, ours[name], text)
    assert f["linear"] == "linear"
    assert f["hover"]["opacity"] > 0 and any(line.strip().startswith(f["hover"]["label"] + ": ") for line in f["hover"]["lines"]), f["hover"]
    assert f["hidden"] in f["before"] and f["hidden"] not in f["after"] and f["hidden"] not in f["left"], f
    assert f["hidden"] in f["back"] and f["none"] == 0
    numbers = [float(v) for v in f["sorted"] if v]
    assert numbers == sorted(numbers) and [float(v) for v in f["reversed"] if v] == numbers[::-1]
    assert f["sorted"][-1] is None and f["reversed"][-1] is None, "what has no number stays below"
    assert f["paper"] == {"background": "rgb(255, 255, 255)", "closed": 0} and f["restored"], f["paper"]


def main():
    program, chromium = sys.argv[1], browser()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        sweep = Case(program, chromium, folder, "sweep", "[1, 3, 5]", "  sweep: {cells: [16, 32], courant: [1, 10]}\n")
        plain = Case(program, chromium, folder, "plain", "[1, 3]", "")
        for case in (sweep, plain):
            for address in re.findall(r'(?:src|href)\s*=\s*["\']([^"\']*)', re.sub(r"<script.*?</script>", "", case.page, flags=re.S)):
                assert address.startswith("#"), address
            data = check_embedded(case)
            check_tables(case)
            assert case.found["overflow"] <= 0, "wider than the window"
            phone = case.look(phone=True)[1]
            assert phone["overflow"] <= 0, "wider than a phone"
        check_winners(sweep)
        assert {"answer", "winners", "multiples", "ranking", "failures", "made-with"} <= set(sweep.dom.ids)
        assert not {"winners", "multiples", "by-courant", "by-size"} & set(plain.dom.ids)
        if "no-plots" in sweep.dom.ids:
            print("tables alone: built without Chart.js")
            return
        for case in (sweep, plain):
            check_plots(case, check_embedded(case))
            check_playing(case)
        assert set(sweep.found["plots"]) == {"by-courant", "by-size", "by-step", "residuals", "memory"}
        assert set(plain.found["plots"]) == {"by-step", "residuals", "memory"}
        light, dark = sweep.found["background"], sweep.look("--blink-settings=preferredColorScheme=0")[1]
        assert light == "rgb(255, 255, 255)" and dark["background"] != light, (light, dark["background"])
        assert dark["paper"]["background"] == light, "paper is white"
    print("all well")


main()
