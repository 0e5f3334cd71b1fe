"""Places in C++ text where one operator, constant or branch may be changed, and the text that holds the change beside the original.

The text is that of clang-format: a sign with blanks on both sides is a binary operator, `<` without them opens a template's arguments.
"""

import dataclasses
import hashlib
import re

KINDS = ["operator", "constant", "branch"]

SWAPPED = {"+": "-", "-": "+", "*": "/", "/": "*", "%": "*", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
           "&&": "||", "||": "&&", "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", "++": "--", "--": "++"}
# How tightly an operator binds: the least number the most.
BINDS = {"*": 5, "/": 5, "%": 5, "+": 6, "-": 6, "<<": 7, ">>": 7, "<": 9, "<=": 9, ">": 9, ">=": 9, "==": 10, "!=": 10, "&": 11, "^": 12,
         "|": 13, "&&": 14, "||": 15, "?": 16, ":": 16, "=": 16, "+=": 16, "-=": 16, "*=": 16, "/=": 16, "%=": 16, "&=": 16, "|=": 16,
         "^=": 16, "<<=": 16, ">>=": 16}
CONTROLS = {"if", "for", "while", "switch", "constexpr", "catch"}
KEYWORDS = CONTROLS | {"return", "throw", "else", "do", "case", "new", "delete", "try", "const", "override", "noexcept", "mutable", "final"}
# Arguments of these decide the words of an error or the memory that is set aside, not what is computed.
NOT_CALLED = {"fail", "refuse", "fail_to_read", "reserve"}
# Where passes are enqueued: what tells how much they move and how long they take.
FIGURES = re.compile(r"bytes|seconds|clock|mark_?$")

TOKEN = re.compile(r"""
    (?P<blank>\s+|//[^\n]*|/\*.*?\*/)
  | (?P<line>(?<![^\n])[ \t]*\#(?:\\\n|[^\n])*)
  | (?P<text>(?:u8|[uUL])?R"(?P<mark>[^(]*)\(.*?\)(?P=mark)"|(?:u8|[uUL])?"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])+')
  | (?P<number>\.?\d(?:'?[\w.]|(?<=[eEpP])[+-])*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<sign><<=|<=>|->\*|\.\.\.|->|\+\+|--|[-+*/%&|^=!<>]=|&&|\|\||::|<<|(?<=\s)>>(?=\s)|.)
""", re.VERBOSE | re.DOTALL)


@dataclasses.dataclass
class Token:
    kind: str
    text: str
    start: int
    end: int


@dataclasses.dataclass
class Site:
    """A change in text[start:end], the operands with it: of a sign, which begins and ends at `cuts`, or of a whole condition."""
    path: str
    line: int
    kind: str
    original: str
    mutant: str
    start: int
    end: int
    cuts: tuple
    lines: range  # of text[start:end]
    rank: str = ""

    def place(self):
        return f"{self.path}:{self.line}"


class Source:
    def __init__(self, text, figures=False):
        """`figures`: leave out what counts bytes and seconds."""
        self.text = text
        self.tokens = []
        at = 0
        while at < len(text):
            match = TOKEN.match(text, at)
            kind = match.lastgroup if match.lastgroup != "mark" else "text"
            if kind not in ("blank", "line"):
                self.tokens.append(Token(kind, match.group(), match.start(), match.end()))
            at = match.end()
        self._match_brackets()
        self.code = [False] * len(self.tokens)  # in the body of a function, and worth a change
        self._find_bodies(0, len(self.tokens))
        self._leave_out(figures)

    def is_(self, i, *texts):
        return 0 <= i < len(self.tokens) and self.tokens[i].text in texts

    def binary(self, i):
        t = self.tokens[i]
        return t.text in BINDS and self.text[t.start - 1:t.start].isspace() and self.text[t.end:t.end + 1].isspace()

    def _match_brackets(self):
        self.other = {}  # the bracket that belongs to one
        opened = []
        closes = {")": "(", "]": "[", "}": "{", ">": "<"}
        for i, t in enumerate(self.tokens):
            if t.kind != "sign":
                continue
            if t.text in "([{" or (t.text == "<" and not self.binary(i) and i and self.tokens[i - 1].kind == "name"):
                opened.append(i)
            elif t.text in closes:
                if t.text != ">":
                    while opened and self.tokens[opened[-1]].text == "<":
                        opened.pop()
                if opened and self.tokens[opened[-1]].text == closes[t.text]:
                    self.other[opened[-1]], self.other[i] = i, opened[-1]
                    opened.pop()

    def _find_bodies(self, first, end):
        """Marks the bodies of functions; first .. end lie in a namespace or a class."""
        start, i, initialises = first, first, False
        while i < end:
            t = self.tokens[i]
            if t.text == ";":
                start, initialises = i + 1, False
            elif t.text == ":" and i == start + 1 and self.is_(start, "public", "protected", "private"):
                start = i + 1
            elif t.text == ":" and self.is_(i - 1, ")"):
                initialises = True
            elif t.text in ("(", "[", "<") and i in self.other:
                i = self.other[i]
            elif t.text == "{" and i in self.other:
                close = self.other[i]
                head = self._outside_of_brackets(start, i)
                if "enum" in head:
                    pass
                elif "namespace" in head or ({"class", "struct", "union"} & set(head) and "(" not in head):
                    self._find_bodies(i + 1, close)
                    start = close + 1 if "namespace" in head else start
                elif initialises and self.tokens[i - 1].kind == "name" and self.tokens[i - 1].text not in KEYWORDS:
                    pass  # a member: what it is given is memory, mostly
                elif "(" in head:
                    self.code[i:close] = [True] * (close - i)
                    start, initialises = close + 1, False
                i = close
            i += 1

    def _outside_of_brackets(self, i, end):
        found = []
        while i < end:
            found.append(self.tokens[i].text)
            i = self.other.get(i, i) + 1
        return found

    def _leave_out(self, figures):
        tokens = self.tokens

        def leave(first, end):
            self.code[first:end] = [False] * (end - first)

        def until(i, sign):
            while i < len(tokens) and tokens[i].text != sign:
                i = self.other.get(i, i) + 1 if tokens[i].text in "([{" else i + 1
            return min(i, len(tokens))

        for i, t in enumerate(tokens):
            if t.text == "<" and i in self.other:
                leave(i, self.other[i])
            elif t.text in ("static_assert", "throw", "using", "enum", "typedef") or (t.text == "constexpr" and not self.is_(i - 1, "if")):
                leave(i, until(i, ";"))
            elif t.text == "constexpr" and i + 1 in self.other:  # if constexpr
                leave(i, self.other[i + 1])
            elif t.text == "case" or (t.text == "default" and self.is_(i + 1, ":")):
                leave(i, until(i, ":"))
            elif t.text == "requires":
                j = i + 1
                while j in self.other:
                    leave(j, self.other[j])
                    j = self.other[j] + 1
            elif t.text in NOT_CALLED and self.is_(i + 1, "(") and i + 1 in self.other:
                leave(i, self.other[i + 1])
            elif figures and t.kind == "name" and (FIGURES.search(t.text) or (t.text == "sizeof" and self._is_a_factor(i))):
                leave(*self._piece(i))
            elif t.text == "[" and i in self.other and self._declares_an_array(i):
                leave(i, self.other[i])

    def _is_a_factor(self, i):
        return self.is_(i - 1, "*", "+") or self.is_(self.other.get(i + 1, i) + 1, "*", "+")

    def _declares_an_array(self, i):
        """Whether [ ] after a name declares it: `int a[3]`, `T *a[2]`, `a[2] = {`."""
        if self.tokens[i - 1].kind != "name":
            return False
        before, after = i - 2, self.other[i] + 1
        if self.is_(after, "{") or (self.is_(after, "=") and self.is_(after + 1, "{")):
            return True
        return self.tokens[before].text in (">", "*", "const") and not self.binary(before) or (
            self.tokens[before].kind == "name" and self.tokens[before].text not in KEYWORDS)

    def _piece(self, i):
        """The argument or the statement that token i is in."""
        first = i
        while first > 0:
            before = first - 1
            if self.tokens[before].text in (",", ";", "{", "}"):
                break
            if before in self.other and self.other[before] > before:  # it opens
                called = self.tokens[before - 1]
                if called.kind == "name" and (called.text in CONTROLS or called.text not in KEYWORDS):
                    break
            elif before in self.other:
                first = self.other[before]
                continue
            first = before
        end = first
        while end < len(self.tokens) and self.tokens[end].text not in (",", ";", "}", ")", "]"):
            end = self.other.get(end, end) + 1 if self.other.get(end, 0) > end else end + 1
        while end <= i:  # a bracket that is no call's closed in between
            end += 1
            while end < len(self.tokens) and self.tokens[end].text not in (",", ";", "}", ")", "]"):
                end = self.other.get(end, end) + 1 if self.other.get(end, 0) > end else end + 1
        return first, end

    # The operands of an operator, as numbers of tokens: first .. end.

    def left_of(self, i, binds):
        """Where the operand begins that ends before token i."""
        first = i
        while first > 0:
            before = first - 1
            t = self.tokens[before]
            if t.text in (",", ";", "{", "(", "[") or t.text in ("return", "throw", "else", "do", "case"):
                break
            if before in self.other:
                opens = self.other[before]
                if opens > before or (t.text == "}" and not self._is_value(opens)):
                    break
                if t.text == ")" and self.tokens[opens - 1].text in CONTROLS:
                    break
                first = opens
                continue
            if t.kind == "sign" and (self.binary(before) or t.text in ("?", ":")) and BINDS[t.text] > binds:
                break
            if t.text == "=":
                break
            first = before
        return first

    def right_of(self, i, binds):
        """Where the operand ends that begins after token i."""
        end = i + 1
        while end < len(self.tokens):
            t = self.tokens[end]
            if t.text in (",", ";", "}", ")", "]"):
                break
            if end in self.other:
                end = self.other[end] + 1
                continue
            if t.kind == "sign" and (self.binary(end) or t.text in ("?", ":")) and BINDS[t.text] >= binds:
                if not (binds == 16 and BINDS[t.text] == 16):  # assignments take all to their right
                    break
            end += 1
        return end

    def _is_value(self, i):
        """Whether { opens a value, T{...}, not a block."""
        t = self.tokens[i - 1]
        return (t.kind == "name" and t.text not in KEYWORDS) or t.text in (">", "=", ",", "(", "{")

    def _chain(self, i, step):
        """The end (step 1) or the beginning (step -1) of the name with members and indices that starts beside token i."""
        j = i + step
        while 0 <= j < len(self.tokens):
            t = self.tokens[j]
            if j in self.other and (self.other[j] - j) * step > 0 and t.text in "()[]":
                if self.is_(j - 1, *CONTROLS) and step > 0:
                    break
                j = self.other[j] + step
            elif t.kind == "name" and t.text not in KEYWORDS or t.text in (".", "->", "::"):
                j += step
            else:
                break
        return j if step > 0 else j + 1

    def sites(self, path):
        found = []
        for i, t in enumerate(self.tokens):
            if not self.code[i]:
                continue
            if t.kind == "number":
                found.append(self._site(path, "constant", i, i + 1, i, self._other_number(i)))
            elif t.text in ("true", "false"):
                found.append(self._site(path, "constant", i, i + 1, i, {"true": "false", "false": "true"}[t.text]))
            elif t.text in ("++", "--"):
                if not self._in_a_for(i):
                    prefix = self.is_(i - 1, ";", "{", "}", "(", ",", "[", ")", "=", "return", "else") and not self.is_(i + 1, ")", ";", ",")
                    first, end = (i, self._chain(i, 1)) if prefix else (self._chain(i, -1), i + 1)
                    if end - first > 1:
                        found.append(self._site(path, "operator", first, end, i, SWAPPED[t.text]))
            elif t.text in SWAPPED and self.binary(i):
                binds = BINDS[t.text]
                first, end = self.left_of(i, binds), self.right_of(i, binds)
                if first < i < end - 1:
                    found.append(self._site(path, "operator", first, end, i, SWAPPED[t.text]))
            elif t.text == "if" and self.is_(i + 1, "(") and i + 1 in self.other:
                first, end = i + 2, self.other[i + 1]
                if not any(self.is_(k, ";", "=") for k in range(first, end)):
                    found.append(self._site(path, "branch", first, end, first, "!"))
            elif t.text == "?":
                first = self.left_of(i, 15)
                if first < i:
                    found.append(self._site(path, "branch", first, i, first, "!"))
        return [s for s in found if s]

    def _in_a_for(self, i):
        while i > 0 and not self.is_(i, ";", "{", "}"):
            i = self.other[i] - 1 if self.other.get(i, i) < i else i - 1
            if self.is_(i, "(") and self.is_(i - 1, "for"):
                return True
        opener = i
        depth = 0
        while opener > 0:  # `;` within the brackets of a for
            if self.is_(opener, ")", "}"):
                depth += 1
            elif self.is_(opener, "(", "{"):
                depth -= 1
                if depth < 0:
                    return self.is_(opener, "(") and self.is_(opener - 1, "for")
            opener -= 1
        return False

    def _other_number(self, i):
        text = self.tokens[i].text
        if re.fullmatch(r"(0[xX][0-9a-fA-F']+|[\d']+)[uUlLzZ]*", text):
            digits = re.match(r"0[xX][0-9a-fA-F']+|[\d']+", text).group()
            value = int(digits.replace("'", ""), 16 if digits[:2] in ("0x", "0X") else 10)
            is_index = self.is_(i - 1, "[") and self.is_(i + 1, "]")  # remains within what there is, mostly
            return str(value - 1 if is_index and value else value + 1) + text[len(digits):]
        plain = re.fullmatch(r"(\d+)\.(\d*)([fF]?)", text)
        if plain:
            return f"{int(plain[1]) + 1}.{plain[2]}{plain[3]}"
        return f"{text} + 1"

    def _site(self, path, kind, first, end, sign, mutant):
        start, stop = self.tokens[first].start, self.tokens[end - 1].end
        text = self.text[start:stop]
        if "\n#" in text or "//" in text or "/*" in text:
            return None
        t = self.tokens[sign]
        original = text if kind == "branch" else t.text
        if kind == "branch":
            cuts, mutant = (start, start), f"!({text})"
        else:
            cuts = (t.start, t.end)
        def line_of(at):
            return self.text.count("\n", 0, at) + 1
        return Site(path, line_of(t.start), kind, original, mutant, start, stop, cuts, range(line_of(start), line_of(stop) + 1))


def sites_of(path, text, figures=False):
    return Source(text, figures).sites(path)


def shown(site, text):
    """What changes, with its operands, on one line."""
    def on_a_line(s):
        return re.sub(r"\s+", " ", s)
    return on_a_line(text[site.start:site.end]), on_a_line(changed(text, site, site.start, site.end))


def around(site, text):
    """The line that it is in."""
    first = text.rfind("\n", 0, site.cuts[0]) + 1
    end = text.find("\n", site.cuts[0])
    return text[first:end if end >= 0 else len(text)].strip()


def draw(texts, folders, seed, figures=lambda path: False):
    """All sites of the texts (path: text) in the order they are drawn in: folders and kinds by turns, no two on a line. The order of
    two sites follows from the seed and their own lines, so that a change elsewhere leaves it."""
    queues = {(folder, kind): [] for folder in folders for kind in KINDS}
    for path in sorted(texts):
        folder = next(f for f in folders if path.startswith(f + "/"))
        seen = {}
        for site in sites_of(path, texts[path], figures(path)):
            what = (site.kind, site.original, around(site, texts[path]))
            seen[what] = seen.get(what, 0) + 1
            site.rank = hashlib.sha256(repr((seed, path, what, seen[what])).encode()).hexdigest()
            queues[folder, site.kind].append(site)
    for queue in queues.values():
        queue.sort(key=lambda site: site.rank, reverse=True)
    order, lines, turn = [], set(), 0
    while any(queues.values()):
        round_, turn_in_it = divmod(turn, len(folders))
        folder, kind = folders[turn_in_it], KINDS[(round_ + turn_in_it) % len(KINDS)]
        turn += 1
        queue = queues[folder, kind]
        while queue:
            site = queue.pop()
            if site.place() not in lines:
                lines.add(site.place())
                order.append(site)
                break
    return order


def changed(text, site, first=0, end=None):
    """text[first:end] with the change alone."""
    if site.kind == "branch":
        return text[first:site.start] + site.mutant + text[site.end:end]
    return text[first:site.cuts[0]] + site.mutant + text[site.cuts[1]:end]


def with_all(text, numbered):
    """The text with the changes of all sites in it, (number, site), each beside the original; the number that is chosen at run time
    decides. Lines stay where they are."""
    numbered = sorted(numbered, key=lambda pair: (pair[1].start, -pair[1].end, pair[1].kind != "branch"))  # the outer ones first

    def render(start, end, inner):
        out, at = "", start
        k = 0
        while k < len(inner):
            number, site = inner[k]
            within = [pair for pair in inner[k + 1:] if pair[1].end <= site.end]
            out += text[at:site.start] + render_site(number, site, within)
            at = site.end
            k += 1 + len(within)
        return out + text[at:end]

    def render_site(number, site, within):
        chosen = f"::wavesim_mutants::mutant<{number}>()"
        if site.kind == "branch":
            return f"({chosen} != bool({render(site.start, site.end, within)}))"
        left = render(site.start, site.cuts[0], [p for p in within if p[1].end <= site.cuts[0]])
        right = render(site.cuts[1], site.end, [p for p in within if p[1].start >= site.cuts[1]])
        changed = re.sub(r"\s+", " ", f"{left}{site.mutant}{right}")
        return f"({chosen} ? ({changed}) : ({left}{site.original}{right}))"

    return render(0, len(text), numbered)
