"""Makes random Cilk programs whose tasks compute: loops that lanes leave at different times, jumps, switches, division,
tables, local arrays of every width, structs by value, narrow types, floating point, atomics. A third of them only fold
their children's results, or nearly. For scripts/fuzz-kernels.

A program has no data race and no undefined behaviour: arithmetic is unsigned or cannot overflow, indices are masked,
loops have fuel, conversions are guarded. It prints one line for each kernel.
"""
import random

INTS = {"uint8_t": 8, "int8_t": 8, "uint16_t": 16, "int16_t": 16, "uint32_t": 32, "int32_t": 32, "uint64_t": 64,
        "int64_t": 64, "_Bool": 1}
FLOATS = ("float", "double")
ARRAY_SIZES = (4, 8, 8, 16, 32)

PRELUDE = """#include <stdint.h>
#include <stdio.h>
#include <string.h>
#ifndef ELISION
#include <cilk/cilk.h>
#endif
#ifndef HELPER /* noinline: lanes call it, one after the other or together */
#define HELPER static inline
#endif
HELPER uint32_t toint(double x) { return x > -1e9 && x < 1e9 ? (uint32_t)(int32_t)x : 7; }
HELPER uint64_t bits(double x) { uint64_t b; memcpy(&b, &x, 8); return x - x == 0 ? b : 12345; }
HELPER uint64_t mix(uint64_t x) { x = (x ^ (x >> 31)) * UINT64_C(0x9e3779b97f4a7c15); return x ^ (x >> 29); }
"""


class Kernel:
    """One task function: its parameters, variables and statements."""

    def __init__(self, rng, number, structs):
        self.rng, self.name, self.structs = rng, f"k{number}", structs
        self.ints, self.floats, self.arrays = [], [], []  # (name, type), (name, type), (name, type, size)
        self.fixed = set()  # names that nothing is assigned to
        self.labels = self.fuels = 0
        self.update = rng.choice(("add", "xor", "or"))  # of atomics: one kind, so that their order does not matter
        self.params, self.locals = [], []

    def pick(self, *choices):
        return self.rng.choice(choices)[0] if isinstance(choices[0], tuple) else self.rng.choice(choices)

    def chance(self, probability):
        return self.rng.random() < probability

    # -- Expressions: of unsigned 64-bit or double value; any integer operand is made unsigned before it can overflow.

    def constant(self):
        return str(self.rng.choice((0, 1, 2, 3, 5, 7, 8, 15, 31, 100, 127, 128, 255, 256, 1000, 65535, 0x7fffffff,
                                    self.rng.getrandbits(32)))) + "u"

    def index(self, size, depth):
        plain = [name for name, type in self.ints if name in ("row", "i0", "i1", "i2")]
        inner = self.rng.choice(plain) if plain and self.chance(0.6) else self.integer(depth - 1)
        return f"({inner}) & {size - 1}u"

    def leaf(self, depth):
        kind = self.rng.random()
        if kind < 0.15:
            return self.constant()
        if kind < 0.55 and self.ints:
            return self.rng.choice(self.ints)[0]
        if kind < 0.8 and self.arrays:
            name, type, size = self.rng.choice(self.arrays)
            read = f"{name}[{self.index(size, depth)}]"
            return f"toint({read})" if type in FLOATS else read
        if kind < 0.92:
            return f"table{self.rng.choice((8, 16, 32, 64))}[({self.integer(depth - 1)}) & 63u]"
        return f"toint({self.real(depth - 1)})"

    def integer(self, depth):
        if depth <= 0:
            return self.rng.choice(self.ints)[0] if self.ints and self.chance(0.7) else self.constant()
        kind, width = self.rng.random(), self.rng.choice((32, 32, 64))
        if kind < 0.3:
            return self.leaf(depth)
        unsigned, signed = f"(uint{width}_t)", f"(int{width}_t)"
        a, b = self.integer(depth - 1), self.integer(depth - 1)
        if kind < 0.55:
            return f"({unsigned}({a}) {self.rng.choice('+-*&|^')} {unsigned}({b}))"
        if kind < 0.63:
            shifted = self.rng.choice((unsigned, signed))
            direction = ">>" if shifted == signed else self.rng.choice((">>", "<<"))
            return f"({shifted}({a}) {direction} (({b}) & {width - 1}u))"
        if kind < 0.7:
            return f"({unsigned}({a}) {self.rng.choice('/%')} {unsigned}(({b}) | 1u))"
        if kind < 0.75:
            return f"({signed}({a}) {self.rng.choice('/%')} {signed}((({b}) & 255u) + 1u))"
        if kind < 0.85:
            return f"({self.condition(depth - 1)} ? {unsigned}({a}) : {unsigned}({b}))"
        if kind < 0.9:
            call = self.rng.choice(("__builtin_popcount((uint32_t)({}))", "__builtin_clz((uint32_t)({}) | 1u)",
                                    "__builtin_bswap32((uint32_t)({}))", "__builtin_ctzll((uint64_t)({}) | 256u)",
                                    "__builtin_rotateleft32((uint32_t)({}), 5)"))
            return call.format(a)
        if kind < 0.95 and self.arrays:
            name, type, size = self.rng.choice(self.arrays)
            if type not in FLOATS:
                return f"sum_{type.strip('_')}({name}, ({a}) & {size - 1}u)"
        return f"(uint64_t)mix({a})"

    def narrow_difference(self):
        reads = [f"{n}[{self.index(s, 1)}]" for n, t, s in self.arrays if t in ("int8_t", "uint8_t", "int16_t", "uint16_t")]
        reads += [n for n, t in self.ints if t in ("int8_t", "uint8_t", "int16_t", "uint16_t")]
        if len(reads) < 2:
            return None
        other = self.rng.choice(("0", "1", "-1", "5", "-130", "256", "-255", "(int)(row & 7)", "-(int)(row & 7)"))
        return f"((int)({self.rng.choice(reads)}) - (int)({self.rng.choice(reads)}) {self.rng.choice(('==', '!='))} {other})"

    def condition(self, depth):
        kind = self.rng.random()
        if kind < 0.2 and (difference := self.narrow_difference()):
            return difference
        if kind < 0.35 and self.floats:
            return f"({self.real(depth - 1)} {self.rng.choice(('<', '>', '<=', '==', '!='))} {self.real(depth - 1)})"
        if kind < 0.5 and depth > 0:
            return f"({self.condition(depth - 1)} {self.rng.choice(('&&', '||'))} {self.condition(depth - 1)})"
        cast = self.rng.choice(("(uint32_t)", "(int32_t)", "(uint64_t)", "(int64_t)", "(int8_t)", "(uint16_t)"))
        comparison = self.rng.choice(("<", ">", "<=", ">=", "==", "!="))
        return f"({cast}({self.integer(depth - 1)}) {comparison} {cast}({self.integer(depth - 1)}))"

    def real(self, depth):
        if depth <= 0 or self.chance(0.25):
            if self.floats and self.chance(0.7):
                return self.rng.choice(self.floats)[0]
            return self.rng.choice(("0.0", "1.0", "0.5f", "-2.25", "1e3f", "3.7"))
        a, b = self.real(depth - 1), self.real(depth - 1)
        kind = self.rng.random()
        if kind < 0.6:
            return f"({a} {self.rng.choice('+-*')} {b})"
        if kind < 0.7:
            return f"({a} / ({b} * {b} + 1.0))"
        if kind < 0.8:
            return self.rng.choice((f"__builtin_fabs({a})", f"__builtin_sqrt(__builtin_fabs({a}))", f"__builtin_floor({a})"))
        if kind < 0.9:
            return f"({self.condition(depth - 1)} ? {a} : {b})"
        return f"({self.rng.choice(('float', 'double'))})(int16_t)({self.integer(depth - 1)})"

    # -- Statements: lists of lines.

    def assignable(self, pool):
        return [entry for entry in pool if entry[0] not in self.fixed]

    def assignment(self):
        kind = self.rng.random()
        targets = self.assignable(self.arrays)
        if kind < 0.45 and targets:
            name, type, size = self.rng.choice(targets)
            value = self.real(2) if type in FLOATS else self.integer(2)
            return [f"{name}[{self.index(size, 1)}] = ({type})({value});"]
        targets = self.assignable(self.floats)
        if kind < 0.6 and targets:
            name, type = self.rng.choice(targets)
            return [f"{name} = ({type})({self.real(2)});"]
        targets = self.assignable(self.ints)
        if not targets:
            return [";"]
        name, type = self.rng.choice(targets)
        return [f"{name} = ({type})({self.integer(3)});"]

    def block(self, depth, in_loop, most=3):
        lines = []
        for _ in range(self.rng.randint(1, most)):
            lines += self.statement(depth, in_loop)
        return ["  " + line for line in lines]

    def loop(self, depth):
        level = sum(name in ("i0", "i1", "i2") for name, _ in self.ints)
        kind = self.rng.random()
        if kind < 0.55 and level < 3:
            counter = f"i{level}"
            bound = self.rng.choice(("4u", "7u", "row & 7u", f"({self.integer(1)}) & 7u", f"(uint32_t)({self.integer(1)}) % 9u"))
            start = self.rng.choice(("0u", "0u", "1u", f"i{level - 1} + 1u" if level else "0u"))
            if self.chance(0.15):  # with a constant bound, to be unrolled
                bound, start = "8u", "0u"
            self.ints.append((counter, "uint32_t"))
            self.fixed.add(counter)
            body = self.block(depth - 1, True)
            self.ints.pop()
            return [f"for (uint32_t {counter} = {start}; {counter} < ({bound}); ++{counter}) {{", *body, "}"]
        fuel = f"fuel{self.fuels}"
        self.fuels += 1
        self.locals.append(f"uint32_t {fuel} = 0;")
        most = self.rng.randint(2, 9)
        if kind < 0.75:
            head = f"{fuel} = 0; while ({self.condition(2)} && ++{fuel} < {most}u) {{"
            return [head, *self.block(depth - 1, True), "}"]
        if kind < 0.9:
            return [f"{fuel} = 0; do {{", *self.block(depth - 1, True), f"}} while (++{fuel} < {most}u && {self.condition(2)});"]
        label = f"again{self.labels}"
        self.labels += 1
        return [f"{fuel} = 0;", f"{label}:;", *self.block(depth - 1, False), f"if (++{fuel} < {most}u && {self.condition(2)}) goto {label};"]

    def switch(self, depth, in_loop):
        lines = [f"switch (({self.integer(2)}) % {self.rng.choice((3, 5, 8))}u) {{"]
        for case in self.rng.sample(range(8), self.rng.randint(1, 4)):
            lines += [f"case {case}:;", *self.block(depth - 1, False, 2)]
            if self.chance(0.75):
                lines.append("  break;")
        if self.chance(0.6):
            lines += ["default:;", *self.block(depth - 1, False, 2)]
        return [*lines, "}"]

    def statement(self, depth, in_loop):
        kind = self.rng.random()
        if depth > 0 and kind < 0.2:
            return self.loop(depth)
        if depth > 0 and kind < 0.38:
            lines = [f"if ({self.condition(2)}) {{", *self.block(depth - 1, in_loop)]
            return [*lines, "} else {", *self.block(depth - 1, in_loop), "}"] if self.chance(0.4) else [*lines, "}"]
        if depth > 0 and kind < 0.45:
            return self.switch(depth, in_loop)
        if in_loop and kind < 0.53:
            return [f"if ({self.condition(2)}) {self.rng.choice(('break', 'break', 'continue'))};"]
        if kind < 0.57:
            label = f"skip{self.labels}"
            self.labels += 1
            return [f"if ({self.condition(1)}) goto {label};", *self.assignment(), *self.assignment(), f"{label}:;"]
        if kind < 0.61:
            return [f"__atomic_fetch_{self.update}(&{self.name}_shared[({self.integer(1)}) & 3u], "
                    f"(uint32_t)({self.integer(1)}), __ATOMIC_RELAXED);"]
        if kind < 0.67 and self.arrays:
            return self.copy()
        if kind < 0.72 and self.arrays:
            name, type, size = self.rng.choice(self.arrays)
            if type not in FLOATS and name not in self.fixed:
                return [f"turn_{type.strip('_')}({name}, ({self.integer(1)}) & {size - 1}u, {size - 1}u);"]
        return self.assignment()

    def copy(self):
        name, type, size = self.rng.choice(self.arrays)
        if name in self.fixed or self.chance(0.4):
            return [f"memset({name}, (int)(({self.integer(1)}) & 255u), sizeof {name});"] if type in INTS and type != "_Bool" and name not in self.fixed else self.assignment()
        same = [other for other, t, s in self.arrays if (t, s) == (type, size) and other != name]
        if not same:
            return self.assignment()
        return [f"memcpy({name}, {self.rng.choice(same)}, {self.rng.choice(('sizeof ' + name, 'sizeof ' + name + ' / 2'))});"]

    # -- The function.

    def make(self):
        rng = self.rng
        self.params = [("depth", "uint32_t"), ("row", "uint32_t")]
        for number in range(rng.randint(1, 4)):
            self.params.append((f"p{number}", rng.choice((*INTS, *FLOATS))))
        struct = rng.choice((None, *range(len(self.structs))))
        for name, type in self.params[1:]:
            (self.floats if type in FLOATS else self.ints).append((name, type))
        self.fixed |= {"row"}
        signature = ", ".join(f"{type} {name}" for name, type in self.params)
        if struct is not None:
            signature += f", S{struct} s"
            for name, type, size in self.structs[struct]:
                if size:
                    self.arrays.append((f"s.{name}", type, size))
                else:
                    (self.floats if type in FLOATS else self.ints).append((f"s.{name}", type))
        for number in range(rng.randint(1, 4)):
            type = rng.choice((*INTS, *FLOATS))
            self.locals.append(f"{type} v{number} = ({type})({self.real(1) if type in FLOATS else self.integer(2)});")
            (self.floats if type in FLOATS else self.ints).append((f"v{number}", type))
        for number in range(rng.randint(0, 3)):
            type, size = rng.choice((*[t for t in INTS if t != "_Bool"], *FLOATS)), rng.choice(ARRAY_SIZES)
            self.locals.append(f"{type} a{number}[{size}];")
            self.locals.append(f"for (uint32_t i = 0; i < {size}u; ++i) a{number}[i] = ({type})(i * 7u + row);")
            self.arrays.append((f"a{number}", type, size))
        before = self.block(3, False, 5)
        leaf = [f"  if (depth == 0) return {self.result()};"]
        children = self.children(struct)
        head = [f"static uint32_t {self.name}_shared[4];", f"static uint64_t {self.name}({signature}) {{"]
        # What a task does before it has children, as an iteration of a loop.
        iteration = [f"HELPER uint64_t {self.name}_once({signature}) {{", *("  " + line for line in self.locals), *before,
                     f"  return {self.result()};", "}"]
        return [*head, *("  " + line for line in self.locals), *before, *leaf, *children, "}", *iteration]

    def loop_over(self, words, struct):
        """A function whose cilk_for runs iterations that read one table together; `words`: their arguments."""
        arguments = ", ".join(["0u", "i", *words[2:]] + (["s"] if struct is not None else []))
        declared = f"{self.name}_S{struct} s; memset(&s, 0, sizeof s); " if struct is not None else ""
        return [f"static void {self.name}_loop(uint64_t *out, const uint32_t *table, uint32_t n, uint32_t count) {{",
                f"  cilk_for (uint32_t i = 0; i < count; ++i) {{ {declared}",
                f"    uint64_t sum = {self.name}_once({arguments});",
                "    for (uint32_t j = 0; j < n; ++j) { if ((sum & 1023u) == 7u) break; sum = mix(sum + table[j & 63u]); }",
                "    out[i] = sum;", "  }", "}"]

    def result(self):
        value = f"(uint64_t)({self.integer(3)})"
        return f"{value} ^ bits({self.real(2)})" if self.floats and self.chance(0.4) else value

    def arguments(self, struct):
        words = ["depth - 1u", self.rng.choice(("row", "row + 1u"))]
        for name, type in self.params[2:]:
            value = self.real(2) if type in FLOATS else self.integer(2)
            words.append(name if self.chance(0.3) else f"({type})({value})")
        return ", ".join(words + (["s"] if struct is not None else []))

    def children(self, struct):
        if self.chance(0.4):
            lines, results = self.spawn_loop(struct)
        else:
            count = self.rng.choice((2, 2, 3))
            lines = []
            for child in range(count):
                lines += [f"  uint64_t r{child} = 0;"] if self.chance(0.3) else []
                if lines and lines[-1].startswith(f"  uint64_t r{child}"):
                    lines.append(f"  if ({self.condition(1)}) r{child} = cilk_spawn {self.name}({self.arguments(struct)});")
                else:
                    lines.append(f"  uint64_t r{child} = cilk_spawn {self.name}({self.arguments(struct)});")
                if self.chance(0.3):
                    lines += self.block(1, False, 2)
            results = [f"r{child}" for child in range(count)]
        lines.append("  cilk_sync;")
        if self.chance(0.5):
            lines += self.block(2, False, 2)
            return [*lines, f"  return mix({' + 3u * '.join(results)}) + ({self.result()});"] if results[0] != "r" else [
                *lines, f"  uint64_t sum = {self.result()};", "  for (uint32_t i = 0; i < used; ++i) sum = sum * 3u + r[i];", "  return sum;"]
        return lines + self.fold(results)

    def spawn_loop(self, struct):
        self.locals.append("uint32_t used = 0;")
        self.ints.append(("i0", "uint32_t"))
        self.fixed.add("i0")
        body = self.block(1, False, 2)
        spawn = f"    if ({self.condition(1)}) {{ r[used] = cilk_spawn {self.name}({self.arguments(struct)}); ++used; }}"
        self.ints.pop()
        count = self.rng.choice(("2u", "3u", "1u + (row & 1u)"))
        return ["  uint64_t r[3];", f"  for (uint32_t i0 = 0; i0 < {count}; ++i0) {{", *("  " + line for line in body), spawn, "  }"], ["r"]

    def fold(self, results):
        operation = self.rng.choice(("{0} + {1}", "{0} ^ {1}", "{0} | {1}", "{0} & {1}", "({0} < {1} ? {0} : {1})", "({0} > {1} ? {0} : {1})"))
        own = self.result()
        if results == ["r"]:
            step = operation.format("sum", "r[i]")
            return [f"  uint64_t sum = {own};", f"  for (uint32_t i = 0; i < used; ++i) sum = {step};", "  return sum;"]
        lines = [f"  uint64_t sum = {own};"] if self.chance(0.5) else [f"  uint64_t sum = {results.pop()};"]
        return [*lines, *(f"  sum = {operation.format('sum', result)};" for result in results), "  return sum;"]

    def words(self):
        """The arguments of a call from outside, but for structs."""
        return [f"{self.rng.choice((6, 7))}u", "n"] + [f"({type})(n * {self.rng.randint(1, 90)}u)" for name, type in self.params[2:]]

    def entries(self, struct):
        """What main calls: for two different arguments each, and as iterations of a loop."""
        words = self.words()
        declared = f"{self.name}_S{struct} s; memset(&s, 0, sizeof s); " if struct is not None else ""
        arguments = ", ".join(words + (["s"] if struct is not None else []))
        return [*self.loop_over(words, struct),
                f"static uint64_t run_{self.name}(uint32_t n) {{ {declared}return {self.name}({arguments}); }}",
                self.printer(", out[97]", f"{self.name}_loop(out, table32, 41u, 97u); for (int i = 0; i < 97; ++i) a = a * 7u + out[i]; ")]

    def printer(self, variable="", more=""):
        shared = " * 5u + ".join(f"{self.name}_shared[{i}]" for i in range(4))
        return (f"static void print_{self.name}(void) {{ uint64_t a = run_{self.name}(1), b = run_{self.name}(6){variable}; {more}"
                f"printf(\"kernel {self.name[1:]} %016llx %08x\\n\", (unsigned long long)mix(a + 3u * b), (unsigned)mix({shared})); }}")


class Folding(Kernel):
    """A task function that does little but fold the results of its children, for cilk-combine-results and
    cilk-inline-early-returns. It may have terms of its own in the loop that sums up, and several arrays of results. Its early
    returns may store beside a struct that they have by value. Results may go to memory that the child reads."""

    OPERATIONS = {"+": "{0} + {1}", "^": "{0} ^ {1}", "|": "{0} | {1}", "&": "{0} & {1}", "min": "({0} < {1} ? {0} : {1})",
                  "max": "({0} > {1} ? {0} : {1})"}

    def make(self):
        rng = self.rng
        self.operation = rng.choice(("+", "+", "^", *self.OPERATIONS))
        self.params = [("depth", "uint32_t"), ("row", "uint32_t")] + [("p0", rng.choice(list(INTS)))] * self.chance(0.4)
        self.ints += self.params[1:]
        self.struct = rng.choice((None, 0, 1))
        self.stores = self.struct is not None and self.chance(0.6)  # S *o leads to what s is a copy of
        self.reads = self.chance(0.6)  # const uint64_t *at leads to where the result goes, or one of an ancestor's
        signature = ", ".join(f"{type} {name}" for name, type in self.params)
        if self.struct is not None:
            signature += f", S{self.struct} s"
            self.fields = self.structs[self.struct]
            for name, type, size in self.fields:
                (self.arrays.append((f"s.{name}", type, size)) if size else
                 (self.floats if type in FLOATS else self.ints).append((f"s.{name}", type)))
        signature += f", {self.name}_S{self.struct} *o" * self.stores + ", const uint64_t *at" * self.reads
        self.fixed |= {name for name, *_ in self.ints + self.floats + self.arrays}
        if self.reads:
            self.ints += [("(*at)", "uint64_t")] * 2
        head = [f"static uint32_t {self.name}_shared[4];", f"static uint64_t {self.name}({signature}) {{"]
        return [*head, *self.leaf_part(), *(rng.choice((self.singles, self.array, self.array))()), "}"]

    def term(self):
        """A value of the task's own: small, and mostly without a branch."""
        return self.rng.choice((f"(uint64_t){self.rng.choice(self.ints)[0]}", f"table{self.rng.choice((8, 16, 32, 64))}[row & 63u]",
                                f"(uint64_t)({self.integer(1)})", "1u", "(uint64_t)row * 3u"))

    def store(self, place):
        """A store to a field of the struct at `place`."""
        name, type, size = self.rng.choice(self.fields)
        return f"{place}{name}{f'[row & {size - 1}u]' if size else ''} = ({type})({self.term()});"

    def read(self, place):
        name, type, size = self.rng.choice(self.fields)
        value = f"{place}{name}{f'[row & {size - 1}u]' if size else ''}"
        return f"toint({value})" if type in FLOATS else f"(uint64_t){value}"

    def leaf_part(self):
        own = "s." if self.struct is not None else None
        value = self.read(own) if own and self.chance(0.7) else self.term()
        if self.chance(0.3):
            value = f"{value} + {self.term()}"
        ends = "depth == 0" if self.chance(0.7) else f"depth == 0 || {self.condition(0)}"
        if self.chance(0.2):
            return [f"  if ({ends}) {{", *self.steps(value), "  }"]
        if not self.stores or self.chance(0.3):
            return [f"  if ({ends}) return {value};"]
        kind = self.rng.random()
        if kind < 0.5:
            return [f"  if ({ends}) {{ {self.store('o->')} return {value}; }}"]
        if kind < 0.75:
            return [f"  if ({ends}) {{ uint64_t before = {self.read('s.')}; {self.store('o->')} return before + {value}; }}"]
        return [f"  if ({ends}) {{ {self.name}_S{self.struct} *to = {self.condition(0)} ? o : &s; {self.store('to->')} return {value}; }}"]

    def steps(self, value):
        """The value of a base case in a loop, whose steps replace it, or add to it."""
        step = self.term()
        if self.chance(0.4):
            step = f"{step} + i"
        step = f"last = {step};" if self.chance(0.7) else f"last = {self.combine('last', f'({step})')};"
        if self.chance(0.4):
            step = f"if ({self.condition(0)}) {step}"
        if self.chance(0.2):
            step += f" if ({self.condition(0)}) {self.rng.choice(('break', 'continue'))};"
        return [f"    uint64_t last = {value};", f"    for (uint32_t i = 0; i < (row & 3u); ++i) {{ {step} }}", "    return last;"]

    def spawn(self, result, original):
        """Statements that spawn a child whose result goes to `result`, with a struct of its own at `original`."""
        words = ["depth - 1u", self.rng.choice(("row", "row + 1u", "row * 3u + 1u"))]
        words += [f"({type})({self.term()})" for name, type in self.params[2:]]
        before = []
        if self.struct is not None:
            words.append(original if self.stores or self.chance(0.5) else "s")
            if words[-1] == original:
                before += [f"{original} = s;"] + [self.store(f"{original}.")] * self.chance(0.6)
        if self.stores:
            words.append(f"&{original}")
        if self.reads:
            words.append("at" if self.chance(0.5) else f"&{result}")
            if words[-1] == f"&{result}":
                before.append(f"{result} = {self.term()};")
        return [*before, f"{result} = cilk_spawn {self.name}({', '.join(words)});"]

    def combine(self, a, b):
        return self.OPERATIONS[self.operation].format(a, b)

    def singles(self):
        lines, results = [], [f"r{child}" for child in range(self.rng.choice((2, 2, 3)))]
        for child, result in enumerate(results):
            lines.append(f"  uint64_t {result} = {'0' if self.chance(0.5) else self.term()};")
            if self.struct is not None:
                lines.append(f"  {self.name}_S{self.struct} m{child} = s;")
        for child, result in enumerate(results):
            spawn = self.spawn(result, f"m{child}")
            lines += [f"  if ({self.condition(0)}) {{ {' '.join(spawn)} }}"] if self.chance(0.2) else [f"  {line}" for line in spawn]
        lines.append("  cilk_sync;")
        terms = results + [self.term()] * self.chance(0.5)
        if self.stores and self.chance(0.5):
            terms.append(self.read(f"m{self.rng.randrange(len(results))}."))
        self.rng.shuffle(terms)
        lines.append(f"  uint64_t sum = {terms[0]};")
        for term in terms[1:]:
            lines.append(f"  {{ uint64_t own = {term}; sum = {self.combine('sum', 'own')}; }}")
        if not self.chance(0.25):
            return [*lines, "  return sum;"]
        # Rounds, the last of which counts, or all of which do.
        result = "sum" if self.chance(0.6) else self.combine("all", "sum")
        guard = f"if ({self.condition(0)}) " if self.chance(0.3) else ""
        lines = [f"  uint64_t all = {self.term()};", "  for (uint32_t round = 0; round <= (depth & 1u); ++round) {", *lines,
                 f"  {guard}all = {result};", "  }", "  return all;"]
        return lines

    def array(self):
        """Children of a loop, whose results are in one array, or two, which another loop sums up."""
        arrays = self.rng.choice((["r"], ["r"], ["r", "q"]))
        count = self.rng.choice(("2u", "1u + (row & 1u)") if len(arrays) > 1 else ("2u", "3u", "1u + (row & 1u)"))
        lines = [f"  uint64_t {', '.join(f'{name}[3]' for name in arrays)}; uint32_t k = 0;"]
        if self.struct is not None:
            lines.append(f"  {self.name}_S{self.struct} {', '.join(f'm{name}[3]' for name in arrays)};")
        guard = f" && {self.condition(0)}" if self.chance(0.3) else ""
        lines.append(f"  for (uint32_t i = 0; i < {count}{guard}; ++i) {{")
        for name in arrays:
            lines += [f"    {line}" for line in self.spawn(f"{name}[k]", f"m{name}[k]")]
        lines += ["    ++k;", "  }", "  cilk_sync;", f"  uint64_t sum = {self.term()};", "  for (uint32_t i = 0; i < k; ++i) {"]
        terms = [f"{name}[i]" for name in arrays]
        if self.chance(0.7):
            terms.append(self.rng.choice(("1u", "i", "(uint64_t)i * row", "table64[i]", "table8[(row + i) & 63u]", self.term(),
                                          f"({self.condition(0)} ? {self.term()} : 0u)")))
        if self.stores and self.chance(0.3):
            terms.append(self.read("mr[i]."))
        self.rng.shuffle(terms)
        conditional = self.chance(0.2)
        if self.operation in "+^|&" and self.chance(0.5):
            lines.append(f"    sum {self.operation}= {f' {self.operation} '.join(terms)};")
        else:
            for term in terms:
                guard = f"if ({self.condition(0)}) " if conditional and "[i]" not in term else ""
                lines.append(f"    {guard}{{ uint64_t own = {term}; sum = {self.combine('sum', 'own')}; }}")
        return [*lines, "  }", "  return sum;"]

    def entries(self, struct):
        words = self.words() + ["s"] * (self.struct is not None) + ["&s"] * self.stores + ["&x"] * self.reads
        declared = f"{self.name}_S{struct} s; memset(&s, 1, sizeof s); " if struct is not None else ""
        after = f" + {self.read('s.').replace('row', 'n')}" if self.stores else ""
        call = f"x = cilk_spawn {self.name}({', '.join(words)}); cilk_sync;" if self.chance(0.7) else f"x = {self.name}({', '.join(words)});"
        return [f"static uint64_t run_{self.name}(uint32_t n) {{ {declared}uint64_t x = n * 77u; {call} return x * 3u{after}; }}",
                self.printer()]


def helpers():
    lines = []
    for type in INTS:
        name = type.strip("_")
        lines.append(f"HELPER uint32_t sum_{name}(const {type} *a, uint32_t n) {{ uint32_t s = 0; "
                     f"for (uint32_t i = 0; i <= n; ++i) {{ if (a[i] == 77) break; s = s * 3u + (uint32_t)a[i]; }} return s; }}")
        lines.append(f"HELPER void turn_{name}({type} *a, uint32_t at, uint32_t mask) {{ {type} t = a[at]; "
                     f"for (uint32_t i = 1; i <= mask && i < 6; ++i) {{ a[(at + i - 1) & mask] = a[(at + i) & mask]; }} a[(at + 5) & mask] = t; }}")
    return lines


def make_struct(rng):
    fields = []
    for number in range(rng.randint(1, 4)):
        type = rng.choice((*[t for t in INTS if t != "_Bool"], *FLOATS))
        fields.append((f"f{number}", type, rng.choice((0, 0, 4, 8, 16)) if rng.random() < 0.7 else 0))
    return fields


def make_tables(rng):
    return [f"static const uint{width}_t table{width}[64] = {{{', '.join(str(rng.getrandbits(width)) + 'u' for _ in range(64))}}};"
            for width in (8, 16, 32, 64)]


def make_program(seed, count):
    """The source text of `count` kernels, those of the seeds from `seed` on."""
    lines = [PRELUDE, *make_tables(random.Random(0)), *helpers()]
    calls = []
    for number in range(seed, seed + count):
        rng = random.Random(number * 2654435761 % 2**32)
        structs = [make_struct(rng) for _ in range(2)]
        kernel = rng.choice((Kernel, Kernel, Folding))(rng, number, structs)
        body = kernel.make()
        text = "\n".join(body)
        for index, fields in enumerate(structs):
            members = " ".join(f"{type} {name}[{size}];" if size else f"{type} {name};" for name, type, size in fields)
            lines.append(f"typedef struct {{ {members} }} {kernel.name}_S{index};")
            text = text.replace(f" S{index} s", f" {kernel.name}_S{index} s")
        lines.append(text)
        calls += kernel.entries(next((i for i in range(2) if f" {kernel.name}_S{i} s" in text), None))
    names = [f"print_k{number}" for number in range(seed, seed + count)]
    return "\n".join([*lines, *calls, "int main(void) {", *(f"  {name}();" for name in names), "  return 0;", "}", ""])
