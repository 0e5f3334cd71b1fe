"""The layers of the tree: apps -> library -> output -> sim -> solvers -> kernels, nothing points back; and what a reader may rely on."""

import collections
import pathlib
import re
import sys
import tempfile

layers = ["kernels", "solvers", "sim", "output", "library", "apps"]
generated = {"build_facts.hpp", "study_page_texts.hpp"}
endings = {".hpp", ".cpp", ".cu"}
longest = 300  # lines of a file



def sources(root, layer):
    return sorted(p for p in (root / layer).rglob("*") if p.suffix in endings)


def without_comments(text):
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', "", text, flags=re.S)


def types(text):
    """(namespace, name) of each class, struct, enum that is defined outside of functions, classes and unnamed namespaces."""
    found, scopes, statement = [], [], ""
    for token in re.findall(r"[{};]|[^{};]+", re.sub(r"^\s*#.*$", "", without_comments(text), flags=re.M)):
        if token == "{":
            name = re.search(r"\bnamespace\s*([\w:]*)\s*$", statement)
            if name:
                scopes.append(name.group(1))
            else:
                if None not in scopes and "" not in scopes:
                    # a specialisation (Name<...>) is no second type
                    made = re.search(r"\b(?:class|struct|enum(?:\s+class)?|union)\s+(?:alignas\([^)]*\)\s*)?(\w+)\s*(?:final\s*)?(?::[^:].*)?$",
                                     statement.strip(), flags=re.S)
                    if made and "(" not in statement.split(made.group(1))[0].replace("alignas(", ""):
                        found.append(("::".join(scopes), made.group(1)))
                scopes.append(None)
            statement = ""
        elif token == "}":
            if scopes:
                scopes.pop()
            statement = ""
        elif token == ";":
            statement = ""
        else:
            statement += token
    return found


def complaints(root):
    said = []
    defined = collections.defaultdict(set)
    for level, layer in enumerate(layers):
        for path in sources(root, layer):
            name, text = path.relative_to(root).as_posix(), path.read_text()
            for line, included in enumerate(text.splitlines(), 1):
                match = re.match(r'\s*#\s*include\s+"([^"]+)"', included)
                if not match or match.group(1) in generated:
                    continue
                first = match.group(1).split("/")[0]
                if first not in layers:
                    said.append(f'{name}:{line}: includes "{match.group(1)}", which is in no layer')
                elif layers.index(first) > level:
                    said.append(f'{name}:{line}: {layer}/ includes "{match.group(1)}", of a layer above')
                elif not (root / match.group(1)).exists():
                    said.append(f'{name}:{line}: includes "{match.group(1)}", which is not there')
            for line in (n for n, words in enumerate(text.splitlines(), 1) if re.search(r"\[[^\[\]]*\] HD\(", words)):
                said.append(f"{name}:{line}: a lambda is KERNEL, not HD (kernels/backend/hd.hpp)")
            count = text.count("\n")
            if count > longest:
                said.append(f"{name}: {count} lines; at most {longest}")
            for made in types(text):
                defined[made].add(name)
    for (space, made), places in sorted(defined.items()):
        if len(places) > 1:
            said.append(f"{space}::{made} is defined more than once: {', '.join(sorted(places))}")
    for layer in ["kernels", "solvers"]:
        top = [p for p in (root / layer).iterdir() if p.is_file()] if (root / layer).is_dir() else []
        if len(top) > 10:
            said.append(f"{layer}/: {len(top)} files at its top; at most ten")
    return said


def must_find(files, words):
    """The complaint about a small tree with a fault."""
    with tempfile.TemporaryDirectory() as folder:
        tree = pathlib.Path(folder)
        for name, text in files.items():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            (tree / name).write_text(text)
        said = complaints(tree)
        assert len(said) == 1 and words in said[0], (files, said)


must_find({"kernels/a.hpp": '#include "solvers/b.hpp"\n', "solvers/b.hpp": ""}, "of a layer above")
must_find({"sim/a.cpp": '#include "../output/b.hpp"\n'}, "in no layer")
must_find({"sim/a.hpp": "namespace wavesim {\nstruct Grid {\n};\n}\n",
           "solvers/b.hpp": "namespace wavesim {\ntemplate <class B>\nclass Grid final : public B {\n};\n}\n"}, "Grid is defined more than once")
must_find({"sim/a.hpp": "auto f = [=] HD(int i) { return i; };\n"}, "a lambda is KERNEL")
must_find({"sim/a.hpp": "\n" * 301}, "301 lines")
must_find({f"kernels/{k}.hpp": "" for k in range(11)}, "11 files at its top")

wrong = complaints(pathlib.Path(__file__).resolve().parents[2])
print("\n".join(wrong) or "layers, names and lengths are as they should be")
sys.exit(1 if wrong else 0)
