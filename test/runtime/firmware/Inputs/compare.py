"""compare.py WITH.json WITHOUT.json: checks that all counters but times and the firmware's own are equal, or prints differences."""
import json
import sys


def differences(path, reference):
    """Returns texts about differences; none if the statistics are equal."""
    ours, others = (json.load(open(name)) for name in (path, reference))
    wrong = [f"{name}: {counter['value']} and {others['counters'][name]['value']}"
             for name, counter in ours["counters"].items()
             if not name.startswith("firmware_") and counter["unit"] != "ns" and counter["value"] != others["counters"][name]["value"]]
    parts = [counter["value"] for name, counter in ours["counters"].items() if name.startswith("firmware_")]
    if ours["tasks"] != others["tasks"]:
        wrong.append("tasks")
    if parts[0] != sum(parts[1:]) or 0 in parts[1:3]:
        wrong.append(f"instructions: {parts}")
    return wrong


if __name__ == "__main__":
    sys.exit("; ".join(differences(*sys.argv[1:3])) or 0)
