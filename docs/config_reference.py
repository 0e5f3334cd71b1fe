#!/usr/bin/env python3
"""Writes docs/config.md from the schema that the program prints:

    build/wavesim schema | docs/config_reference.py > docs/config.md

With --check FILE it writes nothing and says whether FILE is what it would write; a test does that.
"""
import json
import sys

FAMILIES = ("field", "signal", "shape", "edge", "rim", "on-failure", "fallback", "candidate")

HEAD = """# All keys of a config

Made from `wavesim schema` by `docs/config_reference.py`. Section by section; keys of sections within sections are
written with a dot. Unknown keys are errors. Files are looked for in the config's folder, then in those
of `--data` and of the environment variable `WAVESIM_DATA` (folders separated by `:`). Every section but `grid`, `medium` and `time` may be left out. `wavesim schema > wavesim.schema.json` lets editors complete and check configs.
"""


def bounds(x):
    words = []
    if "exclusiveMinimum" in x:
        words.append(f"> {x['exclusiveMinimum']:g}")
    if "minimum" in x:
        words.append(f">= {x['minimum']:g}")
    if "maximum" in x:
        words.append(f"<= {x['maximum']:g}")
    return " " + ", ".join(words) if words else ""


def value(x):
    """What a key takes, in words."""
    if "$ref" in x:
        family = x["$ref"].rsplit("/", 1)[1]
        return f"[{family}](#kinds-of-{family}){bounds(x)}"
    if "const" in x:
        return f"`{x['const']}`"
    if "enum" in x:
        return ", ".join(f"`{v}`" for v in x["enum"])
    if "oneOf" in x:
        words = []
        for one in x["oneOf"]:
            if value(one) not in words:
                words.append(value(one))
        return " or ".join(words)
    kind = x.get("type", "map")
    if isinstance(kind, list):
        return "text" if "string" in kind else " or ".join(kind)
    if kind == "array":
        inner = x.get("items", {})
        count = x.get("minItems") if x.get("minItems") == x.get("maxItems") else None
        if count:
            return f"[{', '.join([plain(inner)] * count)}]{bounds(inner)}"
        return f"list of {value(inner)}"
    if kind == "object":
        keys = x.get("properties", {})
        return "{" + ", ".join(keys) + "}" if 0 < len(keys) <= 3 else "map"
    return {"string": "text", "boolean": "`true`, `false`"}.get(kind, kind) + bounds(x)


def plain(x):
    return {"integer": "integer", "array": value(x)}.get(x.get("type"), "number")


def maps(x):
    """The maps that a value may be, lists and alternatives looked into."""
    if "properties" in x:
        yield x
    for one in x.get("oneOf", []):
        yield from maps(one)
    if x.get("type") == "array" and "items" in x:
        yield from maps(x["items"])


def row(key, x, required):
    default = "required" if required else f"`{json.dumps(x['default'])}`" if "default" in x else ""
    text = x.get("description", "").replace("|", "\\|")
    return f"| `{key}` | {value(x)} | {default} | {text} |"


def rows(prefix, section, hidden):
    for key, x in section["properties"].items():
        if key in hidden:
            continue
        yield row(prefix + key, x, key in section.get("required", []))
        seen = set()
        for inner in maps(x):
            for line in rows(f"{prefix}{key}.", inner, hidden):
                if line not in seen:
                    seen.add(line)
                    yield line


def table(lines):
    lines = list(dict.fromkeys(lines))
    return ["| key | value | default | |", "|---|---|---|---|", *lines, ""] if lines else []


def kind_name(variant, names):
    return next((k for k in variant.get("required", []) if k in names), None)


def document(schema):
    out = [HEAD]
    signals = {k for v in schema["$defs"]["signal"]["oneOf"] for k in v.get("required", [])}
    top = schema["properties"]
    out += ["## The config itself", ""]
    out += table(row(key, x, key in schema["required"]) for key, x in top.items() if not list(maps(x)))
    for key, x in top.items():
        sections = list(maps(x))
        if not sections:
            continue
        out += [f"## `{key}`", "", x.get("description", ""), ""]
        if key == "edges":
            out += ["One [edge](#kinds-of-edge) for all four sides, or a map: `{left: ..., right: ..., bottom: ..., top: ...}`; a side "
                    "that is left out is fixed. `periodic` comes in pairs.", ""]
            continue
        lines = []
        for section in sections:
            hidden = signals if signals & set(section["properties"]) else set()
            lines += rows("", section, hidden)
            if hidden:
                lines.append("| a [signal](#kinds-of-signal) | | required | written among the keys: `ricker: {...}` |")
        out += table(lines)
    for family in FAMILIES:
        out += [f"## Kinds of {family}", ""]
        for variant in schema["$defs"][family]["oneOf"]:
            text = variant.get("description", "")
            if "const" in variant:
                out += [f"**`{variant['const']}`**: {text}", ""]
                continue
            if "properties" not in variant and "oneOf" not in variant:
                out += [f"**a {value(variant)}**: {text}", ""]
                continue
            for one in maps(variant):
                # A nested kind is a map under its name; a flat kind holds its name among its keys.
                name = one["required"][0]
                inner = one["properties"][name]
                out += [f"**`{name}`**: {text or one.get('description', '')}", ""]
                flat = len(one["properties"]) > 1 or "properties" not in inner and "oneOf" not in inner
                nested = [] if flat else list(maps(inner))
                if flat:
                    out += table(rows("", one, set()))
                elif any(signals & set(m["properties"]) for m in nested):
                    out += ["Takes a [signal](#kinds-of-signal): `{" + name + ": {ricker: {...}}}`.", ""]
                else:
                    out += table(line for m in nested for line in rows("", m, signals))
                if "$ref" in inner and not flat:
                    out += [f"Takes a {value(inner)}.", ""]
    return "\n".join(out).rstrip() + "\n"


def main():
    text = document(json.load(sys.stdin))
    if len(sys.argv) == 3 and sys.argv[1] == "--check":
        with open(sys.argv[2], encoding="utf-8") as file:
            if file.read() == text:
                return 0
        print(f"{sys.argv[2]} is not what the program's schema says; run: wavesim schema | docs/config_reference.py > docs/config.md")
        return 1
    sys.stdout.write(text)
    return 0


sys.exit(main())
