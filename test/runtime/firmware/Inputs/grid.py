"""grid.py PROGRAM ARGUMENTS...: runs it on gpu-host with the firmware PROGRAM.fw and without, for several waves, widths and
places of the aggregator. Prints one line for each run, and the differences at the end, if there are any."""
import itertools
import json
import os
import subprocess
import sys

from compare import differences

program = sys.argv[1]
command = [f"./{program}", *sys.argv[2:]]


def run(**settings):
    """Returns the program's output; statistics go to a file."""
    named = {f"CILK2GPU_{name.upper()}": str(value) for name, value in settings.items()}
    return subprocess.run(command, env={**os.environ, "CILK2GPU_DEVICE": "gpu-host", **named}, check=True, capture_output=True)


for wave, width, aggregator in itertools.product([1, 32, 64], [1, 64, 8192], ["host", "persistent"]):
    settings = {"wave": wave, "width": width, "aggregator": aggregator, "workers": 2 if wave == 32 else 1}
    ours = run(stats="with.json", firmware=f"{program}.fw", **settings)
    others = run(stats="without.json", **settings)
    said = " ".join(f"{name}={value}" for name, value in settings.items())
    if (ours.stdout, ours.stderr) != (others.stdout, others.stderr):
        sys.exit(f"{said}: {ours} and {others}")
    # Several workers' lanes spawn in any order. In narrow channels, the order of their elements matters.
    wrong = differences("with.json", "without.json") if aggregator == "host" or settings["workers"] == 1 else []
    if wrong:
        sys.exit(f"{said}: {'; '.join(wrong)}")
    yields = json.load(open("without.json"))["counters"]["yields"]["value"]
    print(f"{said}: {'yields' if yields else 'no yields'}")
