"""The rows of bench/targets' table: measured, floor, target, and the share of the floor that is reached."""

from measure import NUMBER


class Row:
    """One line of the table. Times in seconds; `target` and `floor` may be None."""

    def __init__(self, what, measured, floor=None, target=None, peer="", share=None):
        self.what, self.measured, self.floor, self.target, self.peer = what, measured, floor, target, peer
        self.aim = share  # of the floor: instead of a target in seconds
        if share and floor:
            self.target = floor / share

    def cells(self):
        def ms(seconds):
            return "" if seconds is None else f"{seconds * 1e3:.4f}" if seconds < 0.1 else f"{seconds * 1e3:.1f}"

        if self.measured is None:
            return [self.what, "not measured", ms(self.floor), ms(self.target), "", self.peer]
        share = "" if self.floor is None else f"{100 * self.floor / self.measured:.0f} %"
        verdict = ""
        if self.target:
            over = 100 * (self.measured / self.target - 1)
            verdict = (f"met, {abs(over):.0f} % below" if over <= 0 else
                       "missed by less than 1 %" if over < 0.5 else f"missed by {over:.0f} %")
        return [self.what, ms(self.measured) + " ms", ms(self.floor), ms(self.target), share,
                ", ".join(text for text in (verdict, self.peer) if text)]


class Percent:
    """What output adds to a run."""

    def __init__(self, what, measured, target):
        self.what, self.measured, self.target = what, measured, target

    def cells(self):
        if self.measured is None:
            return [self.what, "not measured", "", f"{self.target:g} %", "", ""]
        met = self.measured <= self.target
        return [self.what, f"{self.measured:+.1f} %", "", f"{self.target:g} %", "", "met" if met else "missed"]


# Words a point that have to move, each vector read or written once a pass.
WORDS = """Words a point (of the precision in question; a column index counts half a double):
  product        dia 5 diagonals + p + q; ellpack-r 5 values + 5 columns and a length (3 doubles) + p + q
  assembly       what is written of that: dia 5; ellpack-r 5 + 3
  cg             stencil 8: r, p read, p written; x, p, r read, x, r written. dia 16: 3, a product 7, 6. ellpack-r 19
  bicgstab       stencil 19: p 4, v 3, s 3, t 2, x and r 7 (p, s, t, r0, x read, x, r written). dia 29
  eight sweeps   b, x read, x written; a step in time: u, p read and written; a second pass reads u + d as well
  multigrid      an iteration of cg with it 12.67 (docs/notes/multigrid.md)
  sine-transform 17.5, a whole step 18.5 (docs/notes/sine-transform.md)
  blocks         set-up: value and column read, value written: 20 bytes an entry. Application: a double an entry, 2
                 vectors, 16 bytes of a block's place
  triangle       the factor, its columns, x and b
  sweep          red and black in turn over x and b, whose lines hold both colours: 2 (b, x read, x written)"""


def rows(found, cells):
    """The table of a folder's figures."""
    n, h = cells - 1, cells // 2 - 1
    faces = {"a": r"^  a = 0\.5,", "steep": r"^  a = 50,"}

    def solvers(file, precision, size, label, under=None):
        return ms(found.number(file, rf"{precision} +{size}  {label} +({NUMBER}) ms", under))

    def ms(value):
        return None if value is None else value * 1e-3

    def file_of(precision):
        return f"solvers_{precision}.txt"

    def floor(words, size, precision="double", points=None):
        """Seconds that so many words a point take at the triad bandwidth of this size and precision."""
        triad = solvers(file_of(precision), precision, size, "triad")
        # of the triad itself: three words on rows that are padded to a whole number of lines
        padded = (size + 16) // 16 * 16 * size
        return None if triad is None else triad * words * (points or size * size) / (3 * padded)

    list_of = []
    add = list_of.append

    for precision in ("double", "single"):
        for size in (h, n):
            for what in ("copy", "triad", "leapfrog"):
                words = {"copy": 2, "triad": 3, "leapfrog": 3}[what]
                add(Row(f"roof: {what}, {words} words, {size}², {precision}",
                        solvers(file_of(precision), precision, size, what), floor(words, size, precision)))
    for precision, word in (("double", 8), ("single", 4)):
        for size in (h, n):
            product = {"dia": 7, "ellpack-r": 7 + 6 * 4 / word}
            for name in ("dia", "ellpack-r"):
                for what, label, words in ((f"product with <p, q>, {name}", f"{name}: q = A p, <p, q>", product[name]),
                                           (f"assembly, {name}", f"{name}: assemble", product[name] - 2)):
                    add(Row(f"{what}, {words:g} words, {size}², {precision}",
                            solvers(file_of(precision), precision, size, label), floor(words, size, precision), share=0.95))

    def iteration(file, size, label, under):
        line = found.find(file, rf"double +{size}  {label} +({NUMBER}) ms.* (\d+) iterations", under)
        return float(line[1]) * 1e-3 / int(line[2]) if line else None

    for name, words, aim in (("stencil", 8, None), ("dia", 16, 0.9), ("ellpack-r", 19, 0.9)):
        add(Row(f"cg on {name}, {words} words, {n}², an iteration",
                iteration("solvers_double.txt", n, f"{name}: cg to 1e-8", faces["steep"]), floor(words, n),
                target=None if aim else 1.15e-3, share=aim))
    for name, words in (("stencil", 19), ("dia", 29)):
        add(Row(f"bicgstab on {name}, {words} words, {n}², an iteration",
                iteration("solvers_double.txt", n, f"{name}: bicgstab to 1e-8", faces["steep"]), floor(words, n),
                share=0.88))
    for k, size in enumerate((cells // 32, cells // 16, cells // 8)):
        for name in ("stencil", "dia", "ellpack-r"):
            # with a stored matrix an iteration is three nodes of a graph
            target = ((6e-6, 7e-6, 12e-6) if name == "stencil" else (9e-6, 10e-6, 14e-6))[k]
            add(Row(f"cg on {name}, one {'launch' if name == 'stencil' else 'graph'} a solve, {size}², an iteration",
                    iteration("solvers_small.txt", size, f"{name}: cg to 1e-8", faces["steep"]), target=target))
        add(Row(f"cg-onchip, {size}², an iteration",
                iteration("solvers_small.txt", size, "stencil: cg-onchip to 1e-8", faces["steep"]),
                target=(3e-6, 4e-6, 7e-6)[k]))

    kernel = "solvers_double.txt"
    add(Row(f"8 sweeps for a given b, 3 words, {n}²", solvers(kernel, "double", n, "stencil: 8 sweeps from x"),
            floor(3, n), target=0.8e-3))
    add(Row(f"8 sweeps with the right-hand side, 4 words, {n}²",
            solvers(kernel, "double", n, "stencil: 8 sweeps, step in time"), floor(4, n), target=0.6e-3))
    add(Row(f"8 sweeps for a given b, varying medium, 6 words, {n}²",
            solvers(kernel, "double", n, r"stencil \(varying\): 8 sweeps from x"), floor(6, n), target=1e-3))
    add(Row(f"8 sweeps with the right-hand side, varying medium, 7 words, {n}²",
            solvers(kernel, "double", n, r"stencil \(varying\): 8 sweeps, step in time"), floor(7, n), target=0.95e-3))

    def step(label):
        return ms(found.number("steps.txt", rf"{label} +({NUMBER}) ms a step"))

    whole = f"whole step, {cells}² cells, Courant number 1: "
    for what, label, words, target, precision in (
        ("explicit, up to 8 steps in a pass", "explicit, Courant number 0.7", None, None, "double"),
        ("pulse to 1e-8, 4 words", "chebyshev, 1e-8", 4, 0.6e-3, "double"),
        ("pulse of 40 cells to 1e-8, 4 words", "chebyshev, 1e-8, pulse of 40 cells", 4, 0.6e-3, "double"),
        ("pulse, default tolerance, 4 words", "chebyshev, default tolerance", 4, 0.6e-3, "double"),
        ("varying medium, pulse to 1e-8, 7 words", "varying speed, chebyshev, 1e-8", 7, 0.95e-3, "double"),
        ("varying medium, pulse, default tolerance, 7 words", "varying speed, chebyshev, default tolerance", 7, 0.95e-3, "double"),
        ("rough field to 1e-8, 4 + 5 words", "chebyshev, 1e-8, rough field", 9, 2.4e-3, "double"),
        ("rough field, default tolerance, 4 + 5 words", "chebyshev, default tolerance, rough field", 9, 2.4e-3, "double"),
        ("pulse, single precision, 4 words", "chebyshev, 1e-5, single", 4, 0.6e-3, "single"),
    ):
        add(Row(whole + what, step(label), floor(words, n, precision) if words else None, target))
    add(Row(whole + "cg, pulse to 1e-8", step("cg, 1e-8")))

    def method(size, name):
        return ms(found.number("methods.txt", rf" *{size}  a = 50 +{name} +({NUMBER}) ms"))

    for size, target in ((n, 3e-3), (h, 0.8e-3)):
        add(Row(f"sine-transform, a solve, 17.5 words, {size}²", method(size, "sine-transform"), floor(17.5, size),
                target))
        label = "sine-transform, Courant number 10" + (", half the cells a side" if size == h else "")
        add(Row(f"sine-transform, a whole step, 18.5 words, {size}²", step(label), floor(18.5, size), target))
    line = found.find("methods.txt", rf" *{n}  a = 50 +cg\+multigrid +({NUMBER}) ms +(\d+) iterations")
    add(Row(f"cg + multigrid, a = 50, to 1e-8, {line[2] if line else '?'} x 12.67 words, {n}²",
            float(line[1]) * 1e-3 if line else None, floor(12.67 * int(line[2]), n) if line else None, 11e-3))
    add(Row(f"the same, cycles in single precision, {n}²", method(n, r"cg\+multigrid-single"), target=11e-3))

    # blocks: bytes by the program's own count and time
    triad = solvers("solvers_double.txt", "double", n, "triad")
    padded = (n + 16) // 16 * 16 * n
    for size in (4, 8, 16, 32):
        for what, label, peers in (
            ("set-up", "extract, gauss-jordan", ("cuBLAS matinvBatched", "cuBLAS getrfBatched, getriBatched")),
            ("application", "apply gauss-jordan, double",
             ("cuBLAS gemvStridedBatched of inverses", "cuBLAS getrsBatched")),
        ):
            figure = found.find("blocks.txt", rf" *{size}  {label} +({NUMBER}) ms.* ({NUMBER}) GB/s")
            seconds = float(figure[1]) * 1e-3 if figure else None
            least = None
            if figure and triad:
                moved = float(figure[1]) * 1e-3 * float(figure[2]) * 1e9
                if what == "application":
                    moved *= (8 * size * size + 16 * size + 16) / (8 * size * size + 16 * size)
                least = moved / (24 * padded / triad)
            beside = []
            for peer in peers:
                other = found.number("blocks.txt", rf" *{size}  {peer} +({NUMBER}) ms")
                if other:
                    beside.append(f"{peer} {other:.3f}")
            aim = {"target": 0.17e-3} if what == "set-up" else {"share": 0.85}
            add(Row(f"block-Jacobi {what}, blocks of {size}", seconds, least, peer=", ".join(beside), **aim))

    for order in ("natural order", "by level"):
        under = rf"^grid {cells // 2}\^2, {order}"
        columns = rf" +1  {{}} +{NUMBER} +({NUMBER}) +({NUMBER}) +{NUMBER} +({NUMBER}|-)"
        ours = found.find("triangular.txt", columns.format("ours"), under)
        peer = found.find("triangular.txt", columns.format("cuSPARSE"), under)
        for what, column, factor in (("solve", 2, 2), ("analysis", 1, 10)):
            seconds = ms(float(ours[column])) if ours else None
            other = ms(float(peer[column])) if peer else None
            least = None
            if ours and triad and what == "solve":
                least = float(ours[3]) * 1e9 * seconds / (24 * padded / triad)
            add(Row(f"triangular {what}, five-point ILU(0), {cells // 2}², {order}", seconds, least,
                    target=other / factor if other else None,
                    peer=f"cuSPARSE {other * 1e3:.2f}: {other / seconds:.1f} times" if other and seconds else ""))

    for name, words in (("stencil", 6), ("dia", 16)):
        add(Row(f"Gauss-Seidel sweep, red and black, {name}, {words} words, {h}²",
                solvers(kernel, "double", h, f"{name}: red and black sweep"), floor(words, h), share=0.9))

    for name in ("cg", "chebyshev"):
        for where, every in (("disk", 500), ("memory", 50)):
            percent = found.find("output_cost.txt", rf"output to {where} +run {NUMBER} s \(([+-]{NUMBER}) %\)", f"^--- {name}$")
            add(Percent(f"output every {every} steps to {where}, {cells // 2}² cells, {name}", float(percent[1]) if percent else None, 3))
    start = found.find("output_cost.txt", rf"start +device {NUMBER} s, model ({NUMBER}) s, state ({NUMBER}) s", "^a run of one step:")
    frame = found.find("output_cost.txt", rf"time .*output ({NUMBER}) s", "^a run of one step:")
    add(Row(f"context to first step, {cells // 2}² cells",
            float(start[1]) + float(start[2]) + float(frame[1]) if start and frame else None, target=0.5))
    drum = found.number("configs.txt", rf"done +\d+ steps in ({NUMBER}) s", r"^--- drum$")
    add(Row("configs/drum.yaml without pictures, a whole run", drum, target=0.2))
    return list_of
