"""Checks that every file, folder and heading that the documentation names exists."""
import re
import sys
from pathlib import Path

root = Path(sys.argv[1]).resolve()
pages = [root / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")] + sorted((root / "docs").glob("*.md"))
# Paths that the documentation names and that are not in the repository: the installed runtime of another processor, and
# patterns of names.
others = {"lib/aarch64-linux-gnu/libcilk2gpu_rt.a", "lib/X/Y.cpp", "include/cilk2gpu/X/Y.h", "test/X/y.mlir"}
folder = re.compile(r"(?:bench|cmake|docs|examples|include|lib|runtime|scripts|test|tools)/")


def anchors(page):
    """The anchors of a page's headings, as they are made on the web, and those that it sets itself."""
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)
    headings = re.findall(r"^#+ (.*)$", text, flags=re.M)
    made = (re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings)
    return {*made, *re.findall(r'<a id="([^"]+)"', text)}


def links(page, text):
    for target in re.findall(r"\]\(([^()\s]+)\)", text):
        path, _, anchor = target.partition("#")
        if re.match(r"\w+:", target):
            continue
        file = (page.parent / path).resolve() if path else page
        yield target, file.exists() and (not anchor or anchor in anchors(file))


def names(text):
    for code in re.findall(r"`([^`\n]+)`", text):
        path = re.split(r"[ :]", code)[0]
        if folder.match(path) and path not in others and not re.search(r"[<>*{$]", path):
            yield path, (root / path).exists()


checked, missing = 0, 0
for page in pages:
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)
    for name, exists in [*links(page, text), *names(text)]:
        checked += 1
        missing += not exists
        if not exists:
            print(f"{page.relative_to(root)} names {name}, which does not exist; correct the name")
print(f"{checked} names, {missing} missing")
