"""run_commands.py WAVESIM [TREE]: the fenced blocks of README.md, CONTRIBUTING.md and docs/ (all pages) are what they say.

    sh        runs under `bash -euo pipefail` in a folder that has configs/ with small grids, build/wavesim, bench/ and docs/;
              blocks of a page run one after the other in the same folder
    console   a session: each `$ COMMAND` runs, and each line under it begins like a line of what was printed
    yaml      stands, as it is, in a file of configs/; in README.md it is configs/drum.yaml
    python    in the pages whose blocks run_documents.py and run_paraview_page.py run
    text      no command; the options of wavesim that it names exist
    cpp       code to be put into the tree, or a program that is built on the library (tests/packaging); likewise cmake

A block of sh or console that is not run has the line `<!-- not run: REASON -->` above it, REASON being a key of REASONS. Inline code that
begins with `wavesim ` names a subcommand and options that exist; files of the tree that inline code names exist, and so do those that links
lead to. A line with a command that is indented instead of fenced is an error."""

import gzip
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

REASONS = {
    "gpu": "needs an NVIDIA GPU",
    "installation": "installs packages, or needs programs that ./dev does not install",
    "data": "reads a file that the tree does not have",
    "build": "builds the program, as each run of the tests does",
}
PYTHON_PAGES = {"README.md", "docs/python.md", "docs/paraview.md"}  # whose blocks other tests run
COMMANDS = re.compile(r"(\$ |\./dev|build/|bench/|docs/\S+\.(py|sh)|wavesim|bench_|wavesim_bench|cmake|ctest|sed|source|pip|apt)\b|\$ ")
PATHS = re.compile(r"(?:apps|bench|cmake|configs|docs|kernels|library|output|sim|solvers|tests)/[\w./{},-]*[\w/}]")  # with {hpp,cpp}
NAMES = re.compile(r"--[a-z][a-z-]*|(?<![\w-])-[a-z]\b")


def blocks(text):
    """(line, language, mark, lines) of each fence; and (line, words) of indented commands."""
    fences, indented, inside, mark = [], [], None, None
    for number, line in enumerate(text.splitlines(), 1):
        if inside is None and (found := re.match(r" {0,3}```(.*)$", line)):
            inside = (number, found[1].strip(), mark, [])
        elif inside is not None and line.strip() == "```":
            fences.append(inside)
            inside, mark = None, None
        elif inside is not None:
            inside[3].append(line)
        elif found := re.match(r"<!-- not run: (.*?) *-->$", line):
            mark = found[1]
        else:
            if line.startswith("    ") and COMMANDS.match(line.strip()):
                indented.append((number, line.strip()))
            if line.strip():
                mark = None
    if inside is not None:
        fences.append((inside[0], "not closed", None, []))
    return fences, indented


class Help:
    """What `wavesim --help` and `wavesim SUBCOMMAND --help` name."""

    def __init__(self, wavesim):
        self.wavesim, self.texts = wavesim, {}
        self.subcommands = set(re.findall(r"^  ([a-z]+) {2,}", self.of(""), re.MULTILINE))

    def of(self, subcommand):
        if subcommand not in self.texts:
            words = [self.wavesim, *([subcommand] if subcommand else []), "--help"]
            self.texts[subcommand] = subprocess.run(words, capture_output=True, text=True, check=True).stdout
        return self.texts[subcommand]

    def wrong(self, words):
        """What is wrong with the words after `wavesim`, or None."""
        first = words[0] if words else ""
        if first in self.subcommands:
            known = self.of(first) + self.of("")
        elif re.fullmatch(r"[a-z]+", first):
            return f"wavesim has no subcommand '{first}'"
        else:
            known = self.of("run") + self.of("")
        for word in words:
            if NAMES.fullmatch(word) and not re.search(rf"(?<![\w-]){word}(?![\w-])", known):
                return f"wavesim {first} has no option '{word}'"
        return None


def files_of(path):
    """a/b.{hpp,cpp} as two paths."""
    found = re.fullmatch(r"(.*)\{(.*)\}(.*)", path)
    return [found[1] + one + found[3] for one in found[2].split(",")] if found else [path]


def small(text):
    """A config that takes a second: a fifth of the cells along x and y, a fifth of the time, one repetition of a study."""
    text = re.sub(r"cells: \[(\d+), (\d+)\]", lambda m: f"cells: [{max(20, int(m[1]) // 5)}, {max(20, int(m[2]) // 5)}]", text)
    text = re.sub(r"\bend: ([\d.e+-]+)", lambda m: f"end: {float(m[1]) / 5:g}", text)
    text = re.sub(r"repetitions: \d+", "repetitions: 1", text)
    return re.sub(r"courant: \[[^]]*\]", "courant: [1, 5]", text)


def matrix(rows):
    """A symmetric positive definite matrix: the second differences of a line."""
    entries = [f"{i} {i} 4" for i in range(1, rows + 1)] + [f"{i + 1} {i} -1" for i in range(1, rows)]
    return "\n".join(["%%MatrixMarket matrix coordinate real symmetric", f"{rows} {rows} {len(entries)}", *entries]) + "\n"


def lay_out(folder, wavesim, tree):
    """What the commands of the pages find."""
    (folder / "configs").mkdir()
    for file in (tree / "configs").iterdir():
        if file.suffix == ".yaml":
            (folder / "configs" / file.name).write_text(small(file.read_text()))
        else:
            (folder / "configs" / file.name).symlink_to(file)
    for name in ("docs", "bench", "dev", "tests"):
        if (tree / name).exists():
            (folder / name).symlink_to(tree / name)
    for name in ("build", "bin"):
        (folder / name).mkdir()
        (folder / name / "wavesim").symlink_to(wavesim)
    (folder / "A.mtx").write_text(matrix(100))
    with gzip.open(folder / "bcsstk16.mtx.gz", "wt") as file:
        file.write(matrix(4884))


def run(words, folder):
    environment = dict(os.environ, PATH=f"{folder / 'bin'}:{os.environ['PATH']}", OMP_WAIT_POLICY="passive", CUDA_VISIBLE_DEVICES="")
    return subprocess.run(["bash", "-euo", "pipefail", "-c", words], cwd=folder, env=environment, text=True, timeout=240,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def session(lines, folder):
    """Runs the commands of a session; what is wrong with one, or None."""
    shown = []
    for line in lines:
        if line.startswith("$ "):
            shown.append((line[2:], []))
        elif not shown:
            return "a session begins with '$ COMMAND'"
        elif line.strip():
            shown[-1][1].append(line.split()[0])
    for words, starts in shown:
        done = run(words, folder)
        if done.returncode != 0:
            return f"'{words}': exit status {done.returncode}\n{done.stdout[-2000:]}"
        printed = {line.split()[0] for line in done.stdout.splitlines() if line.strip()}
        for start in starts:
            if start not in printed:
                return f"'{words}' prints no line that begins with '{start}':\n{done.stdout[-2000:]}"
    return None


def check(page, tree, wavesim, helped, counts):
    name, wrong = str(page.relative_to(tree)), []
    text = page.read_text()
    fences, indented = blocks(text)
    for line, words in indented:
        wrong.append((line, f"a command that is indented: put it into a fence: {words}"))
    outside = re.sub(r"^ {0,3}```.*?^ {0,3}```$", "", text, flags=re.DOTALL | re.MULTILINE)
    for span in re.findall(r"(?<!`)`(wavesim [^`]+)`(?!`)", outside):
        if problem := helped.wrong(span.split()[1:]):
            wrong.append((text[: text.index(f"`{span}`")].count("\n") + 1, f"`{span}`: {problem}"))
    spans = [span for span in re.findall(r"(?<!`)`([^`\n]+)`(?!`)", outside) if PATHS.fullmatch(span) and not re.search(r"[A-Z]{3}", span)]
    links = [link for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)|<img src=\"([^\"]+)\"", outside)]
    named = [(f"`{span}`", tree / one) for span in spans for one in files_of(span)]
    named += [(link, page.parent / link) for pair in links for link in pair if link and "://" not in link]
    for words, path in named:
        if not path.exists():
            wrong.append((text[: text.index(words)].count("\n") + 1, f"there is no {words}"))
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work)
        lay_out(folder, wavesim, tree)
        for line, language, mark, lines in fences:
            problem = None
            if mark is not None and mark not in REASONS:
                problem = f"'{mark}' is no reason; {', '.join(REASONS)} are"
            elif mark is not None and language not in ("sh", "console"):
                problem = f"a block of '{language}' is never run by this test; take its mark away"
            elif mark is not None:
                counts["marked"] += 1
            elif language == "sh":
                done = run("\n".join(lines), folder)
                counts["run"] += 1
                if done.returncode != 0:
                    problem = f"exit status {done.returncode}\n{done.stdout[-2000:]}"
            elif language == "console":
                counts["run"] += 1
                problem = session(lines, folder)
            elif language == "yaml":
                block = "\n".join(lines) + "\n"
                if name == "README.md":
                    if block != (tree / "configs" / "drum.yaml").read_text():
                        problem = "this is not configs/drum.yaml"
                elif not any(block in file.read_text() for file in (tree / "configs").glob("*.yaml")):
                    problem = "no file of configs/ has these lines"
            elif language == "python":
                if name not in PYTHON_PAGES:
                    problem = "no test runs the Python of this page"
            elif language == "text":
                for words in (words for words in lines if words.startswith("wavesim ")):
                    first = re.split(r" {2,}", words)[0]
                    for one in re.split(r" \| ", first.removeprefix("wavesim ")):
                        if re.fullmatch(r"[a-z]+", one.split()[0]) and one.split()[0] not in helped.subcommands | {"bash", "zsh", "fish"}:
                            problem = f"wavesim has no subcommand '{one.split()[0]}'"
                known = helped.of("") + "".join(helped.of(one) for one in helped.subcommands)
                for option in NAMES.findall("\n".join(lines)):
                    if not re.search(rf"(?<![\w-]){option}(?![\w-])", known):
                        problem = f"wavesim has no option '{option}'"
            elif language not in ("cpp", "cmake"):
                problem = f"a fence of '{language}': sh, console, yaml, python, text, cpp or cmake?"
            if problem:
                wrong.append((line, problem))
    for line, problem in sorted(wrong):
        print(f"{name}:{line}: {problem}")
    return len(wrong)


def main():
    wavesim = pathlib.Path(sys.argv[1]).resolve()
    tree = pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else pathlib.Path(__file__).resolve().parents[2]
    if not shutil.which("bash"):
        print("skipped: no bash")
        return 77
    helped, counts = Help(wavesim), {"run": 0, "marked": 0}
    pages = [page for page in (tree / "README.md", tree / "CONTRIBUTING.md", *sorted((tree / "docs").rglob("*.md"))) if page.exists()]
    wrong = sum(check(page, tree, wavesim, helped, counts) for page in pages)
    print(f"{len(pages)} pages: {counts['run']} blocks run, {counts['marked']} marked as not run, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
