"""Points of error against seconds: lines of text, back from them, and seconds to an error."""

import dataclasses
import math
import re

ERRORS = (5e-2, 1e-2, 1e-3)
COLUMNS = ((1, "double"), (1, "single"), (2, "double"), (2, "single"))
POINT = re.compile(r"(\S+) +\| (.+?) +\| (\d) threads?, (double|single) +\| +(\d+) cells +\| "
                   r"error +(\S+) +\| order +\S+ \| set-up +(\S+) s \| +(\S+) s$")


@dataclasses.dataclass
class Point:
    case: str
    name: str
    threads: int
    precision: str
    cells: int
    error: float
    setup: float
    seconds: float

    def line(self, before):
        """With the order of convergence since the point before, in cells."""
        order = math.log(before.error / self.error) / math.log(self.cells / before.cells) if before else math.nan
        threads = f"{self.threads} thread{'s' * (self.threads > 1)}, {self.precision}"
        return (f"{self.case:12}| {self.name:40} | {threads:18} | {self.cells:4} cells | error {self.error:9.2e} | order {order:5.1f} | "
                f"set-up {self.setup:8.3g} s | {self.seconds:9.3g} s")


def read(lines):
    found = []
    for line in lines:
        if match := POINT.match(line):
            case, name, threads, precision, cells, error, setup, seconds = match.groups()
            found.append(Point(case, name, int(threads), precision, int(cells), float(error), float(setup), float(seconds)))
    return found


def best(points):
    """Those that no other beats in both error and seconds, from coarse to fine."""
    found = []
    for point in sorted(points, key=lambda p: (p.seconds, p.error)):
        if not found or point.error < found[-1].error:
            found.append(point)
    return found


def seconds_to(error, points):
    """Between the two points round the error, both logarithms linear: (seconds, mark). '*': beyond them, by the slope of the
    last three, by no more than a factor of 30; '<': the coarsest is better already."""
    front = best(p for p in points if p.seconds > 0 and math.isfinite(p.error))
    if not front:
        return None, ""
    if front[0].error <= error:
        return front[0].seconds, "<"
    for a, b in zip(front, front[1:]):
        if b.error <= error:
            slope = math.log(b.seconds / a.seconds) / math.log(b.error / a.error)
            return a.seconds * (error / a.error) ** slope, ""
    last = front[-3:]
    if len(last) < 2 or last[-1].error > min(0.3, 30 * error):
        return None, ""  # too far to say
    errors, times = ([math.log(getattr(p, what)) for p in last] for what in ("error", "seconds"))
    middle, centre = sum(errors) / len(last), sum(times) / len(last)
    slope = sum((e - middle) * (t - centre) for e, t in zip(errors, times)) / sum((e - middle) ** 2 for e in errors)
    return last[-1].seconds * (error / last[-1].error) ** slope, "*"


def digits(value):
    """Two, as seconds have them."""
    return f"{value:.0f}" if value >= 100 else f"{value:#.2g}".rstrip(".")


def summary(points, case, floor=0.0):
    """Lines: a candidate, then seconds to each error, for each column; what lies below the floor is not judged."""
    heads = [f"{threads} thread{'s' * (threads > 1)}, {precision}" for threads, precision in COLUMNS]
    errors = "|" + "".join(f"{100 * error:6g} % " for error in ERRORS) + "  "
    lines = [f"{case:44}" + "".join(f"| {head:27}" for head in heads).rstrip(), f"{'seconds of stepping to an error of':44}" + errors * len(heads)]
    for name in dict.fromkeys(p.name for p in points if p.case == case):
        cells = []
        for threads, precision in COLUMNS:
            mine = [p for p in points if (p.case, p.name, p.threads, p.precision) == (case, name, threads, precision)]
            cells.append("|" + "".join(f"{_text(error, mine, floor):>8} " for error in ERRORS))
        lines.append(f"{name:44}" + "  ".join(cells).rstrip())
    return lines


def _text(error, points, floor):
    seconds, mark = seconds_to(error, points)
    if seconds is None:
        return "-"
    if error < floor:
        return "unjudged"
    return "<" + digits(seconds) if mark == "<" else digits(seconds) + mark
