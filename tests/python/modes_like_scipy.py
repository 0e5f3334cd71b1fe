"""modes_like_scipy.py PROGRAM FOLDER: the lowest eigenpairs of `wavesim modes` beside those of SciPy's eigsh (ARPACK, by factors of the
matrix) on the symmetric matrices of a folder ($WAVESIM_MATRICES, if set)."""

import glob
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from small_run import skip

try:
    import numpy as np
    import scipy.io
    import scipy.sparse
    from scipy.sparse.linalg import eigsh, norm
except ImportError as e:
    skip(f"{e}; ./dev test installs it where PyPI can be reached")

COUNT = 5
MOST_ROWS = 5000


def ours(program, files, vectors):
    words = [program, "modes", *files, "--count", str(COUNT), "--device", "cpu", "--json", "--vectors", vectors, "--most", "3000"]
    run = subprocess.run(words, capture_output=True, text=True)
    assert run.returncode == 0, (files, run.returncode, run.stderr)
    return json.loads(run.stdout)


def theirs(K, M):
    """Of positive semidefinite matrices: those nearest to a number just below zero."""
    below = -1e-9 * norm(K, 1) / (1 if M is None else norm(M, 1))
    return np.sort(eigsh(K, COUNT + 3, M, sigma=below, which="LM", return_eigenvectors=False, tol=1e-13))[:COUNT]


def main(program, folder):
    folder = os.environ.get("WAVESIM_MATRICES", folder)
    compared = 0
    problems = [[f] for f in sorted(glob.glob(folder + "/*.mtx") + glob.glob(folder + "/*.mtx.gz"))]
    problems.append([folder + "/mess_rail1357_K.mtx", folder + "/mess_rail1357_M.mtx"])
    for files in problems:
        if not all(map(os.path.exists, files)):
            continue
        matrices = [scipy.io.mmread(f) for f in files]
        K = scipy.sparse.csc_matrix(matrices[0])
        M = scipy.sparse.csc_matrix(matrices[1]) if len(files) > 1 else None
        if K.shape[0] != K.shape[1] or K.shape[0] > MOST_ROWS or np.iscomplexobj(K.data) or norm(K - K.T, np.inf) > 1e-13 * norm(K, np.inf):
            continue
        name = " ".join(pathlib.Path(f).name for f in files)
        # An eigenvalue is known to about the rounding of K x.
        smallest = np.linalg.eigvalsh(K.toarray())[0] if K.shape[0] <= 1500 else 1
        if smallest < -1e-6 * norm(K, np.inf):
            print(f"{name:40} indefinite, left out")
            continue
        with tempfile.TemporaryDirectory() as work:
            found = ours(program, files, work + "/x.mtx")
            x = scipy.io.mmread(work + "/x.mtx")
        values = np.array([m["eigenvalue"] for m in found["modes"]])
        expected = theirs(K, M)
        rounding = 2e-15 * norm(K, np.inf) / (1 if M is None else abs(M.diagonal()).min())
        known = 1e-9 * np.abs(expected) + 10 * rounding
        # ARPACK may miss some of a multiple eigenvalue: what it has is among ours, and ours are no larger.
        off = np.array([np.abs(values - e).min() if e <= values.max() else 0 for e in expected])
        print(f"{name:40} {found['preconditioner']:8} {found['iterations']:5} iterations, off by {(off / np.maximum(np.abs(expected), rounding)).max():.1e}")
        assert (off <= known).all() and (values <= expected + known).all(), (name, values, expected)
        Mx = x if M is None else M @ x
        assert np.abs(x.T @ Mx - np.eye(COUNT)).max() < 1e-9, name
        residual = np.linalg.norm(K @ x - Mx * values, axis=0)
        assert (residual <= 2e-8 * np.abs(values) * np.linalg.norm(Mx, axis=0) + 10 * rounding * np.linalg.norm(x, axis=0)).all(), (name, residual)
        compared += 1
    if not compared:
        skip(f"no symmetric matrices in {folder}")
    print(f"{compared} problems, as SciPy has them")


main(*sys.argv[1:])
