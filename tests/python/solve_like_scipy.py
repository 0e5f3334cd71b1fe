"""solve_like_scipy.py PROGRAM FOLDER: iterations of `wavesim solve` beside those of SciPy's cg and bicgstab on the
matrices of a folder ($WAVESIM_MATRICES, if set), to the same tolerance of the same right-hand side."""

import glob
import json
import os
import subprocess
import sys
import warnings

from small_run import skip

try:
    import numpy as np
    import scipy.io
    import scipy.sparse
    from scipy.sparse.linalg import bicgstab, cg
except ImportError as e:
    skip(f"{e}; ./dev test installs it where PyPI can be reached")

TOLERANCE, LIMIT = 1e-6, 2000


def ours(program, file, method):
    """The JSON report; None where the method does not fit the matrix."""
    words = [program, "solve", file, "--method", method, "--tolerance", str(TOLERANCE),
             "--max-iterations", str(LIMIT), "--device", "cpu", "--json"]
    run = subprocess.run(words, capture_output=True, text=True)
    assert run.returncode in (0, 2, 3), (file, method, run.returncode, run.stderr)
    return None if run.returncode == 2 else json.loads(run.stdout)


def theirs(solver, A, b):
    """Whether it converged, and after how many iterations."""
    count = 0

    def callback(_):
        nonlocal count
        count += 1

    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        _, info = solver(A, b, rtol=TOLERANCE, atol=0, maxiter=LIMIT, callback=callback)
    return info == 0, count


def close(method, a, b, rows):
    """In exact arithmetic the counts are the same but for SciPy's look at BiCGStab's half-step, and at most the number of
    rows: with more than that, rounding decides, which differs from one BLAS to the next. With fewer it parts the two in
    the end: the more iterations, the further."""
    if b > rows:
        return max(a, b) <= 1.6 * min(a, b)
    if b <= 80:
        return abs(a - b) <= 2
    if method == "cg" and b <= 300:
        return abs(a - b) <= 2 + 0.02 * b
    return max(a, b) <= 1.6 * min(a, b)


def main(program, folder):
    files = sorted(glob.glob(os.path.join(os.environ.get("WAVESIM_MATRICES", folder), "*.mtx*")))
    if not files:
        skip(f"no matrices in {folder}, and WAVESIM_MATRICES names none")
    compared, wrong = 0, []
    for file in files:
        A = scipy.sparse.csr_matrix(scipy.io.mmread(file)).astype(float)
        b = A @ np.ones(A.shape[0])
        for method, solver in (("cg", cg), ("bicgstab", bicgstab)):
            report = ours(program, file, method)
            if report is None:
                continue
            converged, count = theirs(solver, A, b)
            line = f"{os.path.basename(file)} {method}: {report['status']} after {report['iterations']}, SciPy {count}"
            print(line)
            if report["status"] == "converged" and converged:
                compared += 1
                if not close(method, report["iterations"], count, A.shape[0]):
                    wrong.append(line)
    assert not wrong, wrong
    assert compared >= 0.6 * len(files), f"only {compared} comparisons with {len(files)} matrices"


main(sys.argv[1], sys.argv[2])
