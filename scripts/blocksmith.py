"""Random kernels of thread blocks, for fuzz-blocks.

A kernel is free of races: in each phase, a thread reads what all threads of the block wrote in the phase before, and
writes only its own elements. Barriers separate the phases. Barriers also stand in loops, and under conditions that are
the same in all threads.

Small kernels are for blocks of few threads, whose blocks run in the lanes of vectors. They have no barriers. A block reads
what its parents have written; the mapping function names parents at random distances.
"""
import random

TYPES = ["int", "long", "double", "float", "signed char", "unsigned short", "unsigned"]
MOST_THREADS = 1024
SHAPES = [(1, 1, 1), (3, 1, 1), (5, 7, 1), (17, 3, 2), (64, 1, 1), (65, 1, 1), (130, 1, 1), (1024, 1, 1), (16, 16, 1),
          (8, 8, 1), (2, 2, 2), (31, 1, 1), (1, 9, 1), (16, 1, 1), (33, 2, 1), (100, 1, 2)]
SMALL_SHAPES = [(1, 1, 1), (1, 1, 1), (2, 1, 1), (1, 3, 1), (2, 2, 2), (8, 1, 1)]  # of blocks
GRIDS = [(24, 24), (40, 9), (7, 70), (65, 33), (100, 5), (1, 50), (200, 1)]  # of small kernels

PRELUDE = """#include <cilk2gpu/Wireframe.h>
#define THREAD_X threadIdx.x
#define THREAD_Y threadIdx.y
#define THREAD_Z threadIdx.z
#define BLOCK_X blockIdx.x
#define BLOCK_Y blockIdx.y
#define EXTENT_X blockDim.x
#define EXTENT_Y blockDim.y
#define EXTENT_Z blockDim.z
#define GRID_X gridDim.x
#define SYNC() wf::SyncThreads()
#define SHARED WF_SHARED
#define KERNEL __WF__ void
#define LAUNCH(gx, gy, tx, ty, tz, ...) wf::launch(dim3(gx, gy), dim3(tx, ty, tz), links, body, __VA_ARGS__)
"""

LINKS = """static void links() {
  WF::AddDependency({blockIdx.x - 1, blockIdx.y});
  WF::AddDependency({blockIdx.x, blockIdx.y - 1});
}
"""

HELPERS = """
struct Pair { int first; double second; char third; };
static int mixed(int x, int y) {
  for (int i = 0; i < (y & 7); ++i)
    x = (int)((unsigned)x * 31u + (unsigned)(x >> 7)) ^ i;
  return x;
}
__attribute__((noinline)) static int folded(int x, const int *table) {
  int sum = 0;
  while (x > 0) {
    sum = (int)((unsigned)sum + (unsigned)table[x % 16]);
    x /= 3;
  }
  return sum;
}
static unsigned hashed(unsigned long x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdul;
  x ^= x >> 29;
  return (unsigned)x;
}
"""

MAIN = """
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  unsigned x = atoi(argv[1]), y = atoi(argv[2]), z = atoi(argv[3]), threads = x * y * z;
  unsigned columns = argc > 4 ? atoi(argv[4]) : 3, rows = argc > 5 ? atoi(argv[5]) : 3, nodes = columns * rows;
  int table[16], count = 0;
  unsigned *out = (unsigned *)calloc((size_t)nodes * threads, sizeof *out);
  struct Pair *pairs = (struct Pair *)calloc((size_t)nodes * threads, sizeof *pairs);
  int *carried = (int *)calloc(nodes, sizeof *carried);
  for (int i = 0; i < 16; ++i)
    table[i] = i * 2654435 + 17;
  LAUNCH(columns, rows, x, y, z, out, pairs, carried, table, &count, SEED);
  unsigned long sum = count;
  for (unsigned i = 0; i < nodes * threads; ++i)
    sum = sum * 1000003ul + out[i] + pairs[i].first + (long)pairs[i].second + pairs[i].third;
  printf("%lx %d\\n", sum, count);
  return 0;
}
"""


class Smith:
    def __init__(self, seed, isSmall=False):
        self.rng = random.Random(seed)
        self.isSmall = isSmall
        self.lines = []
        self.depth = 1
        self.locals = []
        self.uniform = ["seed", "(int)BLOCK_X", "(int)BLOCK_Y"]
        self.count = 0
        self.phase = 0

    def say(self, text):
        self.lines.append("  " * self.depth + text)

    def name(self, prefix):
        self.count += 1
        return f"{prefix}{self.count}"

    def number(self):
        return str(self.rng.choice([0, 1, 2, 3, 5, 7, 13, 63, 64, 100, -1, -7, 1000003]))

    def integer(self, depth=0):
        """An expression of type int without undefined behaviour."""
        rng = self.rng
        if depth > 2 or rng.random() < 0.25:
            return rng.choice(["(int)THREAD_X", "(int)THREAD_Y", "t", self.number(), rng.choice(self.uniform)]
                              + [f"(int){name}" for kind, name in self.locals if kind not in ("double", "float")] * 2)
        a, b = self.integer(depth + 1), self.integer(depth + 1)
        form = rng.randrange(9)
        if form < 3:
            return f"(int)((unsigned){a} {rng.choice('+-*')} (unsigned){b})"
        if form == 3:
            return f"({a} {rng.choice('&|^')} {b})"
        if form == 4:
            return f"({a} / {rng.choice([3, 7, 16])})"
        if form == 5:
            return f"({a} {rng.choice(['<', '>', '==', '!=', '<='])} {b} ? {a} : {b})"
        if form == 6:
            return f"mixed({a}, {b})"
        if form == 7:
            return f"({a} >> {rng.randrange(1, 9)})"
        return f"(int)hashed((unsigned long){a})"

    def condition(self):
        rng = self.rng
        if rng.random() < 0.4:
            return f"(int)THREAD_X {rng.choice(['<', '>=', '==', '!=', '<=', '>'])} {self.integer(2)}"
        if rng.random() < 0.3:
            return f"THREAD_X - {rng.randrange(9)}u < {rng.randrange(70)}u"
        return f"({self.integer(1)} & {rng.choice([1, 2, 4, 7])}) {rng.choice(['==', '!='])} 0"

    def index(self):
        """An expression for the number of any thread of the block."""
        rng = self.rng
        return rng.choice([
            "t", "threads - 1 - t", f"(t + {rng.randrange(1, 9)}) % threads", f"t * {rng.randrange(2, 9)} % threads",
            f"hashed(t + {rng.randrange(99)}ul) % threads", f"(unsigned)mixed({self.integer(2)}, 3) % threads",
            f"{rng.randrange(99)} % threads", "(t ? t - 1 : 0)", "(t + 1 < threads ? t + 1 : t)", "THREAD_X"])

    def statement(self, depth=0):
        rng = self.rng
        form = rng.randrange(13 if depth < 3 else 5)
        ints = [name for kind, name in self.locals if kind not in ("double", "float")]
        floats = [(kind, name) for kind, name in self.locals if kind in ("double", "float")]
        target = rng.choice(ints)
        kind = dict((name, kind) for kind, name in self.locals)[target]
        if form < 2:
            self.say(f"{target} = ({kind})({self.integer()});")
        elif form == 2 and floats:
            kind, name = rng.choice(floats)
            self.say(f"{name} = {name} * ({kind})0.5 + ({kind})({self.integer(1)} % 1000);")
        elif form == 3:
            self.say(f"{target} = ({kind})(((int){target}) ^ own[{self.integer(1)} & 7]);")
        elif form == 4:
            self.say(f"own[{self.integer(1)} & 7] = {self.integer(1)};")
        elif form < 7:
            self.say(f"if ({self.condition()}) {{")
            self.block(depth + 1)
            if rng.random() < 0.5:
                self.say("} else {")
                self.block(depth + 1)
            self.say("}")
        elif form < 10:
            i = self.name("i")
            self.say(f"for (int {i} = 0; {i} < ({self.integer(1)} & {rng.choice([1, 3, 3, 7])}); ++{i}) {{")
            self.locals.append(("const int", i))
            self.depth += 1
            if rng.random() < 0.3:
                self.say(f"if ({self.condition()}) {rng.choice(['break', 'continue'])};")
            self.depth -= 1
            saved = self.locals
            self.locals = [entry for entry in saved if not entry[0].startswith("const")]
            self.block(depth + 1)
            self.locals = [entry for entry in saved if entry[1] != i]
            self.say("}")
        elif form == 10:
            self.say(f"switch (({self.integer(1)}) & 3) {{")
            for case in range(rng.randrange(1, 4)):
                self.say(f"case {case}: {target} = ({kind})({self.integer(1)}); {rng.choice(['break;', ''])}")
            self.say(f"default: {target} = ({kind})((unsigned){target} + 1u);")
            self.say("}")
        elif form == 11:
            self.say(f"{target} = ({kind})folded({self.integer(1)} & 4095, table);")
        else:
            self.say(f"__atomic_fetch_add(count, {self.integer(1)} & 15, __ATOMIC_RELAXED);")

    def block(self, depth):
        self.depth += 1
        for _ in range(self.rng.randrange(1, 4)):
            self.statement(depth)
        self.depth -= 1

    def exchange(self):
        """A phase: writes own elements, waits, and reads elements of other threads."""
        rng = self.rng
        if not self.hasBarriers:
            return
        kind, to = rng.choice(self.shared)
        ints = [name for kind, name in self.locals if kind not in ("double", "float")]
        self.say(f"{to}[phase][t] = ({kind})({self.integer(1)} % 1000);")
        self.say("SYNC();")
        target = rng.choice(ints)
        own = dict((name, kind) for kind, name in self.locals)[target]
        self.say(f"{target} = ({own})((long){target} + (long){to}[phase][{self.index()}]);")
        if rng.random() < 0.5:
            self.say(f"if ({self.condition()}) {target} = ({own})((long){to}[phase][{self.index()}] - (long){target});")
        self.say("phase ^= 1;")

    def phases(self, depth=0):
        rng = self.rng
        for _ in range(rng.randrange(1, 4)):
            for _ in range(rng.randrange(1, 4)):
                self.statement()
            form = rng.randrange(4)
            if form < 2 or depth > 1:
                self.exchange()
            elif form == 2:
                i = self.name("u")
                self.say(f"for (int {i} = 0; {i} < ({rng.choice(self.uniform)} & 3) + 1; ++{i}) {{")
                self.depth += 1
                self.phases(depth + 1)
                self.depth -= 1
                self.say("}")
            else:
                self.say(f"if (({rng.choice(self.uniform)} ^ table[{rng.randrange(16)}]) & 1) {{")
                self.depth += 1
                self.phases(depth + 1)
                self.depth -= 1
                self.say("}")

    def choose_parents(self):
        """Distances of parents along x and y. All of them lead to smaller IDs."""
        rng = self.rng
        self.parents = []
        while len(self.parents) < rng.choice([0, 1, 2, 2, 3]):
            y = rng.choice([0, -1, -1, -2, -32])
            self.parents.append((rng.choice([-1, 0, 1, 2, -3] if y else [-1, -1, -2, -9]), y))
        self.isIrregular = rng.random() < 0.3

    def links(self):
        lines = ["static void links() {"]
        for number, (x, y) in enumerate(self.parents):
            condition = "if (blockIdx.x % 5 != 2) " if self.isIrregular and number == 0 else ""
            lines.append(f"  {condition}WF::AddDependency({{(int)blockIdx.x + {x}, (int)blockIdx.y + {y}}});")
        return "\n".join([*lines, "}", ""])

    def read_parents(self):
        kind, name = self.locals[0]
        for number, (x, y) in enumerate(self.parents):
            condition = f"(int)BLOCK_X + {x} >= 0 && (int)BLOCK_X + {x} < (int)GRID_X && (int)BLOCK_Y + {y} >= 0"
            if self.isIrregular and number == 0:
                condition += " && BLOCK_X % 5 != 2"
            self.say(f"if ({condition})")
            self.say(f"  {name} = ({kind})((long){name} * 3 + carried[(int)node + {x} + {y} * (int)GRID_X]);")

    def program(self):
        rng = self.rng
        if self.isSmall:
            self.choose_parents()
        self.hasBarriers = rng.random() < 0.8 and not self.isSmall
        self.say("unsigned threads = EXTENT_X * EXTENT_Y * EXTENT_Z;")
        self.say("unsigned t = THREAD_X + EXTENT_X * (THREAD_Y + EXTENT_Y * THREAD_Z);")
        self.say("unsigned node = BLOCK_X + GRID_X * BLOCK_Y;")
        self.say("int own[8] = {1, 2, 3, 4, (int)t, 6, 7, seed}, phase = 0;")
        self.shared = []
        for _ in range(rng.randrange(1, 4) if self.hasBarriers else 0):
            kind, name = rng.choice(TYPES), self.name("s")
            self.say(f"SHARED {kind} {name}[2][{MOST_THREADS}];")
            self.shared.append((kind, name))
        self.locals = []
        for kind in ["int", *rng.choices(TYPES, k=rng.randrange(1, 5))]:
            name = self.name("v")
            self.say(f"{kind} {name} = ({kind})({self.integer(1)} % 100);")
            self.locals.append((kind, name))
        if self.isSmall:
            self.read_parents()
        elif rng.random() < 0.5:
            self.say("if (BLOCK_X) " + f"{self.locals[0][1]} = ({self.locals[0][0]})(carried[node - 1] ^ {self.locals[0][1]});")
        self.phases()
        self.say("unsigned hash = 0;")
        for kind, name in self.locals:
            self.say(f"hash = hashed(hash ^ (unsigned long)(long){name});")
        self.say("for (int i = 0; i < 8; ++i) hash = hashed(hash + (unsigned long)own[i]);")
        self.say("out[node * threads + t] = hash;")
        self.say("struct Pair *pair = &pairs[node * threads + t];")
        self.say("pair->first = (int)hash;")
        self.say(f"if ({self.condition()}) pair->second = (double)(int)(hash & 65535) * 0.25;")
        self.say("pair->third = (char)(hash >> 3);")
        self.say("if (t == 0) carried[node] = (int)hash;")
        if rng.random() < 0.3:
            self.say(f"if ({self.condition()}) return;")
            self.say("out[node * threads + t] += 1;")
        head = "KERNEL body(unsigned *out, struct Pair *pairs, int *carried, const int *table, int *count, int seed) {"
        links = self.links() if self.isSmall else LINKS
        return links + "\n".join([HELPERS, head, *self.lines, "}"]) + f"\n#define SEED {rng.randrange(1000)}\n" + MAIN


def program(seed, isSmall=False):
    return PRELUDE + Smith(seed, isSmall).program()
