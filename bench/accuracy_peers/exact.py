"""Exact solutions of m u_tt = div(T grad u) + f(t) delta(x - x_s), T = 1: times in, traces out (times x receivers)."""

import functools
import math

import numpy
from scipy import optimize, special


def ricker(t, frequency, delay):
    a = (math.pi * frequency * (t - delay)) ** 2
    return (1 - 2 * a) * numpy.exp(-a)


def ricker_second_derivative(t, frequency, delay):
    a = (math.pi * frequency * (t - delay)) ** 2
    return -2 * (math.pi * frequency) ** 2 * (3 - 12 * a + 4 * a * a) * numpy.exp(-a)


def in_the_plane(times, frequency, delay, distances):
    """Speed 1: u = 1 / (2 pi) int s(t - tau) / sqrt(tau^2 - r^2) dtau from r to t; tau^2 = r^2 + w^2 takes the root away."""
    out = numpy.zeros((len(times), len(distances)))
    for j, r in enumerate(distances):
        for i, now in enumerate(times):
            if now > r:
                w = numpy.linspace(0, math.sqrt(now * now - r * r), 8001)
                tau = numpy.sqrt(r * r + w * w)
                f = ricker(now - tau, frequency, delay) / tau
                out[i, j] = (f.sum() - (f[0] + f[-1]) / 2) * (w[1] - w[0]) / (2 * math.pi)
    return out


def _zeros(function, highest):
    """Zeros in (0, highest], by signs on a fine grid; Bessel's lie more than 1 apart."""
    x = numpy.linspace(1e-3, highest, int(40 * highest))
    y = function(x)
    return [optimize.brentq(function, x[i], x[i + 1], xtol=1e-14) for i in numpy.nonzero(y[:-1] * y[1:] < 0)[0]]


@functools.lru_cache
def modes_of_disc(rim, highest):
    """(n, k, 1 / norm of J_n(k r) cos n theta) of a disc of radius 1 until k = highest."""
    found = []
    for n in range(int(highest) + 1):
        if rim == "fixed":
            for k in _zeros(lambda x: special.jv(n, x), highest):
                found.append((n, k, (1 if n == 0 else 2) / (math.pi * special.jv(n + 1, k) ** 2)))
        else:
            if n == 0:
                found.append((0, 0.0, 1 / math.pi))
            for k in _zeros(lambda x: special.jvp(n, x), highest):
                found.append((n, k, (1 if n == 0 else 2) / (math.pi * (1 - (n / k) ** 2) * special.jv(n, k) ** 2)))
    return found


def _duhamel(times, k, frequency, delay):
    """q of q'' + k^2 q = f(t) at rest, for each k: eight Gauss points between two times."""
    x, weights = numpy.polynomial.legendre.leggauss(8)
    edges = numpy.concatenate([[0.0], times])
    middle, half = (edges[1:] + edges[:-1]) / 2, (edges[1:] - edges[:-1]) / 2
    s = middle[:, None] + half[:, None] * x
    f = ricker(s, frequency, delay) * weights * half[:, None]
    if k == 0:
        zeroth, first = numpy.cumsum(f.sum(1)), numpy.cumsum((f * s).sum(1))
        return times * zeroth - first
    g = numpy.cumsum((f * numpy.exp(-1j * k * s)).sum(1))
    return (numpy.exp(1j * k * times) * g).imag / k


def _static(source, receiver, rim):
    """Green's function of -Laplace in the disc of radius 1; with a free rim that of mean 0, the sum over all modes but the constant."""
    (xs, ys), (x, y) = source, receiver
    r2 = xs * xs + ys * ys
    near = math.log(math.hypot(x - xs, y - ys))
    image = math.log(math.sqrt(r2) * math.hypot(x - xs / r2, y - ys / r2))
    if rim == "fixed":
        return (image - near) / (2 * math.pi)
    return -(image + near) / (2 * math.pi) + (x * x + y * y + r2) / (4 * math.pi) - 3 / (8 * math.pi)


def in_a_disc(times, frequency, delay, source, receivers, rim):
    """Radius 1, speed 1, positions from its centre: the sum over modes. Modes above the spectrum follow the force, q = f / k^2,
    which converges slowly: their sum is taken from the static solution."""
    rs, ts = math.hypot(*source), math.atan2(source[1], source[0])
    f = ricker(times, frequency, delay)
    out = numpy.outer(f, [_static(source, receiver, rim) for receiver in receivers])
    for n, k, weight in modes_of_disc(rim, 2 * math.pi * 9 * frequency):
        q = _duhamel(times, k, frequency, delay) - (f / k**2 if k else 0)
        for j, (x, y) in enumerate(receivers):
            r, t = math.hypot(x, y), math.atan2(y, x)
            out[:, j] += weight * special.jv(n, k * r) * special.jv(n, k * rs) * math.cos(n * (t - ts)) * q
    return out


def trapped_mode(k, width, slow):
    """omega, kappa, gamma of the even mode of a layer of that width and speed between half planes of speed 1:
    u = cos(kappa y) inside, exp(-gamma |y|) outside, u and u_y continuous: kappa tan(kappa width / 2) = gamma."""

    def parts(omega):
        return math.sqrt(omega**2 / slow**2 - k * k), math.sqrt(k * k - omega * omega)

    def mismatch(omega):
        kappa, gamma = parts(omega)
        return kappa * math.sin(kappa * width / 2) - gamma * math.cos(kappa * width / 2)

    omega = optimize.brentq(mismatch, k * slow * (1 + 1e-12), min(k, math.hypot(k, math.pi / width) * slow) * (1 - 1e-12), xtol=1e-14)
    return omega, *parts(omega)
