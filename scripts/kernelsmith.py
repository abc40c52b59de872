"""Makes random Cilk programs whose tasks compute: loops that lanes leave at different times, jumps, switches, division,
tables, local arrays of every width, structs by value, narrow types, floating point, atomics. For scripts/fuzz-kernels.

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
static inline uint32_t toint(double x) { return x > -1e9 && x < 1e9 ? (uint32_t)(int32_t)x : 7; }
static inline uint64_t bits(double x) { uint64_t b; memcpy(&b, &x, 8); return x - x == 0 ? b : 12345; }
static inline uint64_t mix(uint64_t x) { x = (x ^ (x >> 31)) * UINT64_C(0x9e3779b97f4a7c15); return x ^ (x >> 29); }
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
        iteration = [f"static inline uint64_t {self.name}_once({signature}) {{", *("  " + line for line in self.locals), *before,
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

    def run(self, struct_values):
        """The call in main, for two different arguments each."""
        depth = self.rng.choice((6, 7))
        words = [f"{depth}u", "n"] + [f"({type})(n * {self.rng.randint(1, 90)}u)" for name, type in self.params[2:]]
        return words


def helpers():
    lines = []
    for type in INTS:
        name = type.strip("_")
        lines.append(f"static uint32_t sum_{name}(const {type} *a, uint32_t n) {{ uint32_t s = 0; "
                     f"for (uint32_t i = 0; i <= n; ++i) {{ if (a[i] == 77) break; s = s * 3u + (uint32_t)a[i]; }} return s; }}")
        lines.append(f"static void turn_{name}({type} *a, uint32_t at, uint32_t mask) {{ {type} t = a[at]; "
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
        kernel = Kernel(rng, number, structs)
        body = kernel.make()
        text = "\n".join(body)
        for index, fields in enumerate(structs):
            members = " ".join(f"{type} {name}[{size}];" if size else f"{type} {name};" for name, type, size in fields)
            lines.append(f"typedef struct {{ {members} }} {kernel.name}_S{index};")
            text = text.replace(f" S{index} s", f" {kernel.name}_S{index} s")
        lines.append(text)
        words = kernel.run(structs)
        has_struct = next((i for i in range(2) if f" {kernel.name}_S{i} s" in text), None)
        calls += kernel.loop_over(words, has_struct)
        calls.append(f"static uint64_t run_{kernel.name}(uint32_t n) {{ "
                     + (f"{kernel.name}_S{has_struct} s; memset(&s, 0, sizeof s); " if has_struct is not None else "")
                     + f"return {kernel.name}({', '.join(words + (['s'] if has_struct is not None else []))}); }}")
        calls.append(f"static void print_{kernel.name}(void) {{ uint64_t a = run_{kernel.name}(1), b = run_{kernel.name}(6), out[97]; "
                     f"{kernel.name}_loop(out, table32, 41u, 97u); for (int i = 0; i < 97; ++i) a = a * 7u + out[i]; "
                     f"printf(\"kernel {number} %016llx %08x\\n\", (unsigned long long)mix(a + 3u * b), "
                     f"(unsigned)mix({' * 5u + '.join(f'{kernel.name}_shared[{i}]' for i in range(4))})); }}")
    names = [f"print_k{number}" for number in range(seed, seed + count)]
    return "\n".join([*lines, *calls, "int main(void) {", *(f"  {name}();" for name in names), "  return 0;", "}", ""])
