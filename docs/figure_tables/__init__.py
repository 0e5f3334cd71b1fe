"""The tables of docs/figures.py, one module a topic. Each registers its functions in common.TABLES."""

from . import accuracy_targets, blocks, gpu, libraries, matrices, papers, profile, ranks, schemes, solvers, triangles  # noqa: F401
from .common import TABLES, Missing  # noqa: F401
