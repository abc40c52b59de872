"""Prints the table and the list of a run with five mutants in two folders."""
import sys
import tempfile
from pathlib import Path

sys.path.append(sys.argv[1] + "/test/mutation")
import points

with tempfile.TemporaryDirectory() as folder:
    root = Path(folder)
    (root / "lib/One").mkdir(parents=True)
    (root / "lib/One/a.cpp").write_text("first;\n  second | third;\n")
    (root / "runtime/two").mkdir(parents=True)
    (root / "runtime/two/b.cpp").write_text("only;\n")
    lists = root / "points"
    lists.mkdir()
    places = ["lib/One/a.cpp:1:1:call:0", "lib/One/a.cpp:2:3:arithmetic:0", "lib/One/a.cpp:2:3:call:0", "runtime/two/b.cpp:1:1:call:0",
              "runtime/two/b.cpp:1:1:equality:0", "runtime/two/b.cpp:9:1:call:0", "lib/gone.cpp:1:1:call:0"]
    (lists / "x").write_text("".join(f"{number}\t{place}\n" for number, place in enumerate(places)))
    # Another file has the last mutant, too, and one more with the same number as the fifth.
    (lists / "y").write_text(f"3\t{places[3]}\n4\tlib/One/a.cpp:1:9:constant:0\n")
    reasons = root / "equivalent.txt"
    reasons.write_text("# comment\nlib/One/a.cpp | arithmetic | second | third; | Nothing reads it.\n")
    known = points.read_points(lists, root)
    outcomes = {place: {"outcome": "caught" if place.startswith("lib") and "call" in place else "survived"} for place in places[:4]}
    reason_of = points.read_equivalents(reasons)
    print("\n".join(point.place for point in known))
    print(points.table_of(points.rows_of(known, outcomes, reason_of)))
    print(points.list_of_survivors(known, outcomes, reason_of))
