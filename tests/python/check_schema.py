"""check_schema.py WAVESIM CONFIGS: the schema that the program prints takes every config of a folder, and refuses what the program refuses."""

import json
import pathlib
import re
import subprocess
import sys

try:
    import jsonschema
    import yaml
except ImportError as e:
    print("skipped:", e)
    sys.exit(77)


class Loader(yaml.SafeLoader):
    """With the numbers of YAML 1.2: 1e-6."""


Loader.add_implicit_resolver("tag:yaml.org,2002:float", re.compile(r"^[-+]?[0-9]+([.][0-9]*)?([eE][-+]?[0-9]+)$"), list("-+0123456789"))
printed = subprocess.run([sys.argv[1], "schema"], capture_output=True, check=True, text=True).stdout
validator = jsonschema.Draft202012Validator(json.loads(printed))


def errors(text):
    return [e.message[:200] for e in validator.iter_errors(yaml.load(text, Loader=Loader))]


for config in sorted(pathlib.Path(sys.argv[2]).glob("*.yaml")):
    assert not errors(config.read_text()), (config.name, errors(config.read_text()))

SMALL = {"grid": "{size: [1, 1], cells: [2, 2]}", "medium": "{speed: 1}", "time": "{end: 1}"}


def refused(**sections):
    return bool(errors("\n".join(f"{key}: {value}" for key, value in (SMALL | sections).items())))


assert not refused() and not refused(edges="{left: periodic, right: periodic}", output="{pictures: none}", parameters="{a: 1}")
assert refused(time="{end: 1, courant: 1, step: 1}") and refused(time="{end: 1, steps: 2}") and refused(time="{courant: 1}")
assert refused(medium="{speed: -1}") and refused(medium="{tension: 1}") and refused(medium="{speed: 1, tension: 1, mass: 1}")
assert refused(edges="{left: periodic}") and refused(edges="{bottom: periodic, top: fixed}")
assert refused(sources="[{at: [0, 0], area: 1, ricker: {frequency: 1}}]") and refused(sources="[{at: [0, 0]}]")
assert refused(receivers="[{from: [0, 0], count: 2}]")
SOURCE = "[{at: [0, 0], ricker: {frequency: 1}}]"
assert refused(sources=SOURCE, shots="[{from: [0, 0], count: 2}]") and refused(sources=SOURCE, shots="[{name: a, at: [0, 0]}]")
assert refused(shots="[{at: [0, 0]}]") and not refused(sources=SOURCE, shots="[{at: [0, 0]}]")
assert refused(sources="[{area: 1, dipole: [1, 0], ricker: {frequency: 1}}]") and not refused(sources="[{at: [0, 0], dipole: [1, 0], ricker: {frequency: 1}}]")
assert refused(time="{end: 1, weights: [0.25, 0.5, 0.25]}") and refused(time="{end: 1, scheme: theta}") and not refused(time="{end: 1, scheme: theta, weights: [0.25, 0.5, 0.25]}")
assert refused(time="{end: 1, scheme: numerov, order: 4}") and not refused(time="{end: 1, order: 4}")
assert refused(time="{end: 1, phase-error: 1e-3, courant: 1}") and refused(time="{end: 1, phase-error: 1e-3, scheme: numerov}") and not refused(time="{end: 1, phase-error: 1e-3}")
assert refused(medium="{model: shallow-water, depth: 1, density: 2}") and refused(medium="{depth: 1}") and not refused(medium="{model: shallow-water, depth: 1, gravity: 2}")
assert refused(medium="{model: acoustic, tension: 1, mass: 1}") and not refused(medium="{tension: 1, mass: 1}")
assert all(refused(space=f"{{order: {n}}}") for n in (1, 3, 5, 6, 7, 9)) and not any(refused(space=f"{{order: {n}}}") for n in (2, 4, 8))
assert refused(name='""') and not refused(name="a b") and not refused(name="1")
assert refused(parameters="{x: 1}") and refused(parameters="{sin: 1}") and refused(parameters="{1a: 1}") and not refused(parameters="{xs: 1}")
assert refused(edges="{absorbing: {pml: {thickness: -1}}}") and not refused(edges="{absorbing: {pml: {thickness: 20 cells}}}")
