"""Checks that the rows of the tables in docs/language.md name tests that contain the row's feature.

usage: language-tests.py SOURCE-DIR [PAGE]

Each row names tests, which exist. The words of code in its first cell, such as `cilk_scope` and `_Float16`, occur in
the tests' code. Comments of C do not count, except in tests of errors, whose messages stand in comments. A row without
such words has a marker below: text that begins the row's first cell, and patterns that its tests' code contains. A row
may have both.
"""
import re
import sys
from pathlib import Path

# Names that stand for any expression, in the code of rows.
PLACEHOLDERS = {"NAME", "first", "last", "body"}

# Headers of the last columns of tables that do not name tests.
OTHER_TABLES = {"Meaning", "Memory"}

MARKERS = {
    # What works
    "a reducer in an iteration of a doacross nest": [r"cilk doacross\(", r"__hyper_lookup"],
    "a reducer in a kernel of thread blocks": [r"__WF__", r"opadd_reducer"],
    "in a task on a GPU, a use of a reducer": [r"offload-arch=gfx90a -DREADS", r"cilk_reducer"],
    "any number of syncs": [r"cilk_sync;\s*cilk_sync;", r"if [^;]*\{\s*cilk_sync;"],
    "a number of children that depends on data": [r"i < count; \+\+i\)\s*found\[i\] = cilk_spawn"],
    "implicit sync at the end": [r"cilk_spawn mark\([^;]*;\s*\}"],
    "`x += cilk_spawn f(a);`": [r"\+= cilk_spawn", r"-= cilk_spawn", r"&= cilk_spawn", r"\|= cilk_spawn", r"\^= cilk_spawn"],
    "a result variable with an earlier value": [r"int x = 0;\s*if \(c\)\s*x = cilk_spawn"],
    "plain calls of Cilk functions": [r"cilk_spawn between\(n - 1\);\s*b = between\(n - 2\)"],
    "mutual recursion": [r"int even\(int n[^}]*cilk_spawn odd", r"long odd\(long[^;]*\{[^}]*\}[^}]*cilk_spawn even"],
    "structs by value": [r"x = cilk_spawn tree_##name\(n - 1, s\)", r"struct name tree_##name\(int n, struct name s\)"],
    "children that use their parent's locals": [r"struct Node mine = ", r"cilk_spawn chains\([^;]*&mine\)"],
    "local arrays": [r"long found\[8\];", r"int grid\[5\]\[6\]"],
    "arguments computed with temporaries": [r"cilk_spawn read\(makeEntry\(n\)\.pointer\)"],
    "inline assembly": [r"__asm__"],
    "memory allocated and freed by tasks": [r"malloc\(", r"free\("],
    "static functions and data": [r"static const int primes\[\]", r"static inline int prime"],
    "commutative atomics": [r"atomic_fetch_add", r"_Atomic __int128"],
    "spawns through function pointers": [r"cilk_spawn workers\[", r"cilk_spawn \(\*workers"],
    "Cilk functions called by ordinary code": [r"qsort\([^;]*by_fib", r"int by_fib\([^}]*fib\("],
    "Cilk functions called by several host threads": [r"pthread_create"],
    "several translation units": [r"#include \"shared.h\"", r"-shared"],
    "recursion 100,000 levels deep": [r"cilk_spawn chain\(n - 1"],
    "C++: constructors and destructors": [r"explicit Tree\(int n\)[^}]*cilk_spawn", r"~\w+\(\) \{[^}]*cilk_spawn"],
    "C++: static local variables": [r"static const std::vector<long> squares = table", r"static Checked checked\("],
    "C++: templates": [r"template <typename T>[^}]*cilk_spawn count<T>", r"namespace tree", r"int depth = 3"],
    "C++: spawns of member functions": [r"cilk_spawn lambda\(", r"cilk_spawn \w+(\.|->)\w+\("],
    "C++: spawns of virtual functions": [r"virtual long measure", r"cilk_spawn below\.measure", r"::\*\w*\)\("],
    "C++: objects with their own destructors": [r"~Own\(\)", r"cilk_spawn take\("],
    "C++: exceptions that leave tasks": [r"throw \w+", r"= cilk_spawn", r"catch \("],
    "temporaries of any class": [r"~Own\(\)", r"cilk_spawn \w+\(Own\("],
    "reducers of OpenCilk and Cilk Plus": [r"cilk_reducer\(", r"_Hyperobject\(", r"cilk::reducer<", r"REDUCER_VIEW\("],
    "larger programs": [r"cilk_spawn", r"cilk_for"],
    # What is refused
    "a spawn inside a larger expression": [r"\? cilk_spawn|cilk_spawn \w+\([^)]*\) :", r"if \(cilk_spawn"],
    "a sync inside an expression": [r"cilk_sync\)|, cilk_sync|\(cilk_sync"],
    "a spawn of a destructor": [r"a destructor|~", r"operator"],
    "a result that goes to a bit-field": [r"bit-field", r"vector", r"register"],
    "in a function that spawns: static locals": [r"static [\w:]+ \w+"],
    "ordered spawns with arguments": [r"~Owner\(\)", r"expected-error"],
    "Reducers of incomplete": [r"cilk_reducer\(", r"expected-error"],
    "reducers that several files share": [r"_Hyperobject\(|cilk_reducer\("],
    "a result that is used before its sync on every": [r"expected-error"],
    "a variable for a result whose scope ends before the sync on every": [r"expected-error"],
    "ordered spawns with arguments whose copy": [r"depend"],
    # What is warned of
    "a pragma `#pragma cilk NAME` that is unknown": [r"#pragma cilk dependd"],
    "a result that is used before its sync on some": [r"expected-warning"],
    "a variable for a result whose scope ends before the sync on some": [r"expected-warning"],
    "a member function that returns": [r"expected-warning"],
    "a variable that an ordered spawn writes": [r"expected-warning"],
    "a variable whose scope surely ends": [r"expected-warning"],
    "a variable that an ordered spawn writes": [r"expected-warning"],
}


def rows_of(page):
    """Yields the first cell, the last cell and the section of each row that has to name a test."""
    section = header = None
    for line in page.splitlines():
        section = line if line.startswith("## ") else section
        if not line.startswith("| "):
            header = None
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")]
        if header is None:
            header = cells
        elif not line.startswith("| --- ") and header[-1] not in OTHER_TABLES:
            yield cells[0], cells[-1], section


def words_of(cell):
    """Returns the words and the operators of assignment in a cell's code. What the row excludes is left out."""
    cell = re.sub(r"\((?:except|not) [^)]*\)|Not for [^.]*\.", "", cell)
    code = " ".join(a or b for a, b in re.findall(r"`([^`]+)`|<code>(.*?)</code>", cell)).replace("&#124;", "|")
    words = re.findall(r"(?<!\S)-[A-Za-z][\w-]+=?|(?<!\w)[A-Za-z_]\w+|[-+&|^*]=", code)
    return [word for word in dict.fromkeys(words) if word not in PLACEHOLDERS]


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)


class Tests:
    """The tests that a row names."""

    def __init__(self, root, cell):
        folders = [root / "test/e2e/programs", root / "test/Frontend"]
        self.missing, self.texts = [], []
        self.names = re.findall(r"`([\w-]+(?:\.\w+|/|\*))`|\[[\w.-]+\]\(\.\./([^)]+)\)", cell)
        for name, path in self.names:
            found = [root / path] if path else [file for folder in folders for file in folder.rglob(name.rstrip("/"))]
            files = [file for top in found for file in ([top] if top.is_file() else top.rglob("*")) if file.is_file()]
            self.texts += [file.read_text() for file in files]
            if not files:
                self.missing.append(name or path)

    def text(self, with_comments):
        return "\n".join(text if with_comments else without_comments(text) for text in self.texts)


def contains(text, word):
    if re.match(r"\w", word):
        return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text)
    return word in text


def problem_of(cell, tests, section, used):
    """Returns the fault of a row, or None. Adds the row's marker to `used`."""
    if not tests.names:
        return "names no test"
    if tests.missing:
        return f"there is no test {tests.missing[0]}"
    words = words_of(cell)
    begins = [begin for begin in MARKERS if cell.startswith(begin)]
    used.update(begins)
    text, code = tests.text(with_comments=True), tests.text(with_comments=section != "## What works")
    absent = [word for word in words if not contains(text if word.startswith("-") else code, word)]
    absent += [pattern for begin in begins for pattern in MARKERS[begin] if not re.search(pattern, text)]
    if absent:
        return f"its tests do not contain {', '.join(absent)}"
    if not words and not begins:
        return "has no words of code, and no marker in test/Docs/Inputs/language-tests.py"
    return None


def main():
    root = Path(sys.argv[1])
    page = Path(sys.argv[2]) if len(sys.argv) > 2 else root / "docs/language.md"
    rows, used, problems = 0, set(), []
    for cell, last, section in rows_of(page.read_text()):
        rows += 1
        if problem := problem_of(cell, Tests(root, last), section, used):
            problems.append(f"a row of {page.name} {problem}: {cell}")
    if len(sys.argv) == 2:
        problems += [f"a marker belongs to no row: {begin}" for begin in MARKERS if begin not in used]
    print("\n".join(problems + [f"{rows} rows, {len(problems)} problems"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
