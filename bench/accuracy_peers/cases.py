"""The cases: what is computed, with exact traces where there are any. Every edge of a rectangle is fixed. Speeds are those of
m u_tt = laplace(u) + f(t) delta, m = 1 / speed^2. `unit`: metres that a case's number of cells is counted on."""

import dataclasses
import functools
import math
import pathlib

import numpy

import exact

DATA = pathlib.Path(__file__).resolve().parents[3] / "shared/data/marmousi_vp.h5"


@dataclasses.dataclass
class Case:
    name: str
    title: str
    size: tuple
    unit: float
    end: float
    receivers: list
    origin: tuple = (0.0, 0.0)
    source: tuple = None
    frequency: float = 0.0
    delay: float = 0.0
    fastest: float = 1.0
    returns: bool = False  # whether waves come back from an edge within the time; else a peer may leave its edges as they are
    constant: bool = False
    shape: str = None  # rim of a disc
    centre: tuple = None

    def cells(self, n):
        """Along x and y, at n cells a unit."""
        return tuple(round(length / self.unit * n) for length in self.size)

    def speed(self, x, y):
        return numpy.ones(numpy.broadcast(x, y).shape)

    def mean_mass(self, x, y, h):
        """The mean of 1 / speed^2 over squares of h round these points, by 4 x 4 samples."""
        places = h * ((numpy.arange(4) + 0.5) / 4 - 0.5)
        return sum(1 / self.speed(x + a, y + b) ** 2 for a in places for b in places) / 16

    def signal(self, t):
        return exact.ricker(t, self.frequency, self.delay)

    def curvature(self, t):
        return exact.ricker_second_derivative(t, self.frequency, self.delay)

    def truth(self, t):
        """Traces at these times; None where only fine solutions tell."""
        return None

    def config(self):
        """Sections of wavesim's config that are the case's own."""
        sections = {"medium": self.medium(), "receivers": [{"name": f"r{k}", "at": list(at)} for k, at in enumerate(self.receivers)]}
        if self.source:
            sections["sources"] = [{"name": "s", "at": list(self.source), "ricker": {"frequency": self.frequency, "delay": self.delay}}]
        return sections

    def medium(self):
        return {"speed": 1}


class Homogeneous(Case):
    def truth(self, t):
        return exact.in_the_plane(t, self.frequency, self.delay, [math.dist(self.source, at) for at in self.receivers])


class Lens(Case):
    def speed(self, x, y):
        return 1 - 0.4 * numpy.exp(-((x - 5) ** 2 + (y - 4.5) ** 2) / 2)

    def medium(self):
        return {"model": "acoustic", "speed": "1 - 0.4 * exp(-((x - 5)^2 + (y - 4.5)^2) / 2)"}


class Layers(Case):
    """Slow layers, 0.5 wide and half as fast as what is round them, each with its even mode, standing along x. They hardly feel each
    other (1e-6), and lie differently between the nodes of any grid, so that none is lucky."""

    MIDDLES, WIDTH, SLOW, K = (1.813, 5.027, 8.241), 0.5, 0.5, 2 * math.pi

    @property
    def mode(self):
        return exact.trapped_mode(self.K, self.WIDTH, self.SLOW)

    def speed(self, x, y):
        return 1 - (1 - self.SLOW) * sum(numpy.abs(y - middle) < self.WIDTH / 2 for middle in self.MIDDLES) + 0 * x

    def mean_mass(self, x, y, h):
        inside = sum(numpy.clip((self.WIDTH / 2 + h / 2 - numpy.abs(y - middle)) / h, 0, 1) for middle in self.MIDDLES)
        return 1 + inside * (1 / self.SLOW**2 - 1) + 0 * x

    def displacement(self, x, y, t):
        omega, kappa, gamma = self.mode
        across = 0
        for middle in self.MIDDLES:
            beyond = numpy.abs(y - middle) - self.WIDTH / 2
            across = across + numpy.where(beyond < 0, numpy.cos(kappa * (y - middle)),
                                          math.cos(kappa * self.WIDTH / 2) * numpy.exp(-gamma * numpy.maximum(beyond, 0)))
        return across * numpy.sin(self.K * x) * math.cos(omega * t)

    def truth(self, t):
        omega = self.mode[0]
        return numpy.outer(numpy.cos(omega * t), [float(self.displacement(*map(numpy.asarray, at), 0)) for at in self.receivers])

    def medium(self):
        layers = [{"from": -1, "value": 1}]
        for middle in self.MIDDLES:
            layers += [{"from": middle - self.WIDTH / 2, "value": self.SLOW}, {"from": middle + self.WIDTH / 2, "value": 1}]
        return {"model": "acoustic", "speed": {"layers": layers}}

    def config(self):
        _, kappa, gamma = self.mode
        across = " + ".join(
            f"(abs(y - {middle}) < {self.WIDTH / 2} ? cos({kappa!r} * (y - {middle})) : "
            f"{math.cos(kappa * self.WIDTH / 2)!r} * exp(-{gamma!r} * (abs(y - {middle}) - {self.WIDTH / 2})))" for middle in self.MIDDLES)
        return super().config() | {"initial": {"displacement": f"({across}) * sin({self.K!r} * x)"}}


class Disc(Case):
    def truth(self, t):
        from_centre = [tuple(numpy.subtract(at, self.centre)) for at in (self.source, *self.receivers)]
        return exact.in_a_disc(t, self.frequency, self.delay, from_centre[0], from_centre[1:], self.shape)

    def config(self):
        return super().config() | {"shape": {"circle": {"center": list(self.centre), "radius": 1}, "edge": self.shape}}


@functools.lru_cache
def _marmousi():
    import h5py

    with h5py.File(DATA) as file:
        return file["speed"][:].astype(float)[::-1]  # row 0 at the bottom


class Marmousi(Case):
    def speed(self, x, y):
        """Bilinear between the file's samples of 4 m."""
        table = _marmousi()
        i, j = numpy.clip(y / 4, 0, table.shape[0] - 1), numpy.clip(x / 4, 0, table.shape[1] - 1)
        i0, j0 = numpy.minimum(i.astype(int), table.shape[0] - 2), numpy.minimum(j.astype(int), table.shape[1] - 2)
        a, b = i - i0, j - j0
        return ((1 - a) * ((1 - b) * table[i0, j0] + b * table[i0, j0 + 1])
                + a * ((1 - b) * table[i0 + 1, j0] + b * table[i0 + 1, j0 + 1]))

    def medium(self):
        return {"model": "acoustic", "speed": {"file": str(DATA), "dataset": "/speed", "flip": "y", "spacing": [4, 4], "origin": [0, 0]}}


def _in_disc(x, y):
    return 1.1037 + x, 1.0871 + y


_disc = dict(size=(2.2, 2.2), unit=0.5, end=8.0, source=_in_disc(0.303, 0.111), frequency=2.0, delay=0.6, centre=_in_disc(0, 0),
             receivers=[_in_disc(-0.317, 0.233), _in_disc(-0.105, -0.377), _in_disc(0.021, 0.017)])
CASES = {case.name: case for case in (
    Homogeneous("homogeneous", "homogeneous, 6 wavelengths from a point, on nodes", (10, 10), 1, 8.6, [(8, 5), (7, 8)], source=(2, 5), frequency=1.0,
                delay=1.2, constant=True),
    Lens("lens", "a smooth slow lens, points between nodes", (10, 10), 1, 9.8, [(8.041, 5.033), (7.22, 6.81), (7.517, 3.239)], source=(2.013, 5.027),
         frequency=1.0, delay=1.2),
    Marmousi("marmousi", "a shot of 10 Hz over Marmousi, 0.8 s", (5000, 2000), 100, 0.8,
             [(2600.0 + 100 * k, 2968.0) for k in range(41) if abs(k - 20) >= 2], origin=(2100, 1000), source=(4600, 2968),
             frequency=10.0, delay=0.15, fastest=5500, returns=True),
    Layers("layer", "the modes that slow layers trap, 20 periods", (2, 10), 1, 34.0,
           [at for middle in Layers.MIDDLES for at in ((0.777, middle + 0.1), (1.271, middle + 0.398))], returns=True),
    Disc("drum", "a drum with a fixed rim, struck off its centre", **_disc, constant=True, shape="fixed"),
    Disc("lake", "the same disc with a free rim", **_disc, constant=True, shape="free"),
)}

