"""The programs of tests that run with a mutant, and in which order."""

import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import threading
import time

root = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ["solvers/core", "sim/time", "output/hdf5"]
# The nearest first; each runs only with mutants that it links.
PROGRAMS = {"solvers/core": ["test_solvers", "test_sim", "test_output", "test_killed_run", "test_apps", "test_config"],
            "sim/time": ["test_sim", "test_solvers", "test_output", "test_killed_run", "test_apps", "test_config"],
            "output/hdf5": ["test_output", "test_killed_run", "test_apps", "test_sim", "test_solvers", "test_config"]}
TESTS = {"test_solvers": "tests/solvers", "test_sim": "tests/sim", "test_output": "tests/output", "test_killed_run": "tests/output/killed",
         "test_apps": "tests/apps", "test_library": "tests/library", "test_config": "tests/config"}
STARTS = {"test_apps": ["wavesim"]}  # what else a program of tests runs
EVERY = ["test_solvers", "test_sim", "test_output", "test_killed_run", "test_library", "test_apps", "test_config"]
SHORT = 20  # seconds of a suite that each mutant meets before the longer ones


def say(text):
    print(text, flush=True)


def linked(symbols):
    """The numbers of mutants in a list of symbols or an assembly."""
    return {int(n) for n in re.findall(r"wavesim_mutants6linkedILi(\d+)E", symbols)}


def find_program(build, name):
    path = next((p for p in build.rglob(name) if p.is_file() and os.access(p, os.X_OK)), None)
    if not path:
        sys.exit(f"mutants: {build} has no program {name}")
    return path


def linked_by(build, name):
    """The numbers of mutants that a program of tests runs with."""
    binaries = [find_program(build, n) for n in [name, *STARTS.get(name, [])]]
    return set().union(*(linked(subprocess.run(["nm", b], check=True, capture_output=True, text=True).stdout) for b in binaries))


class Tests:
    """Suites of tests, each with the seconds that it takes and the mutants that it has killed."""

    def __init__(self, scratch, programs):
        self.build, self.scratch = scratch / "build", scratch
        self.programs = {name: find_program(self.build, name) for name in programs}
        self.linked = {name: linked_by(self.build, name) for name in programs}
        self.kills = {}
        (scratch / "tmp").mkdir(exist_ok=True)
        kept = scratch / "suites.json"
        self.known = json.loads(kept.read_text()) if kept.exists() else {}
        self.lock = threading.Lock()
        self.failing = {name: [] for name in programs}  # as they are; left out
        self.suites = {name: self.listed(name) for name in programs}
        self.near = {name: self.words_of_suites(name) for name in programs}

    def listed(self, program):
        lines = subprocess.run([self.programs[program], "--gtest_list_tests"], check=True, capture_output=True, text=True,
                               env=self.environment(program, 0)).stdout.splitlines()
        return sorted(line.split(".")[0] for line in lines if re.match(r"\S+\.(\s|$)", line))

    def environment(self, program, number):
        env = dict(os.environ, TMPDIR=str(self.scratch / "tmp"), WAVESIM_MUTANT=str(number))
        env.setdefault("OMP_NUM_THREADS", "1")
        env.setdefault("OMP_WAIT_POLICY", "passive")
        if program == "test_killed_run":
            env["LD_PRELOAD"] = str(next(self.build.rglob("libkill_shim.so")))
        return env

    def run(self, program, number, filter_="*", limit=None, fail_fast=True):
        """(whether all passed, the test that did not and how, output)"""
        command = [str(self.programs[program]), f"--gtest_filter={filter_}", "--gtest_color=no", *["--gtest_fail_fast"] * fail_fast]

        def bounds():
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_FSIZE, (4 << 30, 4 << 30))
            resource.setrlimit(resource.RLIMIT_AS, (12 << 30, 12 << 30))
            if limit:
                resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 5))

        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                                   cwd=self.scratch / "tmp", env=self.environment(program, number), start_new_session=True,
                                   preexec_fn=bounds)
        try:
            output, _ = process.communicate(timeout=4 * limit + 30 if limit else None)
            ended = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
            ended = -signal.SIGXCPU
        if ended == 0:
            return True, "", output
        failed = re.search(r"^\[  FAILED  \] (\S+?)[,\s]", output, flags=re.M)
        began = re.findall(r"^\[ RUN      \] (\S+)", output, flags=re.M)
        test = failed.group(1) if failed else began[-1] if began else "its start"
        how = "" if failed else " (out of time)" if ended in (-signal.SIGXCPU, -signal.SIGKILL) else " (crash)"
        return False, test + how, output

    def learn(self, program, suites, output):
        """Seconds of suites that passed, kept for the next time: those of a mutant that nothing noticed are the usual ones."""
        seconds = {suite: int(ms) / 1000 for suite, ms in re.findall(
            r"^\[----------\] \d+ tests? from (\S+?),? .*\((\d+) ms total\)", output, flags=re.M)}
        with self.lock:
            self.known.setdefault(program, {}).update({s: seconds.get(s, 0.0) for s in suites})
            (self.scratch / "suites.json").write_text(json.dumps(self.known, indent=1))

    def seconds(self, program, suite):
        """None: it was never run to its end."""
        return self.known.get(program, {}).get(suite)

    def words_of_suites(self, program):
        """By suite, what its sources are called, the folders that they are in, and what they include."""
        words = {}
        for path in (root / TESTS[program]).rglob("*.cpp"):
            text = path.read_text()
            of_it = {*path.stem.split("_"), path.parent.relative_to(root / "tests").as_posix(),
                     *(pathlib.Path(name).with_suffix("").as_posix() for name in re.findall(r'^#include "(.*)"', text, flags=re.M))}
            for suite in re.findall(r"^(?:TEST|TEST_F|TEST_P|TYPED_TEST|TYPED_TEST_P)\((\w+),", text, flags=re.M):
                words.setdefault(suite, set()).update(of_it)
        return words

    def phases(self, site, number, near_only):
        """(program, some of its suites) in the order to run them in. Near ones first: of these, the short ones and then the long ones;
        then, unless near_only, those that have killed, the other short ones, and the other long ones, the shortest first."""
        folder = next(f for f in FOLDERS if site.path.startswith(f + "/"))
        path = pathlib.Path(site.path).with_suffix("")
        words = {folder, path.as_posix(), *path.stem.split("_")} - {"on", "hdf5", "vtkhdf", "group", "state", "step", "options"}
        programs = [p for p in PROGRAMS[folder] if number in self.linked.get(p, ())]

        def phase(wanted, short):
            for program in programs:
                some = [s for s in left[program] if wanted(program, s)]
                some = [s for s in some if ((self.seconds(program, s) or 0) < SHORT) == short]
                some.sort(key=lambda s: self.seconds(program, s) or 0)
                left[program] = [s for s in left[program] if s not in some]
                for suites in [some] if short and some else [[s] for s in some]:
                    yield program, suites

        left = {p: list(self.suites[p]) for p in programs}
        def near(program, suite):
            return any(words & self.near[program].get(part, set()) for part in suite.split("/"))

        yield from phase(near, True)
        yield from phase(lambda program, suite: self.kills.get((program, suite), 0) > 0, True)
        if not near_only:
            yield from phase(near, False)
            yield from phase(lambda *_: True, True)
            yield from phase(lambda *_: True, False)

    def judge(self, site, number, near_only):
        """What became of a mutant; None: it survived, and not all tests were run."""
        begin = time.monotonic()
        for program, suites in self.phases(site, number, near_only):
            usual = [self.seconds(program, s) for s in suites]
            limit = 600 if None in usual else 20 + 4 * sum(usual)
            while True:
                filter_ = ":".join(f"{s}.*" for s in suites) + "-" + ":".join(self.failing[program])
                passed, test, output = self.run(program, number, filter_, limit)
                if passed:
                    self.learn(program, suites, output)
                    break
                if not test.startswith("its start"):
                    again = filter_ if None in usual and test.endswith("(out of time)") else test.split(" ")[0]
                    if not self.run(program, 0, again, limit)[0]:
                        say(f"mutant {number}: {test} fails without it as well; not counted")
                        self.failing[program].append(test.split(" ")[0])
                        continue
                self.count_kill(program, test)
                return {"killed": f"{program}: {test}", "seconds": time.monotonic() - begin}
        return None if near_only else {"killed": "", "seconds": time.monotonic() - begin}

    def count_kill(self, program, test):
        suite = program, test.split(".")[0]
        self.kills[suite] = self.kills.get(suite, 0) + 1
