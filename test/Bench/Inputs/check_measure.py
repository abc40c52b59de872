"""usage: check_measure.py BENCH-FOLDER SCRATCH-FOLDER

Measures small shell scripts instead of programs: each way to fail must be reported as that.
"""
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
SCRATCH = Path(sys.argv[2])

from suite import measure, report  # noqa: E402
from suite.variants import Variant  # noqa: E402


def variant(label, body, kind="cilk2gpu"):
    path = SCRATCH / label
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return Variant(label, kind, path)


def check_outcomes():
    variants = [variant("elision", "echo size $1; echo ok", "elision"), variant("same", "echo size $1; echo ok"),
                variant("pair", "echo size $1; echo ok", "pair"), variant("other", "echo size 0; echo ok"),
                variant("broken", "echo size $1; exit 3"), variant("endless", "exec sleep 60"),
                variant("slow", "sleep 0.7; echo size $1; echo ok"),
                variant("slow peer", "exec sleep 60", "openmp"),
                variant("unable", "echo no vectors; exit 77", "yardstick")]
    outcomes = {outcome.variant.label: outcome
                for outcome in measure.measure(variants, [5], 2, 1, limit=1, progress=lambda what: None)}
    for label in ("elision", "same", "pair"):
        assert len(outcomes[label].seconds) == 2 and not outcomes[label].problem, (label, outcomes[label])
    assert len(outcomes["slow"].seconds) == 1, outcomes["slow"]  # takes part in every third round
    assert outcomes["other"].problem.startswith("FAILED: printed 'size 0"), outcomes["other"]
    assert outcomes["broken"].problem.startswith("FAILED: status 3"), outcomes["broken"]
    assert outcomes["endless"].problem == "FAILED: stopped after 1 s", outcomes["endless"]
    assert outcomes["slow peer"].problem == "too slow: stopped after 1 s", outcomes["slow peer"]
    assert outcomes["unable"].problem == "skipped: no vectors", outcomes["unable"]
    assert all(not outcomes[label].seconds for label in ("other", "broken", "endless", "unable"))


def check_docs():
    page = SCRATCH / "page.md"
    page.write_text(f"before\n{report.BEGIN}\nold\n{report.END}\nafter\n")
    rows = [{"variant": "serial elision", "kind": "elision", "threads": 1, "problem": "", "median_ms": 10, "ratio": 1},
            {"variant": "cilk2gpu, 1", "kind": "cilk2gpu", "threads": 1, "problem": "", "median_ms": 5, "ratio": 0.5}]
    program = {"name": "p", "size": 3, "tasks": 1234, "must": 1.0, "aim": 0.6, "variants": rows}
    results = {"machine": {"cpu": "C", "cpus": 2, "system": "S"}, "date": "today", "programs": [program], "extras": {},
               "options": {"workers": [1], "march": "native", "rounds": 7}}
    report.update_docs(page, report.markdown(results))
    content = page.read_text()
    assert content.startswith(f"before\n{report.BEGIN}\n| program |") and content.endswith(f"{report.END}\nafter\n")
    assert "old" not in content and "| p 3 | 1,234 | 10 | 0.50 |" in content, content
    page.write_text("no markers\n")
    try:
        report.update_docs(page, report.markdown(results))
    except ValueError:
        return
    raise AssertionError("a page without markers was accepted")


check_outcomes()
check_docs()
