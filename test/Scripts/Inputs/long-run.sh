# A long run in a repository of its own: it is stopped after its first suite, taken up, and refused once the code is
# another.
set -euo pipefail
source "$1/scripts/lib.sh"
folder=$(mktemp -d)
ROOT=$folder/repository BUILD=$folder/build
setup
trap 'rm -rf "$folder"' EXIT
git() { command git -c user.name=test -c user.email=test@example.com "$@"; }
git init -q "$ROOT"
echo one >"$ROOT/file"
git -C "$ROOT" add file
git -C "$ROOT" commit -q -m one

(open_journal 1) 2>&1 || true
first() { suite "first suite" sh -c 'printf "3 passed, 1 failed\nb.test (no spin)\n" >"$SUMMARY"; exit 1' 2>/dev/null; }
open_journal 0
first
PASSED=0 FAILED=0 SKIPPED=() SUITES=()
open_journal 1
first
suite "suite" sh -c 'printf "5 passed, 0 failed\n" >"$SUMMARY"'
say_total
write_long_page "$folder/page.md"
cat "$folder/page.md"
echo two >"$ROOT/file"
(open_journal 1) 2>&1 || true
git -C "$ROOT" commit -q -a -m two
(open_journal 1) 2>&1 || true
