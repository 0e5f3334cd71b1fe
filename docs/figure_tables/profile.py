"""What a profiler says of kernels that miss their target (bench/profile)."""

import re

from .common import Missing, digits, table

# ncu's names of what a warp waits for
WAITS = {
    "long_scoreboard": "memory",
    "short_scoreboard": "shared memory",
    "barrier": "barriers",
    "wait": "its own last instruction",
    "no_instruction": "instructions",
    "math_pipe_throttle": "arithmetic units",
    "mio_throttle": "the queue of shared memory",
    "lg_throttle": "the queue of memory",
    "branch_resolving": "branches",
    "membar": "fences",
    "imc_miss": "constants",
    "sleeping": "sleep",
    "drain": "stores",
}


@table("h200/profile.txt")
def profile(lines):
    rows = [["", "us", "issue slots, %", "double precision, %", "L1, %", "L2, %", "memory, %", "warps on a scheduler", "warps wait most for"]]
    case, first = None, True
    for line in lines:
        if kernel := re.match(r"  (\S+) +\d+ x +\d+((?: +[\d.]+){7})   (\w+) ([\d.]+)", line):
            if case is None:
                continue
            us, *shares = (float(x) for x in kernel[2].split())
            name = kernel[1].replace("_kernel", "")
            rows.append([f"{case}: `{name}`" if first else f"`{name}`", digits(us), *(f"{x:.0f}" for x in shares[:-1]), f"{shares[-1]:.1f}",
                         WAITS.get(kernel[3], kernel[3])])
            first = False
        elif whole := re.match(r"  (\d+) kernels, ([\d.]+) us in all", line):
            rows.append([f"{whole[1]} kernels in all", digits(float(whole[2])), *[""] * 7])
        elif re.match(r"\S.*\d²", line):
            case, first = line.strip(), True
        elif not line.startswith(" "):
            case = None
        elif line.startswith("  not profiled"):
            case = None
    if len(rows) == 1:
        raise Missing("no kernel")
    return rows
