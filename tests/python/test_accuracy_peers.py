"""bench/accuracy_peers: seconds to an error from points, lines that are read back, and, where scipy is, the exact solutions."""

import math
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench" / "accuracy_peers"))
import report  # noqa: E402


def series(*pairs):
    return [report.Point("drum", "explicit, order 8", 2, "single", 10 * (k + 1), error, 0.25, seconds) for k, (error, seconds) in enumerate(pairs)]


def close(a, b, relative=1e-9):
    return abs(a - b) <= relative * abs(b)


# a line says the point again, to its three digits
points = series((0.1, 1e-3), (0.0123, 0.0456))
lines = [points[0].line(None), points[1].line(points[0])]
assert report.read(lines) == points, lines
assert "order   3.0" in points[1].line(points[0]), lines  # ln(0.1 / 0.0123) / ln 2

# seconds ~ error^-1.5: between points, beyond them, and at the coarsest
law = [(error, 1e-3 * error**-1.5) for error in (0.3, 0.08, 0.02, 0.005)]
seconds, mark = report.seconds_to(0.01, series(*law))
assert close(seconds, 1.0) and mark == "", (seconds, mark)
seconds, mark = report.seconds_to(1e-3, series(*law))
assert close(seconds, 1e-3 * 1e-3**-1.5) and mark == "*", (seconds, mark)
assert report.seconds_to(0.4, series(*law)) == (law[0][1], "<")
assert report.seconds_to(1e-4, series(*law)) == (None, "")  # 50 times below the finest
assert report.seconds_to(1e-2, series((0.9, 1.0), (0.4, 2.0))) == (None, "")  # nothing to go by
# a point that another beats in both has no say
slow = report.seconds_to(0.01, series(*law) + series((0.05, 100.0), (0.2, 50.0)))
assert close(slow[0], 1.0), slow

text = report.summary(series(*law), "drum", floor=5e-3)
assert text[2].split("|")[4].split() == ["0.089", "1.0", "unjudged"], text

try:
    import numpy
    import exact
except ImportError as missing:
    print(f"the exact solutions are not tested: {missing}")
    sys.exit(0)

times = numpy.linspace(0, 1.9, 191)[1:]
plane = exact.in_the_plane(times, 2.0, 0.8, [math.hypot(0.3, 0.05)])
for rim, sign in (("fixed", -1), ("free", 1)):
    disc = exact.in_a_disc(times, 2.0, 0.8, (0.1, 0.05), [(-0.2, 0.1)], rim)
    assert numpy.abs(disc - plane).max() < 2e-4 * numpy.abs(plane).max(), rim  # nothing has come back from the rim
    later = numpy.array([2.29])
    came = exact.in_a_disc(numpy.linspace(0, 2.29, 230)[1:], 2.0, 0.8, (0.1, 0.05), [(-0.2, 0.1)], rim)[-1, 0]
    assert sign * (came - exact.in_the_plane(later, 2.0, 0.8, [math.hypot(0.3, 0.05)])[0, 0]) < -5e-3, rim  # the front comes back with its sign, or the other
assert [round(k, 4) for n, k, _ in exact.modes_of_disc("fixed", 6.0) if n == 0] == [2.4048, 5.5201]
assert [round(k, 4) for n, k, _ in exact.modes_of_disc("free", 6.0) if n == 1] == [1.8412, 5.3314]
omega, kappa, gamma = exact.trapped_mode(2 * math.pi, 0.5, 0.5)
assert close(kappa * math.tan(kappa * 0.25), gamma) and close(kappa**2, omega**2 / 0.25 - 4 * math.pi**2)
assert close(gamma**2, 4 * math.pi**2 - omega**2)
