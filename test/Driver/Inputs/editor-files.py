"""Checks the files for VS Code and Compiler Explorer: editor-files.py SOURCE-FOLDER DRIVER"""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

root, driver = Path(sys.argv[1]), sys.argv[2]
editors = root / "editors"
version = re.search(r"project\(Cilk2GPU VERSION ([0-9.]+)", (root / "CMakeLists.txt").read_text())[1]

# Every file that the package names is there, and every pattern is a regular expression.
package = json.loads((editors / "vscode/package.json").read_text())
assert package["version"] == version, (package["version"], version)
named = [language["configuration"] for language in package["contributes"]["languages"]]
named += [grammar["path"] for grammar in package["contributes"]["grammars"]]
files = {path: json.loads((editors / "vscode" / path).read_text()) for path in named}


def patterns(node):
    """Yields the names and expressions of a grammar."""
    if isinstance(node, dict):
        if "match" in node:
            yield node["name"], re.compile(node["match"])
        node = list(node.values())
    if isinstance(node, list):
        for child in node:
            yield from patterns(child)


scopes = {grammar["scopeName"] for grammar in package["contributes"]["grammars"]}
assert scopes == {content["scopeName"] for content in files.values() if "scopeName" in content}, scopes
every = [pattern for content in files.values() for pattern in patterns(content)]
print(f"VS Code: version {version}, {len(every)} patterns")

# The keywords are those of the headers that remove them.
stub = (root / "include/cilk/cilk_stub.h").read_text() + (root / "include/cilk/editor.h").read_text()
keywords = sorted(set(re.findall(r"#define ((?:cilk|_Cilk|_Hyper)\w+)", stub)))
long = list(patterns(files["./syntaxes/keywords.tmLanguage.json"]))
for keyword in keywords:
    print(keyword, *[name for name, expression in long if expression.fullmatch(keyword)])
    assert any(expression.fullmatch(keyword) for _, expression in long), keyword
mit = (root / "include/cilk/editor-mit.h").read_text()
short = list(patterns(files["./syntaxes/cilk.tmLanguage.json"]))
for keyword in re.findall(r"#define (cilk|spawn|sync|inlet|SYNCHED)\b", mit):
    assert any(expression.fullmatch(keyword) for _, expression in short), keyword
    assert re.search(rf"syntax keyword \w+ (?:\w+ )*{keyword}\b", (editors / "vim/syntax/cilk.vim").read_text()), keyword
vim = (editors / "vim/cilk-keywords.vim").read_text()
assert all(re.search(rf"\b{keyword}\b", vim) for keyword in keywords), "cilk-keywords.vim lacks a keyword"

# Compiler Explorer runs `EXE -g -o OUTPUT -S OPTIONS SOURCE`.
counts = []
for language, program in (("c", "cilk2gpu"), ("c++", "cilk2gpu++")):
    lines = (editors / f"compiler-explorer/{language}.local.properties").read_text().splitlines()
    values = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
    compilers = values["group.cilk2gpu.compilers"].split(":")
    for compiler in compilers:
        assert values[f"compiler.{compiler}.exe"] == f"/usr/bin/{program}"
        assert values[f"compiler.{compiler}.semver"] == ".".join(version.split(".")[:2])
        options = values.get(f"compiler.{compiler}.options", "").split()
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder, "example.c" if language == "c" else "example.cpp")
            source.write_text("int f(int n) { int x = cilk_spawn f(n - 1); cilk_sync; return x; }\n")
            subprocess.run([driver + ("++" if language == "c++" else ""), "-g", "-o", "output.s", "-S", "-fcolor-diagnostics",
                            *options, source], cwd=folder, check=True)
            text = Path(folder, "output.s").read_text()
            assert ("channel.graph" if "--emit=channel" in options else "f:" if language == "c" else "_Z1fi:") in text, text[:200]
    counts.append(f"{language} {len(compilers)} compilers")
print("Compiler Explorer:", ", ".join(counts))
