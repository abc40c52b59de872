"""usage: check_results.py BENCH-FOLDER RESULTS-FOLDER PROGRAM...

Reads what scripts/bench wrote and compares the files with one another.
"""
import csv
import json
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])

from suite import plot, report  # noqa: E402


def main():
    folder, names = Path(sys.argv[2]), sys.argv[3:]
    results = json.loads((folder / "results.json").read_text())
    assert [result["name"] for result in results["programs"]] == names
    rows = [(result["name"], row) for result in results["programs"] for row in result["variants"]]
    assert all(not row["problem"] or row["problem"].startswith("skipped") for _, row in rows), rows
    for result in results["programs"]:
        labels = [row["variant"] for row in result["variants"]]
        assert {"serial elision", "two elisions at once", "cilk2gpu, 1", "cilk2gpu, 2"} <= set(labels), labels
        assert result["variants"][0]["ratio"] == 1 and result["tasks"] > 0
    with (folder / "results.csv").open(newline="") as file:
        lines = list(csv.DictReader(file))
    assert list(lines[0]) == list(report.COLUMNS)
    assert [(line["program"], line["variant"]) for line in lines] == [(name, row["variant"]) for name, row in rows]
    assert all(float(line["median_ms"]) > 0 for line in lines if not line["problem"])
    svg = ElementTree.parse(folder / "ratios.svg").getroot()
    bars = {element.get("id") for element in svg.iter() if element.get("id", "").startswith("bar ")}
    drawn = {f"bar {result['name']} {result['size']} {row['variant']}" for result in results["programs"] for row in result["variants"]
             if row.get("ratio") and row["kind"] in plot.COLOURS}
    assert svg.tag.endswith("svg") and bars == drawn and len(bars) >= 2 * len(names), (bars, drawn)
    table = report.markdown(results).splitlines()
    width = table[0].count("|")
    assert all(line.count("|") == width for line in table[:2 + len(names)]), table


main()
