"""Whether the tests notice small changes of the program: 40 mutants of solvers/core, sim/time and output/hdf5, each with one changed
operator, constant or branch. At least 36 have to die.

    python3 tests/mutants/mutants.py [--jobs N] [--report FILE]     hours on two cores, in build-mutants/
    python3 tests/mutants/mutants.py --list                         says which mutants are drawn first
    python3 tests/mutants/mutants.py --only 3,17                    runs some of them again, keeps the results of the others

One build holds all mutants, each beside the original (sites.py); WAVESIM_MUTANT=17 chooses one at run time (mutant.hpp). A change that
does not compile for the CPU, or that no program links, is dropped and the next one taken. A mutant is dead when a test fails that passes
without it, crashes or runs out of time.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import sites  # noqa: E402

root = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ["solvers/core", "sim/time", "output/hdf5"]
# The nearest first; each runs only with mutants that it links.
PROGRAMS = {"solvers/core": ["test_solvers", "test_sim", "test_output", "test_killed_run", "test_apps", "test_config"],
            "sim/time": ["test_sim", "test_solvers", "test_output", "test_killed_run", "test_apps", "test_config"],
            "output/hdf5": ["test_output", "test_killed_run", "test_apps", "test_sim", "test_solvers", "test_config"]}
TESTS = {"test_solvers": "tests/solvers", "test_sim": "tests/sim", "test_output": "tests/output", "test_killed_run": "tests/output/killed",
         "test_apps": "tests/apps", "test_config": "tests/config"}
STARTS = {"test_apps": ["wavesim"]}  # what else a program of tests runs
LAYERS = ["solvers", "sim", "output", "apps"]  # whose sources can hold mutants


def figures(path):
    """In solvers/ and sim/ bytes and seconds are only reported."""
    return not path.startswith("output/")


def say(text):
    print(text, flush=True)


# The draw.


def texts():
    return {path.relative_to(root).as_posix(): path.read_text()
            for folder in FOLDERS for path in sorted((root / folder).iterdir()) if path.suffix in (".hpp", ".cpp")}


# The tree with mutants in it.


def write_if_other(path, content):
    """Files that stay as they are keep their time, so that nothing is compiled without need."""
    if not path.exists() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def copy_tree(tree, originals, numbered):
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=root, check=True,
                            capture_output=True, text=True).stdout
    names = {name for name in listed.split("\0") if name and (root / name).is_file()}
    for name in names:
        if name in originals:
            content = sites.with_all(originals[name], [(n, s) for n, s in numbered if s.path == name]).encode()
        else:
            content = (root / name).read_bytes()
        write_if_other(tree / name, content)
        shutil.copymode(root / name, tree / name)
    for path in tree.rglob("*"):
        if path.is_file() and path.relative_to(tree).as_posix() not in names:
            path.unlink()


def configure(build):
    """All at -O1: three times as fast to compile, and speed is not asked here."""
    flags = f"-include {build.parent / 'tree/tests/mutants/mutant.hpp'} -Wno-narrowing -Werror=vla"
    run_logged(["cmake", "-S", build.parent / "tree", "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=RelWithDebInfo",
                "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -DNDEBUG", f"-DCMAKE_CXX_FLAGS={flags}", "-DWAVESIM_CUDA=OFF",
                "-DWAVESIM_COMMIT=mutants"], build.parent / "configure.log")


def run_logged(command, log):
    with open(log, "w") as out:
        if subprocess.run(command, stdout=out, stderr=subprocess.STDOUT).returncode != 0:
            sys.exit(f"mutants: {shlex.join(map(str, command))} failed: {log} says why")


def includes(tree, name, known):
    """The files of the tree that one includes, itself among them."""
    if name not in known:
        known[name] = {name}
        found = {name}
        for included in re.findall(r'^\s*#\s*include\s+"([^"]+)"', (tree / name).read_text(), flags=re.M):
            if (tree / included).is_file():
                found |= includes(tree, included, known)
        known[name] = found
    return known[name]


class Checker:
    """Compiles the sources that mutants are in, without optimisation, and tells which mutants do not compile or are in no object."""

    def __init__(self, tree, build, jobs):
        self.tree, self.jobs = tree, jobs
        self.commands = {}
        for entry in json.loads((build / "compile_commands.json").read_text()):
            name = os.path.relpath(entry["file"], tree)
            if name.split("/")[0] in LAYERS:
                self.commands[name] = (entry["directory"], shlex.split(entry["command"]))
        known = {}
        self.included = {name: includes(tree, name, known) for name in self.commands}

    def check(self, numbered):
        """(numbers of mutants with errors, numbers of mutants in an object)"""
        paths = {s.path for _, s in numbered}
        names = [name for name in self.commands if self.included[name] & paths]
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            answers = list(pool.map(self.compile, names))
        wrong, present = set(), set()
        by_line = {(s.path, line): n for n, s in sorted(numbered, key=lambda pair: -len(pair[1].lines)) for line in s.lines}
        for name, (errors, found) in zip(names, answers):
            present |= found
            mine = set()
            for path, line in errors:
                number = by_line.get((os.path.relpath(path, self.tree), line))
                if number:
                    mine.add(number)
            if errors and not mine:
                sys.exit(f"mutants: {name} does not compile, and no mutant is at the errors: {errors}")
            wrong |= mine
        return wrong, present

    def compile(self, name):
        directory, command = self.commands[name]
        command = [part for part in command if not part.startswith("-O") and part not in ("-c",)]
        if "ccache" in command[0]:
            command = command[1:]
        command[command.index("-o") + 1] = "/dev/stdout"
        done = subprocess.run([*command, "-O0", "-S"], cwd=directory, capture_output=True, text=True)
        errors = re.findall(r"^([^\s:][^:]*):(\d+):\d+: (?:fatal )?error:", done.stderr, flags=re.M)
        if done.returncode != 0 and not errors:
            sys.exit(f"mutants: {name} cannot be compiled: {done.stderr[-2000:]}")
        return [(path, int(line)) for path, line in errors], linked(done.stdout)


def linked(symbols):
    """The numbers of mutants in a list of symbols or an assembly."""
    return {int(n) for n in re.findall(r"wavesim_mutants6linkedILi(\d+)E", symbols)}


def choose(originals, order, scratch, count, jobs):
    """The first `count` sites that compile and are in an object, numbered from 1 in the order of the draw."""
    tree, build = scratch / "tree", scratch / "build"
    dropped, asked = set(), count + count // 2
    # The same sources have the same answer.
    sources = [p.read_bytes() for layer in ["kernels", *LAYERS] for p in sorted((root / layer).rglob("*")) if p.is_file()]
    state = hashlib.sha256(repr(([described(s, originals) for s in order], sources)).encode()).hexdigest()
    kept = scratch / "dropped.json"
    if kept.exists() and (before := json.loads(kept.read_text()))["state"] == state:
        dropped = set(before["dropped"])
        return list(enumerate([s for n, s in enumerate(order, 1) if n not in dropped][:count], 1))
    while True:
        numbered = [(n, s) for n, s in enumerate(order[:asked], 1) if n not in dropped]
        copy_tree(tree, originals, numbered)
        configure(build)
        wrong, present = Checker(tree, build, jobs).check(numbered)
        for n in sorted(wrong):
            say(f"dropped, does not compile: {described(order[n - 1], originals)}")
        dropped |= wrong
        if wrong:
            continue
        for n, s in numbered:
            if n not in present:
                say(f"dropped, in no object of a build for the CPU: {described(s, originals)}")
                dropped.add(n)
        good = [s for n, s in numbered if n not in dropped]
        if len(good) >= count:
            kept.write_text(json.dumps({"state": state, "dropped": sorted(dropped)}))
            return list(enumerate(good[:count], 1))
        if asked >= len(order):
            sys.exit(f"mutants: only {len(good)} changes compile, and {count} are wanted")
        asked += count - len(good) + 5


def described(site, originals):
    original, mutant = sites.shown(site, originals[site.path])
    return f"{site.place()}  {original}  ->  {mutant}"


# Running tests.


class Tests:
    def __init__(self, scratch, programs):
        self.build, self.scratch = scratch / "build", scratch
        self.programs = {name: self.find(name) for name in programs}
        self.linked, self.suites, self.seconds = {}, {}, {}
        for name, path in self.programs.items():
            self.linked[name] = set()
            for binary in [path, *(self.find(p) for p in STARTS.get(name, []))]:
                symbols = subprocess.run(["nm", binary], check=True, capture_output=True, text=True).stdout
                self.linked[name] |= linked(symbols)
            listed = subprocess.run([path, "--gtest_list_tests"], check=True, capture_output=True, text=True,
                                    env=self.environment(name, 0)).stdout
            self.suites[name] = [line.split(".")[0] for line in listed.splitlines() if re.match(r"\S+\.(\s|$)", line)]

    def find(self, name):
        path = next((p for p in self.build.rglob(name) if p.is_file() and os.access(p, os.X_OK)), None)
        if not path:
            sys.exit(f"mutants: {self.build} has no program {name}")
        return path

    def environment(self, program, number):
        env = dict(os.environ, TMPDIR=str(self.scratch / "tmp"), WAVESIM_MUTANT=str(number))
        env.setdefault("OMP_NUM_THREADS", "1")
        env.setdefault("OMP_WAIT_POLICY", "passive")
        if program == "test_killed_run":
            env["LD_PRELOAD"] = str(next(self.build.rglob("libkill_shim.so")))
        return env

    def run(self, program, number, filter_="*", limit=None):
        """(whether all passed, the test that did not and how, seconds, output)"""
        command = [str(self.programs[program]), f"--gtest_filter={filter_}", "--gtest_fail_fast", "--gtest_color=no"]

        def bounds():
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_FSIZE, (4 << 30, 4 << 30))
            resource.setrlimit(resource.RLIMIT_AS, (12 << 30, 12 << 30))
            if limit:
                resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 5))

        (self.scratch / "tmp").mkdir(exist_ok=True)
        begin = time.monotonic()
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                                   cwd=self.scratch / "tmp", env=self.environment(program, number), start_new_session=True,
                                   preexec_fn=bounds)
        try:
            output, _ = process.communicate(timeout=4 * limit + 60 if limit else None)
            ended = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
            ended = -signal.SIGXCPU
        seconds = time.monotonic() - begin
        if ended == 0:
            return True, "", seconds, output
        failed = re.search(r"^\[  FAILED  \] (\S+?)[,\s]", output, flags=re.M)
        began = re.findall(r"^\[ RUN      \] (\S+)", output, flags=re.M)
        test = failed.group(1) if failed else began[-1] if began else "its start"
        how = "" if failed else " (out of time)" if ended in (-signal.SIGXCPU, -signal.SIGKILL) else " (crash)"
        return False, test + how, seconds, output

    def measure(self):
        """All tests without a mutant: they have to pass, and say how long each suite takes."""
        for name in self.programs:
            passed, test, seconds, output = self.run(name, 0)
            if not passed:
                (self.scratch / f"{name}.log").write_text(output)
                sys.exit(f"mutants: {name} fails without a mutant, at {test}: {self.scratch / name}.log")
            self.seconds[name] = {suite: int(ms) / 1000 for suite, ms in re.findall(
                r"^\[----------\] \d+ tests? from (\S+?),? .*\((\d+) ms total\)", output, flags=re.M)}
            say(f"{name}: passes without a mutant in {seconds:.0f} s, links {len(self.linked[name])} of the mutants")

    def phases(self, site, number):
        """(program, its suites) in the order to run them in: those near the mutant first."""
        folder = next(f for f in FOLDERS if site.path.startswith(f + "/"))
        words = set(pathlib.Path(site.path).stem.split("_")) - {"on", "hdf5", "vtkhdf", "group", "state", "step", "options"}
        for program in PROGRAMS[folder]:
            if number not in self.linked.get(program, ()):
                continue
            same_name, same_folder = set(), set()
            for path in (root / TESTS[program]).rglob("*.cpp"):
                names = set(re.findall(r"^(?:TEST|TEST_F|TEST_P|TYPED_TEST|TYPED_TEST_P)\((\w+),", path.read_text(), flags=re.M))
                if words & set(path.stem.split("_")):
                    same_name |= names
                if path.parent.as_posix().endswith("tests/" + folder):
                    same_folder |= names
            left = list(self.suites[program])
            for near in (same_name, same_folder, None):
                phase = [s for s in left if near is None or near & set(s.split("/"))]
                left = [s for s in left if s not in phase]
                if phase:
                    yield program, phase

    def judge(self, site, number):
        """What became of a mutant."""
        begin = time.monotonic()
        for program, suites in self.phases(site, number):
            usual = sum(self.seconds[program].get(s, 0) for s in suites)
            passed, test, _, _ = self.run(program, number, ":".join(f"{s}.*" for s in suites), limit=60 + 4 * usual)
            if passed:
                continue
            seconds = time.monotonic() - begin
            if test.startswith("its start"):
                return {"killed": f"{program}: {test}", "seconds": seconds}
            without, _, _, _ = self.run(program, 0, test.split(" ")[0])
            if without:
                return {"killed": f"{program}: {test}", "seconds": seconds}
            say(f"mutant {number}: {test} fails without it as well; not counted")
        return {"killed": "", "seconds": time.monotonic() - begin}


# The report.


def report(numbered, originals, results, seed, wanted):
    killed = [n for n, _ in numbered if results[n]["killed"]]
    survivors = [n for n, _ in numbered if not results[n]["killed"]]
    lines = [f"{len(numbered)} mutants of {', '.join(FOLDERS)}; seed {seed}", ""]
    for n, s in numbered:
        original, mutant = sites.shown(s, originals[s.path])
        within = f"      in  {sites.around(s, originals[s.path])}"
        lines += [f"{n:2}  {s.place()}  {s.kind}", f"      {original}  ->  {mutant}", *([within] if s.kind == "constant" else []),
                  f"      killed by {results[n]['killed']}, {results[n]['seconds']:.0f} s" if results[n]["killed"] else
                  f"      survived all tests, {results[n]['seconds']:.0f} s"]
    lines += ["", f"{len(killed)} of {len(numbered)} died, at least {wanted} have to; survived: " + (", ".join(map(str, survivors)) or "none")]
    return "\n".join(lines) + "\n", len(killed)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--least", type=int, default=36, help="as many have to die")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", default="", help="numbers of mutants to run again")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--report", type=pathlib.Path, help="where the table goes as well")
    options = parser.parse_args()

    originals = texts()
    order = sites.draw(originals, FOLDERS, options.seed, figures)
    if options.list:
        for n, s in enumerate(order[:options.count], 1):
            say(f"{n:2}  {described(s, originals)}")
        return 0

    scratch = root / "build-mutants"
    scratch.mkdir(exist_ok=True)
    kept = scratch / "results.json"
    numbered = choose(originals, order, scratch, options.count, options.jobs)
    copy_tree(scratch / "tree", originals, numbered)
    configure(scratch / "build")
    names = sorted(set(sum(PROGRAMS.values(), [])))
    say("building the programs of the tests")
    run_logged(["ninja", "-C", scratch / "build", f"-j{options.jobs}", *names, "kill_shim"], scratch / "build.log")

    tests = Tests(scratch, names)
    tests.measure()
    identity = [described(s, originals) for _, s in numbered]
    results = {}
    if options.only and kept.exists():
        before = json.loads(kept.read_text())
        results = {n: before[what] for n, what in enumerate(identity, 1) if what in before}
    wanted = {int(n) for n in options.only.split(",")} if options.only else {n for n, _ in numbered}
    wanted |= {n for n, _ in numbered if n not in results}

    def judge(pair):
        n, s = pair
        results[n] = tests.judge(s, n)
        kept.write_text(json.dumps({identity[k - 1]: r for k, r in results.items()}, indent=1))
        say(f"{n:2}  {identity[n - 1]}: {results[n]['killed'] or 'survived'}, {results[n]['seconds']:.0f} s")

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(judge, [(n, s) for n, s in numbered if n in wanted]))
    shutil.rmtree(scratch / "tmp", ignore_errors=True)
    table, dead = report(numbered, originals, results, options.seed, options.least)
    say("\n" + table)
    if options.report:
        options.report.write_text(table)
    return 0 if dead >= options.least else 1


if __name__ == "__main__":
    sys.exit(main())
