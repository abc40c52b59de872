# Counts three suites as scripts/check does, and prints the totals and the page of a long run.
set -euo pipefail
source "$1/scripts/lib.sh"
LAST_LOG=none LAST_SECONDS=140
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
say_total >"$folder/nothing"
printf '3 passed, 0 failed\n' >"$folder/first"
printf '4 passed, 1 failed\na.test (no csmith)\nb.test (no spin)\n' >"$folder/second"
count "first suite" "$folder/first" 0
count "second suite" "$folder/second" 1
count "empty suite" "$folder/none" 0 2>/dev/null
say_total
cat "$folder/nothing"
write_long_page "$folder/page.md"
cat "$folder/page.md"
