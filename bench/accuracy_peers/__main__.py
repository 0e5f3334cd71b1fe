"""python3 bench/accuracy_peers BUILD [CASE...] [--threads 1 2] [--precisions double single] [--only PATTERN] [--limit SECONDS]
                                    [--truths FOLDER] [--dolfinx PYTHON] [--out FILE]

Error of receiver traces (relative L2, all receivers and times) against the seconds of stepping, for wavesim and its peers: Devito and
deepwave (PyPI, in the Python that runs this) and dolfinx (Debian's, in its Python); a peer that is absent is left out with a message.
Cases: homogeneous, lens, marmousi, layer, drum, lake (cases.py says what they are). One and two threads, single and double precision;
set-up (compilation, media, matrices) and the writing of files apart. What is run: settings.py. A series of grids ends where the next would take longer than
--limit. Last come seconds to 5, 1 and 0.1 %, between the points measured; * by the slope of the last three beyond them, < at the coarsest.

Needs numpy, scipy, h5py; a C compiler with OpenMP for Devito. Fine solutions of lens and marmousi are kept in --truths.
`--out FILE` gets what is printed. plot.py makes the picture from that."""

import argparse
import datetime
import os
import pathlib
import re
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import report  # noqa: E402
import settings  # noqa: E402
import truths  # noqa: E402
from cases import CASES  # noqa: E402
from ours import Refused  # noqa: E402
from programs import Absent, Programs  # noqa: E402

ENOUGH = 6e-4  # no finer grid below that


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("cases", nargs="*", metavar="CASE", help=", ".join(CASES))
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2], choices=[1, 2])
    parser.add_argument("--precisions", nargs="+", default=["double", "single"], choices=["double", "single"])
    parser.add_argument("--only", default=".", metavar="PATTERN", help="of candidates' names")
    parser.add_argument("--limit", type=float, default=2.5, metavar="SECONDS", help="of a run")
    parser.add_argument("--truths", type=pathlib.Path, default=pathlib.Path("/tmp/accuracy_peers_truths"))
    parser.add_argument("--dolfinx", default="/usr/bin/python3", metavar="PYTHON")
    parser.add_argument("--out", type=pathlib.Path)
    given = parser.parse_args()
    for name in given.cases:
        if name not in CASES:
            parser.error(f"no case '{name}'; one of: {', '.join(CASES)}")
    file = given.out.open("w") if given.out else None

    def say(line=""):
        print(line, flush=True)
        if file:
            print(line, file=file, flush=True)

    programs = Programs(given.build, given.dolfinx, given.limit)
    say(str(datetime.date.today()))
    say(subprocess.run([str(given.build / "wavesim"), "info"], capture_output=True, text=True, check=True).stdout.strip())
    say(", ".join(f"{peer} {programs.version(peer) or 'absent'}" for peer in programs.python))
    say(f"load before: {os.getloadavg()[0]:.2f}, {os.cpu_count()} cores")
    begin, points, floors, absent = time.monotonic(), [], {}, set()
    for case in (CASES[name] for name in given.cases or CASES):
        truth = truths.of_case(case, programs, max(given.threads), given.truths)
        floors[case.name] = truth.floor
        say(f"\n{case.name}: {case.title}; {' x '.join(f'{side:g}' for side in case.size)} m, cells a {case.unit:g} m; beside {truth.text}")
        for candidate in settings.of_case(case.name):
            if not re.search(given.only, candidate.name):
                continue
            for threads in given.threads:
                for precision in given.precisions:
                    if precision not in candidate.precisions or candidate.program in absent:
                        continue
                    before = None
                    try:
                        for found in programs.series(case, candidate, threads, precision, lambda found: truth.error(found) < ENOUGH):
                            point = report.Point(case.name, candidate.name, threads, precision, found["cells"], truth.error(found),
                                                 found["setup"], found["seconds"])
                            points.append(point)
                            say(point.line(before))
                            before = point
                    except Absent as why:
                        absent.add(candidate.program)
                        say(f"{candidate.name}: left out, {why}")
                    except (Refused, RuntimeError) as why:
                        say(f"{case.name}, {candidate.name}: left out, {why}")
    for name, floor in floors.items():
        say()
        for line in report.summary(points, name, floor):
            say(line)
    say(f"\n* by the slope of the last three points, < the coarsest grid. Took {time.monotonic() - begin:.0f} s.")


if __name__ == "__main__":
    main()
