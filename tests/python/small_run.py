"""The values of tests/output/small_run.hpp, for the readers."""

import sys

NX, NY = 5, 4


def time(n):
    return 0.25 * n


def value(n, ix, iy):
    return 100.0 * n + 10.0 * iy + ix


def plane(n, sign=1.0):
    """(NY, NX) nested lists."""
    return [[sign * value(n, ix, iy) for ix in range(NX)] for iy in range(NY)]


def skip(message):
    print("skipped:", message)
    sys.exit(77)
