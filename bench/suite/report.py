"""Turns results into text, CSV, JSON and the table of docs/performance.md. A result is a plain dictionary, as in the JSON
file: machine, options, programs (each with its variants) and extras."""
import csv
import json
import os
import platform
from pathlib import Path

from . import measure
from .variants import ELISION, PAIR

BEGIN, END = "<!-- made by scripts/bench: begin -->", "<!-- made by scripts/bench: end -->"
NOISY = 1.3
COLUMNS = ("program", "size", "tasks", "variant", "kind", "threads", "runs", "median_ms", "min_ms", "max_ms",
           "ns_per_task", "ratio", "cpu_ms", "cpu_ratio", "instructions_per_task", "peak_mib", "problem")


def describe_machine():
    model = "unknown CPU"
    if Path("/proc/cpuinfo").exists():
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        model = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), model)
    return {"cpu": model, "cpus": len(os.sched_getaffinity(0)), "system": f"{platform.system()} {platform.release()}"}


def variant_row(outcome, elision, tasks, instructions):
    row = {"variant": outcome.variant.label, "kind": outcome.variant.kind, "threads": outcome.variant.threads,
           "runs": len(outcome.seconds), "problem": outcome.problem, "peak_mib": round(outcome.peak_kib / 1024, 1) or None}
    if outcome.seconds and not outcome.problem:
        row.update(median_ms=outcome.median * 1e3, min_ms=min(outcome.seconds) * 1e3,
                   max_ms=max(outcome.seconds) * 1e3, cpu_ms=outcome.median_cpu * 1e3)
        if elision.median:
            row["ratio"] = outcome.median / elision.median
        if elision.median_cpu:
            row["cpu_ratio"] = outcome.median_cpu / elision.median_cpu
        if tasks:
            row["ns_per_task"] = outcome.median * 1e9 / tasks
    if outcome.variant.label in instructions:
        row["instructions_per_task"] = instructions[outcome.variant.label]
    return row


def program_result(program, size, tasks, outcomes, instructions, how_counted):
    return {"name": program.name, "summary": program.summary, "size": size, "tasks": tasks, "must": program.must,
            "aim": program.aim, "instructions_by": how_counted,
            "variants": [variant_row(outcome, outcomes[0], tasks, instructions) for outcome in outcomes]}


def _number(value, digits):
    return "" if value is None else f"{value:.{digits}f}"


def _milliseconds(value):
    return _number(value, 1 if value is None or value >= 10 else 3)


def _find(result, label):
    return next((row for row in result["variants"] if row["variant"] == label), {})


def _median(result, label):
    return _find(result, label).get("median_ms")


def scaling(result, workers):
    """Returns cilk2gpu's speed-up from 1 to all workers, and the speed-up that the machine shows with two elisions at once.
    Values that were not measured are None."""
    one, many = _median(result, "cilk2gpu, 1"), _median(result, f"cilk2gpu, {workers}")
    alone, pair = _median(result, ELISION), _median(result, PAIR)
    return (one / many if one and many and workers > 1 else None), (2 * alone / pair if alone and pair else None)


def best_peer(result, threads):
    """Returns (label, ratio of cilk2gpu's median to the fastest peer's with as many threads), or None."""
    peers = [row for row in result["variants"]
             if row["kind"] in measure.PEERS and row["threads"] == threads and row.get("median_ms")]
    own = _median(result, f"cilk2gpu, {threads}")
    if not peers or not own:
        return None
    best = min(peers, key=lambda row: row["median_ms"])
    return best["variant"], own / best["median_ms"]


def noise_line(result):
    """Returns a warning if the elision's own runs differ so much that ratios of medians say little."""
    elision = result["variants"][0]
    spread = elision["max_ms"] / elision["min_ms"] if elision.get("min_ms") else 1
    if spread <= NOISY:
        return []
    return [f"NOISY: the elision's slowest run took {spread:.1f} times its fastest; the ratio of CPU times says more"]


def goal_lines(result, workers):
    lines = noise_line(result)
    ratio = (_find(result, "cilk2gpu, 1") or _find(result, "cilk2gpu, arrays, 1")).get("ratio")
    if result["must"] and ratio:
        state = "aim reached" if ratio <= result["aim"] else "reached" if ratio <= result["must"] else "MISSED"
        lines.append(f"goal: one worker at most {result['must']} of the elision's time (aim {result['aim']}): "
                     f"{ratio:.2f}, {state}")
    speedup, possible = scaling(result, workers)
    if speedup:
        lines.append(f"scaling: {workers} workers are {speedup:.2f} times as fast as one"
                     + (f"; two elisions at once do {possible:.2f} times one's work" if possible else ""))
    for threads in dict.fromkeys((1, workers)):
        peer = best_peer(result, threads)
        if peer:
            lines.append(f"best peer: {peer[1]:.2f} of the time of {peer[0]}")
    return lines


def text(result, workers, with_goals=True):
    tasks = f", {result['tasks']:,} tasks" if result["tasks"] else ""
    lines = [f"{result['name']} {result['size']}{tasks}: {result['summary']}",
             f"  {'':26} {'median ms':>10} {'min':>9} {'max':>9} {'ns/task':>9} {'/ serial':>9} {'CPU':>7} "
             f"{'instr/task':>11}"]
    for row in result["variants"]:
        if row["problem"]:
            lines.append(f"  {row['variant']:26} {row['problem']}")
            continue
        lines.append(f"  {row['variant']:26} {_milliseconds(row.get('median_ms')):>10} {_milliseconds(row.get('min_ms')):>9} "
                     f"{_milliseconds(row.get('max_ms')):>9} {_number(row.get('ns_per_task'), 2):>9} "
                     f"{_number(row.get('ratio'), 2):>9} {_number(row.get('cpu_ratio'), 2):>7} "
                     f"{_number(row.get('instructions_per_task'), 1):>11}")
    goals = goal_lines(result, workers) if with_goals else []
    return "\n".join(lines + [f"  {line}" for line in goals])


def extras_lines(extras):
    lines = []
    if "startup_ms" in extras:
        serial, own = extras["startup_ms"]["serial elision"], extras["startup_ms"]["cilk2gpu"]
        lines.append(f"fib(5) as a whole process: {own:.2f} ms, serial elision {serial:.2f} ms; "
                     f"{own - serial:.2f} ms more (goal: at most 2)")
    for name, times in extras.get("compile_seconds", {}).items():
        lines.append(f"compiling {name}: {times['cilk2gpu']:.2f} s, clang {times['clang']:.2f} s; "
                     f"{times['cilk2gpu'] / times['clang']:.2f} times (goal: at most 3)")
    for workers, peak in extras.get("fib45_peak_mib", {}).items():
        amount = "failed" if peak is None else f"{peak:.1f} MiB" if peak else "less than the harness has itself"
        lines.append(f"peak memory of fib(45), workers {workers}: {amount} (goal: below 64)")
    return lines


def write_json(path, results):
    path.write_text(json.dumps(results, indent=1) + "\n")


def write_csv(path, results):
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="")
        writer.writeheader()
        for result in results["programs"]:
            shared = {"program": result["name"], "size": result["size"], "tasks": result["tasks"] or ""}
            for row in result["variants"]:
                writer.writerow({**shared, **row})


def _cell(row):
    if row.get("ratio") is None:
        return row.get("problem", "").split(":")[0].lower()
    return f"{row['ratio']:.2f}"


def markdown(results):
    """Returns the ratios to the serial elision's median as a table, with notes for the reader."""
    workers = max(results["options"]["workers"])
    counts = list(dict.fromkeys((1, workers)))
    labels = [f"{system}, {count}" for system in ("cilk2gpu", "OpenMP tasks", "oneTBB") for count in counts]
    labels = [label for label in labels if any(_find(result, label) for result in results["programs"])]
    lines = ["| program | tasks | elision, ms | " + " | ".join(labels) + " | by hand | goal |",
             "| --- | --- | --- |" + " --- |" * (len(labels) + 2)]
    for result in results["programs"]:
        by_hand = " / ".join(_cell(row) for row in result["variants"] if row["kind"] == "yardstick")
        cells = [f"{result['name']} {result['size']}", f"{result['tasks']:,}" if result["tasks"] else "",
                 _number(_median(result, ELISION), 0), *(_cell(_find(result, label)) for label in labels), by_hand,
                 f"{result['must']} ({result['aim']})" if result["must"] else ""]
        lines.append("| " + " | ".join(cells) + " |")
    machine, options = results["machine"], results["options"]
    lines += ["", f"{machine['cpu']}, {machine['cpus']} CPUs, {machine['system']}; -O3 -march={options['march']}; "
              f"medians of {options['rounds']} rounds, {results['date']}."]
    return "\n".join(lines + [""] + [f"- {line}" for line in extras_lines(results["extras"])]).rstrip()


def update_docs(path, table, begin=BEGIN, end=END):
    """Puts the table between the markers. Raises ValueError if they are not there."""
    content = path.read_text()
    if begin not in content or end not in content:
        raise ValueError(f"{path} has no lines '{begin}' and '{end}'")
    before, rest = content.split(begin, 1)
    after = rest.split(end, 1)[1]
    path.write_text(f"{before}{begin}\n{table}\n{end}{after}")
