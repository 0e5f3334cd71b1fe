"""What the tables of docs/figures.py share: a registry, digits, and figures in lines of text."""

import re

NUMBER = r"\d+(?:\.\d+)?(?:e[+-]?\d+)?"
TABLES = {}


class Missing(Exception):
    pass


def table(*files):
    """Registers a function of the files' lines that returns the rows of a table, the heading first, and lines of text, which stand as they are."""

    def register(function):
        TABLES[function.__name__] = (files, function)
        return function

    return register


def digits(value):
    """Three digits, as tables have them."""
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 1 else f"{value:#.3g}"


def together(words):
    """One, two and three."""
    return " and ".join([", ".join(words[:-1])] * (len(words) > 1) + words[-1:])


def find(lines, pattern, under=None):
    """The first match at the start of a line; with `under`, below a heading that matches it and above the next one."""
    below = under is None
    for line in lines:
        if under and re.match(r"  a = |--- |grid |table \d|CPU with |\w+, by level: ", line):
            below = bool(re.match(under, line))
        elif below and (found := re.match(pattern, line)):
            return found
    plain = re.sub(r"\\(\W)", r"\1", pattern.replace(NUMBER, "NUMBER"))
    raise Missing(f"no line like '{plain}'" + (f" under '{under}'" if under else ""))


def processor(lines):
    """Name and threads of the CPU, as `wavesim info` or the first line of a benchmark has them."""
    for line in lines[:6]:
        if found := re.match(r"(?:cpu +|wavesim \S+ \([^)]*\), 20\d\d-\d\d-\d\d, )(\S.*?)[:,] (\d+) threads?\b", line):
            return re.sub(r"\((?:R|TM)\)", "", found[1]), int(found[2])
    raise Missing("no line that names the processor")


class Target:
    """A row of bench/targets' table: milliseconds, or percents for what output costs."""

    def __init__(self, lines, what):
        for line in lines:
            cells = [cell.strip() for cell in line.split(" | ")]
            if cells[0] == what:
                break
        else:
            raise Missing(f"no row '{what}'")
        self.text, self.floor, self.target, self.share, self.verdict = cells[1:6]
        self.number = float(self.text.split()[0])
        self.others = [float(x) for x in re.findall(rf"cu[A-Z][^,]*?(?:, getri\w*)?(?: of inverses)? ({NUMBER})(?=,|:|$)", self.verdict)]

    def met(self):
        return re.match(r"met|missed by (?:\d+|less than 1) %|missed|", self.verdict)[0]

    def missed(self):
        """What a cell says behind its figure: by how much the target is missed, or nothing."""
        return f", {self.met()}" if "missed" in self.met() else ""


def beyond(measured, target):
    """By how many per cent a time misses its target, in words, or that it meets it."""
    over = 100 * (measured / target - 1)
    return "met" if over <= 0 else "missed by less than 1 %" if over < 0.5 else f"missed by {over:.0f} %"
