"""Prints the file type of a file in Vim, and the groups in which words of it are shown: vim-groups.py FOLDER FILE WORD..."""
import subprocess
import sys
import tempfile

folder, file, *words = sys.argv[1:]
with tempfile.NamedTemporaryFile("r", suffix=".txt") as output:
    script = [f"set nocompatible runtimepath^={folder} runtimepath+={folder}/after", "filetype on", "syntax on", f"edit {file}",
              "let lines = []"]
    for word in words:
        quoted = word.replace("'", "''")
        script += [f"call cursor(1, 1) | call search('\\<\\V{quoted}', 'cW')",
                   "let group = synIDattr(synIDtrans(synID(line('.'), col('.'), 1)), 'name')",
                   f"call add(lines, &filetype . ' {quoted} ' . (empty(group) ? 'none' : group))"]
    script += [f"call writefile(lines, '{output.name}')", "qall!"]
    with tempfile.NamedTemporaryFile("w", suffix=".vim") as source:
        source.write("\n".join(script) + "\n")
        source.flush()
        subprocess.run(["vim", "-N", "-u", "NONE", "-i", "NONE", "-n", "-es", "-S", source.name], check=True, timeout=60,
                       stdin=subprocess.DEVNULL)
    print(output.read(), end="")
