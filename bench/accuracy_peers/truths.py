"""What traces are judged by: exact solutions where a case has them, else fine solutions of ours and of a peer, which have to agree."""

import numpy
from scipy.interpolate import CubicSpline

from settings import JACOBI, NUMEROV

AGREED = 1e-3
# Grids of the fine solutions, of Devito and of numerov on nine points, and the order of what is taken away of their errors (None: nothing)
FINE = {"lens": ((30,), None, (20, 28), 4), "marmousi": ((25, 50), 2, (14, 20), None)}


def difference(u, v):
    return float(numpy.linalg.norm(u - v) / numpy.linalg.norm(v))


class Truth:
    """at(times); `floor`: no error below it is told apart from zero; `text`: how it was made."""

    def __init__(self, at, floor, text):
        self.at, self.floor, self.text, self._known = at, floor, text, {}

    def error(self, point):
        key = len(point["traces"]), point["dt"]
        if key not in self._known:
            self._known[key] = self.at(numpy.arange(key[0]) * key[1])
        return difference(point["traces"], self._known[key])


def of_case(case, programs, threads, cache):
    """Fine solutions are kept in the folder `cache`, and taken from there: they take minutes."""
    if case.name not in FINE:
        return Truth(case.truth, 0.0, "the exact solution")
    peers, order_of_peer, own, own_order = FINE[case.name]
    file = cache / ("_".join([case.name, "devito", *map(str, peers), "wavesim", *map(str, own)]) + ".npz")
    if not file.exists():
        kept = {"end": case.end}
        if programs.version("devito"):
            options = {"order": 8, "time": 4, "share": 0.6, "medium": "samples", "precision": "double", "once": True}
            for point in programs.peer(case, "devito", options, threads, peers, 1e9):
                kept |= {f"peer_{point['cells']}": point["traces"], f"peer_{point['cells']}_dt": point["dt"]}
        for n in own:
            point = programs.own(case, n, NUMEROV | JACOBI, threads)
            kept |= {f"own_{n}": point["traces"], f"own_{n}_dt": point["dt"]}
        cache.mkdir(parents=True, exist_ok=True)
        numpy.savez(file, **kept)
    kept = numpy.load(file)

    def best(whose, cells, order):
        """A function of time."""
        found = [CubicSpline(numpy.arange(len(kept[f"{whose}_{n}"])) * float(kept[f"{whose}_{n}_dt"]), kept[f"{whose}_{n}"]) for n in cells]
        if order is None:
            return found[-1]
        ratio = (cells[1] / cells[0]) ** order
        return lambda t: (ratio * found[1](t) - found[0](t)) / (ratio - 1)

    def named(cells, order):
        return " and ".join(map(str, cells)) + f" cells, extrapolated by order {order}" if order else f"{cells[-1]} cells"

    times = numpy.linspace(0, case.end, 2001)
    mine = best("own", own, own_order)
    if f"peer_{peers[-1]}" not in kept:
        floor = difference(best("own", own[:1], None)(times), mine(times))
        text = f"numerov on nine points, {named(own, own_order)}, without a peer's word: no error below {100 * floor:.2g} % is judged"
        return Truth(mine, floor, text)
    at = best("peer", peers, order_of_peer)
    apart = difference(mine(times), at(times))
    text = (f"Devito, order 8, time 4, {named(peers, order_of_peer)}; numerov on nine points, {named(own, own_order)}, is {100 * apart:.2g} % off: "
            + ("agreed" if apart <= AGREED else f"no error below {100 * apart:.2g} % is judged"))
    return Truth(at, 0.0 if apart <= AGREED else apart, text)
