#!/usr/bin/env python3
"""Makes small programs from two tables, and runs them under the race detector. Half of them have one race, at two known
lines; the others have none.

usage: test/races/run.py --driver DRIVER --work FOLDER [--quick] [--filter REGEX] [--list]

A program joins a row of each table:
  KINDS     what two functions, first() and second(), do to memory: a pair that races if both run in parallel, and a pair
            that does not, because of a lock, an atomic, or disjoint locations
  CONTEXTS  how the functions run: in parallel, or one after the other

A program with the pair that races in a context that is parallel must have exactly one report, of the lines that "// A"
and "// B" mark. A program with the other pair, or in the ordered context, must have none.

  --quick          one program for each row, a few seconds
  --filter REGEX   only programs whose names match
  --list           print the names

The last line is "N passed, N failed". The exit status is 0 only if something ran and nothing failed.
"""
import argparse
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

RACE_STATUS = 66


@dataclass(frozen=True)
class Kind:
    """What first() and second() do. Each pair is (declarations, statement of first, statement of second)."""
    name: str
    racy: tuple
    safe: tuple
    begin: str = ""  # statements of main before the strands
    cxx: bool = False


@dataclass(frozen=True)
class Context:
    """How the functions run: code in front of main, and statements of main."""
    name: str
    parallel: str
    ordered: str
    before: str = ""
    cxx: bool = False
    mit: bool = False


KINDS = [
    Kind("global", ("int x;", "x = 1;", "x = 2;"), ("int x, y;", "x = 1;", "y = 2;")),
    Kind("read", ("int x, sink;", "x = 1;", "sink = x;"), ("int x, sink, other;", "other = x;", "sink = x;")),
    Kind("element", ("long a[8]; int k = 3;", "a[k] = 1;", "a[3] += 2;"), ("long a[8]; int k = 3;", "a[k] = 1;", "a[k + 1] += 2;")),
    Kind("byte", ("char text[8];", "text[5] = 'a';", "text[5]++;"), ("char text[8];", "text[5] = 'a';", "text[6]++;")),
    Kind("field", ("struct S { short a, b; double c; } s;", "s.b = 1;", "s.b += 2;"),
         ("struct S { short a, b; double c; } s;", "s.a = 1;", "s.b += 2;")),
    Kind("heap", ("double *p;", "p[100] = 1;", "p[100] *= 2;"), ("double *p;", "p[100] = 1;", "p[101] *= 2;"),
         begin="p = calloc(200, sizeof *p);"),
    Kind("local", ("int *p;", "*p = 1;", "*p += 2;"), ("int *p;", "p[0] = 1;", "p[1] += 2;"), begin="int local[2] = {0, 0}; p = local;"),
    Kind("memcpy", ("char to[64], from[64]; int n = 40;", "memcpy(to, from, n);", "to[39] = 1;"),
         ("char to[64], from[64]; int n = 40;", "memcpy(to, from, n);", "to[40] = 1;")),
    Kind("memset", ("int to[64]; int n = 40;", "memset(to, 0, n * sizeof(int));", "memset(to + 39, 1, n);"),
         ("int to[64]; int n = 40;", "memset(to, 0, n * sizeof(int));", "memset(to + 40, 1, n);")),
    Kind("strcpy", ("char to[64]; volatile const char *from = \"some words\"; long sink;", "strcpy(to, (const char *)from);",
                    "sink = to[10];"),
         ("char to[64]; volatile const char *from = \"some words\"; long sink;", "strcpy(to, (const char *)from);", "sink = to[11];")),
    Kind("structs", ("struct Big { int a[20]; } big, other;", "big = other;", "big.a[19] = 1;"),
         ("struct Big { int a[20]; } big, other;", "big.a[18] = other.a[3];", "big.a[19] = 1;")),
    Kind("free", ("int *p, sink;", "sink = p[7];", "free(p);"), ("int *p, *q, sink;", "sink = q[7];", "free(p);"),
         begin="p = calloc(20, sizeof *p); if (sizeof q) ;"),
    Kind("reuse", ("int *p, *q;", "p = malloc(40); q = p; p[1] = 1;", "q[1] = 2;"),
         ("int sink;", "int *p = malloc(40); p[0] = 1; sink = 0 * p[0]; free(p);", "int *p = malloc(40); p[0] = 2; free(p);")),
    Kind("atomic", ("_Atomic int x; int *p = (int *)&x;", "x++;", "*p = 2;"), ("_Atomic int x;", "x++;", "x = 2;")),
    Kind("mutex", ("#include <pthread.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x;",
                   "pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m);", "x = 2;"),
         ("#include <pthread.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x;",
          "pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m);", "pthread_mutex_lock(&m); x = 2; pthread_mutex_unlock(&m);")),
    Kind("locks", ("#include <pthread.h>\npthread_mutex_t m, n; int x;",
                   "pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m);", "pthread_mutex_lock(&n); x++; pthread_mutex_unlock(&n);"),
         ("#include <pthread.h>\npthread_mutex_t m, n; int x;",
          "pthread_mutex_lock(&m); pthread_mutex_lock(&n); x = 1; pthread_mutex_unlock(&n); pthread_mutex_unlock(&m);",
          "pthread_mutex_lock(&n); x++; pthread_mutex_unlock(&n);")),
    Kind("vector", ("#include <vector>\nstd::vector<int> v(10);", "v[4] = 1;", "v[4]++;"),
         ("#include <vector>\nstd::vector<int> v(10);", "v[4] = 1;", "v[5]++;"), cxx=True),
    Kind("std-mutex", ("#include <mutex>\nstd::mutex m; int x;", "{ std::lock_guard<std::mutex> guard(m); x = 1; }", "x++;"),
         ("#include <mutex>\nstd::mutex m; int x;", "{ std::lock_guard<std::mutex> guard(m); x = 1; }",
          "{ std::lock_guard<std::mutex> guard(m); x++; }"), cxx=True),
    Kind("std-atomic", ("#include <atomic>\nstd::atomic<long> x; long *p = (long *)&x;", "x += 2;", "*p = 1;"),
         ("#include <atomic>\nstd::atomic<long> x; long *p = (long *)&x;", "x += 2;", "x.store(1);"), cxx=True),
    Kind("temporary", ("#include <string>\nstd::size_t x;", "x = std::string(50, 'a').size();", "x = std::string(60, 'b').size();"),
         ("#include <string>\nstd::size_t x, y;", "x = std::string(50, 'a').size();", "y = std::string(60, 'b').size();"), cxx=True),
]



def lock_kind(name, declarations, take, release, begin="", cxx=False):
    """A kind in which a lock protects both accesses, or only the first."""
    declarations += "\nint x;"
    first, second = f"{{ {take} x = 1; {release} }}", f"{{ {take} x++; {release} }}"
    return Kind(name, (declarations, first, "x++;"), (declarations, first, second), begin=begin, cxx=cxx)


LATE = "struct timespec late = {1L << 33, 0};"
KINDS += [
    lock_kind("timed-lock", f"#include <pthread.h>\n#include <time.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; {LATE}",
              "pthread_mutex_timedlock(&m, &late);", "pthread_mutex_unlock(&m);"),
    lock_kind("try-write", "#include <pthread.h>\npthread_rwlock_t m = PTHREAD_RWLOCK_INITIALIZER;",
              "if (pthread_rwlock_trywrlock(&m)) return;", "pthread_rwlock_unlock(&m);"),
    lock_kind("semaphore", "#include <semaphore.h>\nsem_t m;", "sem_wait(&m);", "sem_post(&m);", begin="sem_init(&m, 0, 1);"),
    lock_kind("file-lock", "#include <stdio.h>", "flockfile(stdout);", "funlockfile(stdout);"),
    lock_kind("shared-mutex", "#include <shared_mutex>\nstd::shared_mutex m;", "while (!m.try_lock()) {}", "m.unlock();", cxx=True),
    Kind("once", ("#include <pthread.h>\npthread_once_t once; int x; void set(void) { x = 1; }", "pthread_once(&once, set); x = 2;", "x++;"),
         ("#include <pthread.h>\npthread_once_t once; int x; void set(void) { x = 1; }", "pthread_once(&once, set);",
          "pthread_once(&once, set);")),
    Kind("bounded-text", ("#include <string.h>\nchar to[8], from[8] = \"abcdefg\";", "strncpy(to, from, 4);", "from[2] = 'x';"),
         ("#include <string.h>\nchar to[8], from[8] = \"abcdefg\";", "strncpy(to, from, 4);", "from[5] = 'x';")),
    Kind("printed", ("#include <stdio.h>\nchar to[16] = \"0123456789\"; volatile int n = 16;", "snprintf(to, n, \"%d\", 123);", "to[2] = 'x';"),
         ("#include <stdio.h>\nchar to[16] = \"0123456789\"; volatile int n = 16; int length;",
          "length = snprintf(to, 0, \"%d\", 123);", "to[6] = 'x';")),
    Kind("number", ("#include <stdlib.h>\nchar text[8] = \"12 34\"; volatile long sink;", "sink = strtol(text, 0, 10);", "text[1] = '5';"),
         ("#include <stdlib.h>\nchar text[8] = \"12 34\"; volatile long sink;", "sink = strtol(text, 0, 10);", "text[3] = '5';")),
    Kind("search", ("#include <string.h>\nchar text[8] = \"12;34\", *found;", "found = strchr(text, ';');", "text[2] = '5';"),
         ("#include <string.h>\nchar text[8] = \"12;34\", *found;", "found = strchr(text, ';');", "text[3] = '5';")),
    Kind("end-of-number", ("#include <stdlib.h>\nchar text[8] = \"12 34\", *end; long a, b;", "a = strtol(text, &end, 10);", "b = end - text;"),
         ("#include <stdlib.h>\nchar text[8] = \"12 34\", *end; long a, b;", "a = strtol(text, 0, 10);", "b = end - text;")),
    Kind("throwing-once", ("#include <mutex>\nstd::once_flag once; int x;",
                           "try { std::call_once(once, [] { throw 1; }); } catch (int) {} x = 1;", "x = 2;"),
         ("#include <mutex>\nstd::once_flag once; int x, y;",
          "try { std::call_once(once, [] { throw 1; }); } catch (int) {} x = 1;", "y = 2;"), cxx=True),
    Kind("shared-pointer", ("#include <memory>\nauto p = std::make_shared<int>(1);", "auto q = p; *q = 2;", "auto q = p; *q += 1;"),
         ("#include <memory>\nauto p = std::make_shared<int>(1); long sink;", "auto q = p; sink = *q;", "auto q = p;"), cxx=True),
]

CONTEXTS = [
    Context("continuation", "cilk_spawn first(); second(); cilk_sync;", "cilk_spawn first(); cilk_sync; second();"),
    Context("children", "cilk_spawn first(); cilk_spawn second(); cilk_sync;", "cilk_spawn first(); cilk_sync; cilk_spawn second(); cilk_sync;"),
    Context("iterations", "cilk_for (int i = 0; i < 2; ++i) if (i) second(); else first();",
            "cilk_for (int i = 0; i < 1; ++i) first(); cilk_for (int i = 0; i < 1; ++i) second();"),
    Context("grandchild", "cilk_spawn middle(); second(); cilk_sync;", "middle(); second();",
            "static void middle(void) { cilk_spawn first(); nothing(); cilk_sync; }"),
    Context("recursion", "tree(0, 8, 1);", "tree(0, 8, 0);",
            "static void tree(int low, int high, int parallel) {\n  if (high - low == 1) {\n    if (low == 2) first();\n"
            "    if (low == 5) second();\n    return;\n  }\n  int middle = (low + high) / 2;\n"
            "  cilk_spawn tree(low, middle, parallel);\n  if (!parallel) cilk_sync;\n"
            "  tree(middle, high, parallel);\n  cilk_sync;\n}"),
    Context("loop", "for (int i = 0; i < 2; ++i) cilk_spawn step(i); cilk_sync;",
            "for (int i = 0; i < 2; ++i) { cilk_spawn step(i); cilk_sync; }",
            "static void step(int i) { if (i) second(); else first(); }"),
    Context("pointer", "cilk_spawn table[0](); table[1](); cilk_sync;", "cilk_spawn table[0](); cilk_sync; table[1]();",
            "static void (*volatile table[2])(void) = {first, second};"),
    Context("scope", "cilk_scope { cilk_spawn first(); second(); }", "cilk_scope { cilk_spawn first(); } second();"),
    Context("nested", "cilk_for (int i = 0; i < 2; ++i) { cilk_spawn step(i); nothing(); }",
            "for (int i = 0; i < 2; ++i) { cilk_spawn step(i); nothing(); cilk_sync; }",
            "static void step(int i) { if (i) second(); else first(); }"),
    Context("implicit", "cilk_spawn first(); unsynced(); cilk_sync;", "unsynced(); first();",
            "static void unsynced(void) { cilk_spawn second(); nothing(); }"),
    Context("argument", "cilk_spawn first(); cilk_spawn take(value()); cilk_sync;", "cilk_spawn take(value()); first(); cilk_sync;",
            "static int value(void) { second(); return 1; }\nstatic void take(int n) { if (n > 1) nothing(); }"),
    Context("result", "int r = cilk_spawn one(); second(); cilk_sync; if (r != 1) return 1;",
            "int r = cilk_spawn one(); cilk_sync; second(); if (r != 1) return 1;",
            "static int one(void) { first(); return 1; }"),
    Context("mit", "spawn first(); spawn second(); sync;", "spawn first(); sync; spawn second(); sync;", mit=True),
    Context("lambda", "auto f = [] { first(); }; cilk_spawn f(); second(); cilk_sync;",
            "auto f = [] { first(); }; cilk_spawn f(); cilk_sync; second();", cxx=True),
    Context("method", "Owner owner; cilk_spawn owner.one(); owner.two(); cilk_sync;",
            "Owner owner; cilk_spawn owner.one(); cilk_sync; owner.two();",
            "struct Owner { int own = 0; void one() { first(); } void two() { own = 1; second(); } };", cxx=True),
]


# Programs with local variables of a function, which no pointer leads to: name, text, whether it races. The lines of a race
# end in "// A" and "// B".
LOCALS = [
    ("sum", "int sum = 0;\ncilk_for (int i = 0; i < 9; ++i)\n  sum += i; // AB\nuse(sum);", True),
    ("private", "cilk_for (int i = 0; i < 9; ++i) {\n  int own = i;\n  own += 2;\n  use(own);\n}", False),
    ("escaping-private", "cilk_for (int i = 0; i < 9; ++i) {\n  int own = i;\n  useAt(&own);\n  own++;\n}", False),
    ("child-sum", "int sum = 0;\nfor (int i = 0; i < 2; ++i)\n  cilk_spawn addTo(&sum, i);\ncilk_sync;\nuse(sum);", True),
    ("synced-sum", "int sum = 0;\nfor (int i = 0; i < 2; ++i) {\n  cilk_spawn addTo(&sum, i);\n  cilk_sync;\n}\nuse(sum);", False),
    ("results", "int a = cilk_spawn one(1);\nint b = cilk_spawn one(2);\ncilk_sync;\nuse(a + b);", False),
    ("array-results", "int a[4];\nfor (int i = 0; i < 4; ++i)\n  a[i] = cilk_spawn one(i);\ncilk_sync;\nuse(a[0] + a[3]);", False),
    ("one-result", "int a[4];\nfor (int i = 0; i < 4; ++i)\n  a[i / 4] = cilk_spawn one(i); // AB\ncilk_sync;\nuse(a[0]);", True),
    ("counter", "int n = 0;\ncilk_for (int i = 0; i < 4; ++i) {\n  if (i == 1)\n    n = 1; // A\n  if (i == 2)\n    use(n); // B\n}", True),
    ("array", "int a[10];\ncilk_for (int i = 0; i < 10; ++i)\n  a[i] = i;\nuse(a[3]);", False),
    ("shifted", "int a[11];\ncilk_for (int i = 0; i < 10; ++i) {\n  a[i + 1] = i; // A\n  use(a[i]); // B\n}", True),
    ("struct-argument", "struct pair p = {1, 2};\nfor (int i = 0; i < 3; ++i) {\n  cilk_spawn take(p);\n  p.a++;\n}\ncilk_sync;", False),
    ("frames", "for (int i = 0; i < 3; ++i)\n  cilk_spawn frames(i);\nframes(3);\ncilk_sync;", False),
    ("after-loop", "int n = 0;\ncilk_for (int i = 0; i < 3; ++i)\n  use(i);\nn = 2;\nuse(n);", False),
    ("heap-sum", "int *sum = calloc(1, sizeof(int));\ncilk_for (int i = 0; i < 9; ++i)\n  *sum += i; // AB\nuse(*sum);\nfree(sum);", True),
    ("static-flag", "static int done;\nint n = 0;\ncilk_for (int i = 0; i < 4; ++i) {\n  if (i == 1)\n    done = 1; // A\n  if (i == 2)\n    use(done); // B\n}", True),
    ("heap-copies", "cilk_for (int i = 0; i < 9; ++i) {\n  int *own = malloc(sizeof(int));\n  *own = i;\n  use(*own);\n  free(own);\n}", False),
    ("after-child", "int n = 0;\ncilk_spawn addTo(&n, 1);\nn = 2; // A\ncilk_sync;\nuse(n);", None),
]
LOCALS_BEFORE = """#include <cilk/cilk.h>
#include <stdlib.h>
struct pair { int a, b; int more[10]; };
static volatile int sink;
__attribute__((noinline)) static void use(int n) { __asm__ volatile("" : : "r"(n)); }
__attribute__((noinline)) static void useAt(int *n) { *n += 1; }
static void addTo(int *to, int n) {
  *to += n; // CHILD
}
static int one(int n) { return n + 1; }
static void take(struct pair p) { p.b += 3; useAt(&p.a); }
static void frames(int n) { int own[4] = {n}; useAt(own + 1); use(own[0]); }
int main(void) {
"""


@dataclass(frozen=True)
class Local:
    """A program with local variables."""
    row: tuple
    suffix: str = ".c"

    @property
    def name(self):
        return f"local-{self.row[0]}-{self.form}"

    @property
    def form(self):
        return "safe" if self.row[2] is False else "racy"

    def text(self):
        return LOCALS_BEFORE + self.row[1] + "\nreturn 0;\n}\n"

    def lines(self):
        marks = [(number, line.split("// ")[-1]) for number, line in enumerate(self.text().splitlines(), 1) if "// " in line]
        found = [number for number, mark in marks if mark in ("A", "B", "AB")]
        child = [number for number, mark in marks if mark == "CHILD"]
        return tuple(found * 2 if len(found) == 1 and self.row[2] else found if len(found) == 2 else (found + child if found else child * 2))


@dataclass(frozen=True)
class Program:
    kind: Kind
    context: Context
    form: str  # racy, safe or ordered

    @property
    def name(self):
        return f"{self.context.name}-{self.kind.name}-{self.form}"

    @property
    def suffix(self):
        return ".cpp" if self.kind.cxx or self.context.cxx else ".cilk" if self.context.mit else ".c"

    def text(self):
        declarations, first, second = self.kind.safe if self.form == "safe" else self.kind.racy
        cilk = "cilk " if self.context.mit else ""
        begin = self.kind.begin if self.form != "safe" or self.kind.name != "free" else "p = calloc(20, sizeof *p); q = calloc(20, sizeof *q);"
        if self.kind.name == "free" and self.form != "safe":
            begin = "p = calloc(20, sizeof *p);"
        lines = ["" if self.context.mit else "#include <cilk/cilk.h>", "#include <stdlib.h>", "#include <string.h>", declarations,
                 "__attribute__((noinline)) static void nothing(void) { __asm__ volatile(\"\"); }",
                 f"{cilk}static void first(void) {{", f"  {first} // A", "}",
                 f"{cilk}static void second(void) {{", f"  {second} // B", "}",
                 self.context.before, f"{cilk}int main(void) {{", f"  {begin}",
                 f"  {self.context.ordered if self.form == 'ordered' else self.context.parallel}", "  nothing();", "  return 0;", "}"]
        text = "\n".join(lines) + "\n"
        if self.suffix == ".cpp":  # what C++ does not convert or spell as C does
            text = re.sub(r"(\w+) = (malloc|calloc)\(", r"\1 = (decltype(\1))\2(", text)
            text = re.sub(r"int \*p = \(decltype\(p\)\)", "int *p = (int *)", text).replace("_Atomic int", "_Atomic(int)")
        return text

    def lines(self):
        """The two lines of the race."""
        return tuple(number for mark in "AB" for number, line in enumerate(self.text().splitlines(), 1) if line.endswith(f"// {mark}"))


def fits(kind, context):
    if context.mit and kind.cxx:
        return False
    # Children that read q before it is set have no race to show; a block is allocated by the first strand.
    return not (kind.name == "free" and context.name == "argument")


def all_programs():
    programs = []
    for i, context in enumerate(CONTEXTS):
        for k, kind in enumerate(KINDS):
            if fits(kind, context):
                programs.append(Program(kind, context, "racy"))
                isOrdered = (i + k) % 2 and context.name not in ("argument", "implicit")  # second() would run first
                programs.append(Program(kind, context, "ordered" if isOrdered else "safe"))
    return programs + [Local(row) for row in LOCALS]


def quick_programs(programs):
    """About one program for each row of each table, racy and not by turns."""
    chosen, seen = [], set()
    for program in programs[::-1] + programs:
        if isinstance(program, Local):
            continue
        keys = {program.kind.name, program.context.name}
        if not keys & seen and (program.form == "racy") == (len(chosen) % 2 == 0):
            chosen.append(program)
            seen |= keys
    return chosen


def reported(errors):
    """The pairs of lines of the reports."""
    pairs = set()
    for report in re.split(r"^cilk2gpu: (?:data|determinacy) race at ", errors, flags=re.M)[1:]:
        places = re.findall(r"^  (?:an?|may run in parallel with an?) .* at (.*):(\d+):\d+$", report, flags=re.M)
        pairs.add(tuple(sorted(int(line) for _, line in places)))
    return pairs


def check(options, program):
    """Returns why the program fails, or None."""
    source = Path(options.work, program.name + program.suffix)
    source.write_text(program.text())
    driver = options.driver + ("++" if program.suffix == ".cpp" else "")
    binary = source.with_suffix("")
    compiled = subprocess.run([driver, "-fsanitize=cilk", "-O1", "-w", source, "-o", binary], capture_output=True, text=True)
    if compiled.returncode:
        return "not compiled: " + compiled.stderr.splitlines()[0]
    done = subprocess.run([binary], capture_output=True, text=True, timeout=60)
    wanted = {tuple(sorted(program.lines()))} if program.form == "racy" else set()
    found = reported(done.stderr)
    if found != wanted:
        return f"reports of the lines {sorted(found)}, and the race is at {sorted(wanted)}"
    status = RACE_STATUS if wanted else 0
    return None if done.returncode == status else f"exit status {done.returncode}, not {status}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--driver", default="cilk2gpu")
    parser.add_argument("--work", default=".")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--filter", default="")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    Path(options.work).mkdir(parents=True, exist_ok=True)
    programs = [program for program in all_programs() if re.search(options.filter, program.name)]
    if options.quick:
        programs = quick_programs(programs) + [p for p in programs if p.name.startswith(("local-sum", "local-counter"))]
    passed, failed = 0, 0
    for program in programs:
        if options.list:
            print(program.name)
            continue
        failure = check(options, program)
        passed, failed = passed + (failure is None), failed + (failure is not None)
        if failure:
            print(f"FAIL {program.name}: {failure}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 0 if options.list or (passed and not failed) else 1


sys.exit(main())
