"""Parses every `mlir` example of dialect reference pages with cilk-opt. Module-level examples stand alone; examples of
operations are put into a function of a module with the graph that they refer to: an ordinary one, or the body or the links
of a block graph. Values that an example uses without defining them become arguments. usage: parse_examples.py CILK_OPT PAGE..."""
import re
import subprocess
import sys

PRELUDE = """
channel.graph @cilk {
  channel.stack @fib (i32, !llvm.ptr)
  channel.frame @fib.frame of @fib size 24 align 8
  channel.blocks @wave fields(!llvm.ptr, i32) body @wave.block links @wave.links threads [64, 1, 1]
  channel.blocks @row fields(!llvm.ptr) body @row.block
}
llvm.func @row.block(!llvm.ptr) attributes {channel.blocks = @cilk::@row}
llvm.func @fib(i32) -> i32
llvm.func @visit(!llvm.ptr)
"""
WAVE = "attributes {channel.blocks = @cilk::@wave}"
BODY, LINKS = f"llvm.func @wave.block(!llvm.ptr, i32) {WAVE}", f"llvm.func @wave.links() {WAVE}"
TYPES = {"n": "i32", "m": "i32", "sum": "i32", "lanes": "i32"}


def wrap(example):
    if re.match(r"\s*(channel\.graph|llvm\.func|module)", example):
        return example
    defined = set()
    for line in example.splitlines():
        if "=" in line:
            defined |= set(re.findall(r"%(\w+)", line.split("=")[0]))
    used = sorted(set(re.findall(r"%(\w+)", example)) - defined)
    code = f"{{\n{example}\n  llvm.return\n}}\n"
    if "channel.link " in example:
        return f"{PRELUDE}{BODY}\n{LINKS} {code}"
    if re.search(r"channel\.(block_id|thread_id|grid_dim|block_dim|block_sync)", example):
        return f"{PRELUDE}{LINKS}\n{BODY.replace('ptr, i32', 'ptr, %n: i32').replace('(!', '(%array: !')} {code}"
    args = ", ".join(f"%{name}: {TYPES.get(name, '!llvm.ptr')}" for name in used)
    return f"{PRELUDE}{BODY}\n{LINKS}\nllvm.func @example({args}) attributes {{cilk.task}} {code}"


def main():
    failed = count = 0
    for page in sys.argv[2:]:
        for example in re.findall(r"```mlir\n(.*?)```", open(page, encoding="utf-8").read(), re.S):
            count += 1
            result = subprocess.run([sys.argv[1], "-"], input=wrap(example), capture_output=True, text=True)
            if result.returncode:
                failed += 1
                print(f"{page}: this example does not parse:\n{example}\n{result.stderr}")
    print(f"{count} examples, {failed} failed")
    return 1 if failed or not count else 0


sys.exit(main())
