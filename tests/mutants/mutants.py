"""Whether the tests notice small changes of the program: 40 mutants of solvers/core, sim/time and output/hdf5, each with one changed
operator, constant or branch. At least 36 have to die.

    python3 tests/mutants/mutants.py [--jobs N]     hours on two cores, in build-mutants/; writes results.md
    python3 tests/mutants/mutants.py --list         says which mutants are drawn first
    python3 tests/mutants/mutants.py --survivors    judges those that survived again; --only 3,17 these

One build holds all mutants, each beside the original (sites.py); WAVESIM_MUTANT=17 chooses one at run time (mutant.hpp). A change that
does not compile for the CPU, or that no program links, is dropped and the next one taken. A mutant is dead when a test fails that passes
without it, crashes or runs out of time. Verdicts are kept in build-mutants/results.json while a mutant's line stays as it is, so that a
run that was stopped goes on. Why a mutant survives is in reasons.json; one that is there counts as a survivor without a run of its
tests, unless --survivors or --only asks for it.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import sites  # noqa: E402
from suites import EVERY, FOLDERS, Tests, linked, linked_by, say  # noqa: E402,F401

root = pathlib.Path(__file__).resolve().parents[2]
REASONS = pathlib.Path(__file__).resolve().parent / "reasons.json"
LAYERS = ["solvers", "sim", "output", "library", "apps"]  # whose sources can hold mutants


def figures(path):
    """In solvers/ and sim/ bytes and seconds are only reported."""
    return not path.startswith("output/")


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
            text = sites.with_all(originals[name], [(n, s) for n, s in numbered if s.path == name])
            content = f'#include "tests/mutants/mutant.hpp"\n#line 1\n{text}'.encode()
        else:
            content = (root / name).read_bytes()
        write_if_other(tree / name, content)
        shutil.copymode(root / name, tree / name)
    for path in tree.rglob("*"):
        if path.is_file() and path.relative_to(tree).as_posix() not in names:
            path.unlink()


def configure(build):
    """All at -O1: three times as fast to compile, and speed is not asked here. With precompiled headers instead of ccache."""
    run_logged(["cmake", "-S", build.parent / "tree", "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=RelWithDebInfo",
                "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -DNDEBUG", "-DCMAKE_CXX_FLAGS=-Wno-narrowing -Werror=vla", "-DWAVESIM_CUDA=OFF",
                "-DCCACHE=OFF", "-DWAVESIM_COMMIT=mutants"], build.parent / "configure.log")


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


def errors_in(log, tree):
    """(file of the tree, line) of each error that the compiler reports."""
    return {(os.path.relpath(path, tree), int(line)) for path, line in
            re.findall(r"^([^\s:][^:]*):(\d+):\d+: (?:fatal )?error:", log, flags=re.M)}


def wrong_ones(numbered, errors):
    """The numbers of the mutants at the errors: of those on a line, the one with the fewest."""
    by_line = {(s.path, line): n for n, s in sorted(numbered, key=lambda pair: -len(pair[1].lines)) for line in s.lines}
    return {by_line[at] for at in errors if at in by_line}


def check_a_few(tree, build, numbered, jobs):
    """Numbers of mutants with errors in the sources that are quickest to ask: one or two for each header. The build finds the others."""
    commands = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        name = os.path.relpath(entry["file"], tree)
        if name.split("/")[0] in LAYERS:
            commands[name] = (entry["directory"], shlex.split(entry["command"]))
    known = {}
    included = {name: includes(tree, name, known) for name in commands}
    names = set()
    for path in sorted({s.path for _, s in numbered}):
        names |= {path} if path in commands else set(sorted((name for name in commands if path in included[name]), key=lambda name: (
            len(included[name]), name))[:2])

    def ask(name):
        directory, command = commands[name]
        done = subprocess.run([*command, "-fsyntax-only"], cwd=directory, capture_output=True, text=True)
        return errors_in(done.stderr, tree)

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return wrong_ones(numbered, set().union(*pool.map(ask, sorted(names))))


def choose(originals, order, scratch, count, jobs, names):
    """Builds the programs; the first `count` sites that compile and that one of them links, with their numbers in the order of the
    draw."""
    tree, build, log = scratch / "tree", scratch / "build", scratch / "build.log"
    kept = scratch / "dropped.json"
    # The same sources have the same answer.
    sources = [p.read_bytes() for layer in ["kernels", *LAYERS] for p in sorted((root / layer).rglob("*")) if p.is_file()]
    state = hashlib.sha256(repr(([described(s, originals) for s in order], sources)).encode()).hexdigest()
    before = json.loads(kept.read_text()) if kept.exists() else {}
    dropped = set(before["dropped"]) if before.get("state") == state else set()
    asked = before["asked"] if before.get("state") == state else count + count // 4

    def drop(numbers, why):
        for n in sorted(numbers - dropped):
            say(f"dropped, {why}: {described(order[n - 1], originals)}")
        dropped.update(numbers)
        kept.write_text(json.dumps({"state": state, "dropped": sorted(dropped), "asked": asked}))

    checked = asked if before.get("state") == state else 0
    while True:
        numbered = [(n, s) for n, s in enumerate(order[:asked], 1) if n not in dropped]
        copy_tree(tree, originals, numbered)
        configure(build)
        if checked < asked:
            wrong = check_a_few(tree, build, numbered, jobs)
            checked = asked if not wrong else checked
            if wrong:
                drop(wrong, "does not compile")
                continue
        say(f"building the programs of the tests with {len(numbered)} mutants")
        with open(log, "w") as out:
            done = subprocess.run(["ninja", "-C", build, f"-j{jobs}", "-k0", *names, "kill_shim"], stdout=out, stderr=subprocess.STDOUT)
        if done.returncode != 0:
            wrong = wrong_ones(numbered, errors_in(log.read_text(), tree))
            if not wrong:
                sys.exit(f"mutants: the build failed, and not at a mutant: {log} says why")
            drop(wrong, "does not compile")
            continue
        present = set().union(*(linked_by(build, name) for name in names))
        for n, s in numbered:  # stays in the tree, which would have to be built again without it
            if n not in present and len(names) == len(EVERY):
                say(f"dropped, in no program for the CPU: {described(s, originals)}")
        good = [(n, s) for n, s in numbered if n in present]
        if len(good) >= count or len(names) < len(EVERY):
            return good[:count]
        if asked >= len(order):
            sys.exit(f"mutants: only {len(good)} changes compile, and {count} are wanted")
        asked += count - len(good) + 5


def described(site, originals):
    original, mutant = sites.shown(site, originals[site.path])
    return f"{site.place()}  {original}  ->  {mutant}"


# The report.


def key_of(site, originals):
    """What a verdict belongs to: it is kept while the line stays as it is."""
    text = originals[site.path]
    what = (site.path, sites.around(site, text), *sites.shown(site, text), site.rank)
    return hashlib.sha256(repr(what).encode()).hexdigest()[:16]


def reason_of(site, originals):
    """Why it survives, from reasons.json."""
    for known in json.loads(REASONS.read_text()):
        if (known["path"], known["line"]) == (site.path, sites.around(site, originals[site.path])) and known["change"] == change_of(site, originals):
            return known["reason"]
    return ""


def change_of(site, originals):
    return " -> ".join(sites.shown(site, originals[site.path]))


def code(text):
    return "`" + text.replace("|", "\\|") + "`"


def report(numbered, originals, results, seed, wanted):
    """The table in Markdown, and how many died."""
    judged = [(k, s, results[key_of(s, originals)]) for k, (_, s) in enumerate(numbered, 1) if key_of(s, originals) in results]
    killed = [k for k, _, r in judged if r["killed"]]
    survivors = [(k, s) for k, s, r in judged if not r["killed"]]
    lines = ["# Mutants", "", "Written by `tests/mutants/mutants.py`.", "",
             f"{len(numbered)} mutants of {', '.join(FOLDERS)}, drawn with seed {seed}: {len(killed)} died, at least {wanted} have to; "
             f"{len(survivors)} survived" + (f"; {len(numbered) - len(judged)} are not judged yet." if len(judged) < len(numbered) else "."),
             "", "| | Line | Change | In | Killed by |", "|---:|---|---|---|---|"]
    for k, s, r in judged:
        name = r["killed"].split(": ", 1)[-1]
        lines.append(f"| {k} | {s.place()} | {code(change_of(s, originals))} | {code(sites.around(s, originals[s.path]))} | "
                     + (name if r["killed"] else "**survived**") + " |")
    lines += ["", "## Survivors", "", "By reading, and so without a run of all tests, where a reason stands (`reasons.json`).", ""]
    lines += [f"* {k}, {s.place()}, {code(change_of(s, originals))}: {reason_of(s, originals) or 'no reason known'}" for k, s in survivors] or ["None."]
    return "\n".join(lines) + "\n", len(killed)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--least", type=int, default=36, help="as many have to die")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", default="", help="numbers of mutants to judge again")
    parser.add_argument("--survivors", action="store_true", help="judge again those that survived")
    parser.add_argument("--programs", default=",".join(EVERY), help="with some of them, only kills are kept")
    parser.add_argument("--again", action="store_true", help="judge all again")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--report", type=pathlib.Path, default=root / "tests/mutants/results.md", help="where the table goes")
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
    names = options.programs.split(",")
    numbered = choose(originals, order, scratch, options.count, options.jobs, names)
    tests = Tests(scratch, names)
    results = json.loads(kept.read_text()) if kept.exists() and not options.again else {}
    for known in results.values():
        if known["killed"]:
            tests.count_kill(*known["killed"].split(": ", 1))
    again = {int(n) for n in options.only.split(",") if n}

    every = len(names) == len(EVERY)

    def report_so_far():
        options.report.write_text(report(numbered, originals, results, options.seed, options.least)[0])

    def judge(item, near_only):
        k, (number, s) = item
        verdict = tests.judge(s, number, near_only)
        if verdict and (verdict["killed"] or every):
            results[key_of(s, originals)] = verdict
            kept.write_text(json.dumps(results, indent=1))
        what = "lives after the near tests" if not verdict else verdict["killed"] or "survived"
        say(f"{k:2}  {described(s, originals)}: {what}" + (f", {verdict['seconds']:.0f} s" if verdict else ""))

    def is_open(k, number, s):
        if not any(number in linked for linked in tests.linked.values()):
            return False
        before = results.get(key_of(s, originals))
        if not before and reason_of(s, originals):  # its tests would take hours to say so
            before = results[key_of(s, originals)] = {"killed": "", "seconds": 0}
        return k in again or not before or (options.survivors and not before["killed"])

    left = [(k, (n, s)) for k, (n, s) in enumerate(numbered, 1) if is_open(k, n, s)]
    for near_only in (True, False):  # most die early, and each that has died says which tests to try on the others
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            list(pool.map(lambda item: judge(item, near_only), left))
        left = [(k, (n, s)) for k, (n, s) in left if not results.get(key_of(s, originals), {}).get("killed")]
        report_so_far()
    shutil.rmtree(scratch / "tmp", ignore_errors=True)
    table, dead = report(numbered, originals, results, options.seed, options.least)
    say("\n" + table)
    return 0 if dead >= options.least else 1


if __name__ == "__main__":
    sys.exit(main())
