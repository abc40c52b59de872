#!/usr/bin/env python3
"""Makes a manual page of what a program prints with --help.

usage: manual-page.py NAME VERSION COMMAND...

The first paragraph of the text is the program's purpose, and the next begins with "usage:". Lines that begin with two
spaces and a dash are options.
"""
import re
import subprocess
import sys


def roff(text):
    """The text so that roff prints it as it is."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    return "\n".join("\\&" + line if line.startswith(".") else line for line in text.split("\n"))


def items_of(lines):
    """Pairs of an option and its text, of lines of a list."""
    items = []
    for line in lines:
        option = re.match(r" +(-.*?)(?:  +(.*))?$", line)
        if option:
            items.append([option[1], option[2] or ""])
        elif items:
            items[-1][1] += " " + line.strip()
    return items


def page(name, version, text):
    purpose, usage, *paragraphs = text.strip().split("\n\n")
    purpose = purpose.rstrip(".")
    lines = [f'.TH {name.upper()} 1 "" "cilk2gpu {version}" "User Commands"', ".SH NAME",
             f"{roff(name)} \\- {roff(purpose[0].lower() + purpose[1:])}", ".SH SYNOPSIS", ".nf",
             roff("\n".join(line.removeprefix("usage:").strip() for line in usage.split("\n"))), ".fi", ".SH DESCRIPTION"]
    for paragraph in paragraphs:
        rows = paragraph.split("\n")
        if re.match(r" +-", rows[0]):
            lines.append(".SH OPTIONS")
            for option, meaning in items_of(rows):
                lines += [".TP", f"\\fB{roff(option)}\\fR", roff(meaning.strip())]
        else:
            lines += [".PP", roff(" ".join(rows))]
    lines += [".SH SEE ALSO", ".BR cilk2gpu (1)"]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    shown = subprocess.run(sys.argv[3:], check=True, capture_output=True, text=True).stdout
    sys.stdout.write(page(sys.argv[1], sys.argv[2], shown))
