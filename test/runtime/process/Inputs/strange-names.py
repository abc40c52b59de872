"""strange-names.py CILK2GPU FOLDER: compiles and runs a program whose file, function, path and arguments have names with quotes,
line breaks and bytes that are not UTF-8. Prints the names that its statistics, its trace and its graph have."""
import json
import os
import subprocess
import sys

driver, folder = map(os.fsencode, sys.argv[1:])
SOURCE = b"""#include <cilk/cilk.h>
#include <stdio.h>
int fib(int n) __asm__("fib\\"of\\\\n");
int fib(int n) {
  if (n < 2)
    return n;
  int a = cilk_spawn fib(n - 1);
  int b = fib(n - 2);
  cilk_sync;
  return a * b + a + b;
}
int main(void) { return fib(9) == 0; }
"""
ARGUMENTS = [b'"', b"line\nbreak", b"\xff\xfe", "ü\U0001d11e".encode(), b"back\\slash"]

source, program = folder + b'/a"b\\c\xff.c', folder + b'/run "\xe9\n'
with open(source, "wb") as out:
    out.write(SOURCE)
subprocess.run([driver, b"-O1", source, b"-o", program], check=True)
graph = subprocess.run([driver, b"-O1", b"--emit=graph-json", source], check=True, capture_output=True).stdout
json.loads(graph.decode(errors="strict"))

for device in (b"native", b"model"):
    files = {b"CILK2GPU_STATS": folder + b"/s.json", b"CILK2GPU_TRACE": folder + b"/t.json"}
    environment = {**os.environb, **files, b"CILK2GPU_DEVICE": device, b"CILK2GPU_WORKERS": b"1", b"CILK2GPU_ELIDE": b"never"}
    if device != b"model":
        del environment[b"CILK2GPU_TRACE"]
    subprocess.run([program, *ARGUMENTS], env=environment, check=True)
    with open(files[b"CILK2GPU_STATS"], encoding="utf-8", errors="strict") as text:
        statistics = json.load(text)
    shown = {"program": statistics["program"].rsplit("/", 1)[1], "arguments": statistics["arguments"],
             "tasks": [task["name"] for task in statistics["tasks"]],
             "files": sorted({os.path.basename(task["location"]).split(":")[0] for task in statistics["tasks"]})}
    print(device.decode(), json.dumps(shown))
with open(folder + b"/t.json", encoding="utf-8", errors="strict") as text:
    print("trace", json.dumps(sorted({event["name"] for event in json.load(text)["traceEvents"] if event["ph"] == "X"})))
