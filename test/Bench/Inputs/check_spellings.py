"""Checks the forms of the spellings, two of their compilations, and the comparison of made-up times.

usage: check_spellings.py BENCH-FOLDER BUILD-FOLDER FOLDER
"""
import sys
from pathlib import Path

bench, build, folder = sys.argv[1:]
sys.path.insert(0, bench)
from suite import measure, spellings, variants  # noqa: E402

for family in spellings.FAMILIES:
    print(f"{family.name}: {len(family.forms)} forms, {len(spellings.spellings_of(family))} spellings")
tools = variants.Toolchain(build, "x86-64")
for family, form, kind in ((spellings.FAMILIES[0], "increment", "unsigned"), (spellings.FAMILIES[3], "down", "long")):
    spelling = spellings.Spelling(form, kind)
    built = spellings.build(tools, family, spelling, Path(folder))
    own = measure.measure(built, [family.quick_size], 1, 1, 60, lambda what: None)[1]
    print(f"{family.name} {spelling.name}: {own.problem or 'the same result'}")
made_up = [spellings.Spelling("a", "long", 1.0, 1.0), spellings.Spelling("b", "long", 1.05, 1.575), spellings.Spelling("c", "int", 1.02, 2.04),
           spellings.Spelling("d", "long", 2.0, 6.0)]
spellings.compare(made_up)
for each in made_up:
    print(f"{each.name}: over {each.over:.2f}, across {each.across:.2f}, {'slow' if each.is_slow else 'not slow'}")
