# Common functions of the scripts: messages, steps with progress and a log, packages, configuring and building. Sourced
# by bash with `set -euo pipefail`; the sourcing script sets no other options. When the script ends, all processes that
# a step started end, too.

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
BUILD=${CILK2GPU_BUILD_DIR:-$ROOT/build}
LOGS=     # folder of the steps' logs
LAST_LOG= # log of the latest step
LAST_SECONDS=0 # that the latest step took
LAST_STATUS=0 # exit status of the latest suite that was taken up
STEP_PID= # leader of the running step's process group

# packages_for PURPOSE: prints the Debian packages for the purpose, from packages.txt.
packages_for() { sed -n "s/^$1: *//p" "$ROOT/scripts/packages.txt"; }

# Debian packages that the build needs, that the tests need, and that the benchmarks need.
read -r -d '' -a PACKAGES < <(packages_for build) || true
read -r -d '' -a TEST_PACKAGES < <(packages_for test) || true
read -r -d '' -a BENCH_PACKAGES < <(packages_for bench) || true

say() { printf '%s\n' "$*"; }
warn() { printf '%s\n' "$*" >&2; }
die() {
  warn "error: $*"
  exit 1
}

seconds() { printf '%d' "$((SECONDS - $1))"; }

# Ends the running step and all processes that it started.
end_step() {
  [[ -n $STEP_PID ]] || return 0
  kill -TERM -- "-$STEP_PID" 2>/dev/null || true
  local try
  for try in 1 2 3 4 5 6 7 8 9 10; do
    kill -0 -- "-$STEP_PID" 2>/dev/null || break
    pause 0.1
  done
  kill -KILL -- "-$STEP_PID" 2>/dev/null || true
  STEP_PID=
}

on_signal() {
  trap '' INT TERM HUP
  printf '\n' >&2
  warn "stopped"
  end_step
  exit "$1"
}

# Waits without starting a process: reads from a pipe that no process writes to.
pause() { read -r -t "$1" -u "$PAUSE_FD" || true; }

setup() {
  exec {PAUSE_FD}<> <(:)
  trap 'on_signal 130' INT
  trap 'on_signal 143' TERM
  trap 'on_signal 129' HUP
  trap end_step EXIT
  LOGS=$BUILD/logs
  mkdir -p "$LOGS" 2>/dev/null || die "cannot write to $BUILD; choose another folder with --build DIR"
  # A job that compiles Clang's headers needs about 2 GB.
  local cpus memory
  cpus=$(nproc)
  memory=$(awk '/^MemAvailable:/ {print int($2 / 2000000)}' /proc/meminfo)
  JOBS=$((memory < 1 ? 1 : memory < cpus ? memory : cpus))
}

# Prints the last line of a log that shows the progress of its step, shortened to the width of the terminal.
progress_of() {
  tail -c 4000 "$1" 2>/dev/null | tr '\r' '\n' | grep -aE '^(\[|PASS|FAIL|[0-9 ]+/[0-9]+|Get:|Unpacking|Setting up)' | tail -n 1 | cut -c 1-90 || true
}

# Seconds that a step may take on two quiet cores, by its title; set by a script that has such budgets.
declare -A BUDGET=()
TAKEN=() # "SECONDS BUDGET TITLE" of each step that has a budget

# note_budget TITLE SECONDS: notes the time of a step that has a budget.
note_budget() {
  [[ -n ${BUDGET[$1]:-} ]] || return 0
  TAKEN+=("$2 ${BUDGET[$1]} $1")
}

# Prints the time of all steps with a budget, and those that took longer.
say_budgets() {
  local entry taken budget title total=0 allowed=0
  for entry in "${TAKEN[@]}"; do
    read -r taken budget title <<<"$entry"
    total=$((total + taken)) allowed=$((allowed + budget))
    ((taken <= budget)) || say "  over its budget: $title took $taken s; its budget on two quiet cores is $budget s"
  done
  say "time: $total s; the budgets of these parts on two quiet cores add up to $allowed s"
}

# step TITLE COMMAND...: runs the command in a process group of its own, its output in logs/TITLE.log; shows how far it
# is; returns its status. On a terminal the line is rewritten, elsewhere there is one line every 20 seconds.
step() {
  local title=$1 log=$LOGS/${1// /-}.log start=$SECONDS shown=$SECONDS status=0
  shift
  [[ -t 1 ]] && printf '%-28s' "$title" || true
  setsid "$@" >"$log" 2>&1 </dev/null &
  STEP_PID=$!
  local pid=$STEP_PID
  while kill -0 "$pid" 2>/dev/null; do
    if ((SECONDS - start < 2)); then pause 0.03; else pause 0.2; fi
    if [[ -t 1 ]]; then
      printf '\r\033[K%-28s %4ds  %s' "$title" "$(seconds $start)" "$(progress_of "$log" | cut -c 1-$((${COLUMNS:-100} - 40)))"
    elif ((SECONDS - shown >= 20)); then
      shown=$SECONDS
      say "  $title, $(seconds $start) s: $(progress_of "$log")"
    fi
  done
  wait "$pid" || status=$?
  STEP_PID=
  [[ -t 1 ]] && printf '\r\033[K' || true
  if ((status == 0)); then
    printf '%-28s done in %d s%s\n' "$title" "$(seconds $start)" "${BUDGET[$title]:+ (budget ${BUDGET[$title]} s)}"
  else
    printf '%-28s FAILED after %d s (status %d)\n' "$title" "$(seconds $start)" "$status"
  fi
  LAST_LOG=$log
  LAST_SECONDS=$(seconds $start)
  note_budget "$title" "$LAST_SECONDS"
  return "$status"
}

# must TITLE COMMAND...: runs a step, and ends the script if it fails.
must() {
  step "$@" && return 0
  warn "--- last lines of the log:"
  grep -anE 'error|Error|FAILED|E: ' "$LAST_LOG" | tail -n 8 >&2 || true
  tail -n 12 "$LAST_LOG" >&2 || true
  warn "---"
  die "'$1' failed; the whole log is $LAST_LOG"
}

# Sums of all suites, and the names of the tests that were skipped.
PASSED=0
FAILED=0
SKIPPED=()
SUITES=() # "SECONDS PASSED FAILED SKIPPED TITLE" of each suite

# count SUITE SUMMARY STATUS: adds the suite's summary file. Its first line is "N passed, N failed". Each further line is
# a test that was skipped, with the reason. A suite counts as a failure if it left no summary file, ran no test, or ended
# with an error without naming a failure.
count() {
  local suite=$1 file=$2 status=$3 passed=0 failed=0 skipped=()
  if [[ -s $file ]]; then
    read -r passed _ failed _ <"$file"
    mapfile -s 1 -t skipped <"$file"
  fi
  if ((passed + failed == 0)) || { ((status != 0)) && ((failed == 0)); }; then
    failed=$((failed + 1))
    warn "  $suite did not run to its end; see $LAST_LOG"
  fi
  printf '  %-26s %d passed, %d failed%s\n' "$suite" "$passed" "$failed" "${skipped:+, ${#skipped[@]} skipped}"
  PASSED=$((PASSED + passed))
  FAILED=$((FAILED + failed))
  SKIPPED+=("${skipped[@]}")
  SUITES+=("$LAST_SECONDS $passed $failed ${#skipped[@]} $suite")
}

# A run that takes hours can be stopped and taken up again. Its journal has a line for the commit, one for each start, and
# one for each suite that has ended: "suite STATUS SECONDS TITLE". The summaries of these suites stay beside it.
JOURNAL=

# open_journal IS_RESUMED: begins the journal of the code at hand, or takes up the one that an earlier run left.
open_journal() {
  local commit
  commit=$(git -C "$ROOT" rev-parse HEAD 2>/dev/null || echo unknown)
  JOURNAL=$LOGS/long.journal
  if (($1)); then
    [[ -s $JOURNAL ]] || die "there is no long run to take up in $BUILD; start one without --resume"
    [[ $(head -n 1 "$JOURNAL") == "commit $commit" && $commit != unknown ]] ||
      die "the long run in $BUILD was of other code ($(head -n 1 "$JOURNAL")); start anew without --resume"
    [[ -z $(git -C "$ROOT" status --porcelain --untracked-files=no 2>/dev/null) ]] ||
      die "the code has changes that are not committed; a long run is taken up only on the code that it began with"
  else
    printf 'commit %s\n' "$commit" >"$JOURNAL"
  fi
  printf 'start %s\n' "$(date -u +%Y-%m-%dT%H:%M:%S)" >>"$JOURNAL"
}

# note_suite TITLE STATUS: notes the suite that has just ended.
note_suite() {
  [[ -z $JOURNAL ]] || printf 'suite %d %d %s\n' "$2" "$LAST_SECONDS" "$1" >>"$JOURNAL"
}

# take_up TITLE: returns whether an earlier start of this run has finished the suite. Then sets LAST_STATUS, LAST_SECONDS
# and LAST_LOG as its step did.
take_up() {
  local line
  [[ -n $JOURNAL ]] && line=$(grep -E "^suite [0-9]+ [0-9]+ $1\$" "$JOURNAL") || return 1
  read -r _ LAST_STATUS LAST_SECONDS _ <<<"$line"
  LAST_LOG=$LOGS/${1// /-}.log
  printf '%-28s was done before, in %d s\n' "$1" "$LAST_SECONDS"
}

# suite NAME COMMAND...: the command writes its summary to the file that $SUMMARY names. A long run that was
# taken up does not run it again.
suite() {
  local name=$1 status=0
  export SUMMARY=$LOGS/${1// /-}.summary
  if take_up "$name"; then
    count "$name" "$SUMMARY" "$LAST_STATUS"
    return
  fi
  rm -f "$SUMMARY"
  shift
  step "$name" "$@" || status=$?
  if ((status != 0)); then
    grep -aE -A 2 '^FAIL ' "$LAST_LOG" | head -n 30 >&2 || true
    warn "  the whole log is $LAST_LOG"
  fi
  note_suite "$name" "$status"
  count "$name" "$SUMMARY" "$status"
}

# write_long_page FILE: writes the page of docs/ that says when `scripts/check --long` last ran to its end, on which code,
# and what each suite found.
write_long_page() {
  local entry seconds passed failed skipped title commit taken=0 starts
  starts=$(grep -c '^start ' "${JOURNAL:-/dev/null}" || true)
  for entry in "${SUITES[@]}"; do taken=$((taken + ${entry%% *})); done
  commit=$(git -C "$ROOT" rev-parse --short HEAD 2>/dev/null || echo unknown)
  [[ -z $(git -C "$ROOT" status --porcelain --untracked-files=no 2>/dev/null) ]] || commit+=", with changes"
  {
    printf '# The long tests\n\n'
    printf '`scripts/check --long` runs all tests in their long form. When it has run to its end, it writes this page.\n\n'
    printf 'The last run ended on %s, on commit %s, on %s CPUs. ' "$(date -u +%Y-%m-%d)" "$commit" "$(nproc)"
    printf 'Its suites took %d minutes.\n' $((taken / 60))
    ((starts < 2)) || printf 'It was stopped and taken up again: there were %d starts.\n' "$starts"
    printf 'Of its tests, %d passed, %d failed and %d were skipped.\n\n' "$PASSED" "$FAILED" ${#SKIPPED[@]}
    printf '| Suite | Seconds | Passed | Failed | Skipped |\n| --- | --: | --: | --: | --: |\n'
    for entry in "${SUITES[@]}"; do
      read -r seconds passed failed skipped title <<<"$entry"
      printf '| %s | %d | %d | %d | %d |\n' "$title" "$seconds" "$passed" "$failed" "$skipped"
    done
  } >"$1"
}

# Prints the sums in one line, with the names of skipped tests: "N passed, N failed, N skipped: NAME (REASON); ...".
say_total() {
  local names=
  ((${#SKIPPED[@]} == 0)) || names=$(printf '; %s' "${SKIPPED[@]}")
  say "$PASSED passed, $FAILED failed, ${#SKIPPED[@]} skipped${names:+: ${names:2}}"
}

installed() { [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]; }

# Returns whether apt can install all candidates.
available() {
  local package
  for package; do
    apt-cache show "$package" >/dev/null 2>&1 || return 1
  done
}

# need_packages PACKAGE...: installs the missing packages.
need_packages() {
  local missing=() package as_root=() unavailable=()
  if ! command -v dpkg-query >/dev/null; then
    warn "note: this is no Debian system; LLVM, Clang and MLIR 22, CMake and Ninja must be installed already"
    return 0
  fi
  for package; do
    installed "$package" || missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  say "Packages to install: ${missing[*]}"
  if ((EUID != 0)); then
    command -v sudo >/dev/null || die "installing packages needs root; run as root, or install them yourself:
  apt-get install --no-install-recommends ${missing[*]}"
    sudo -v || die "sudo was refused; install the packages yourself:
  sudo apt-get install --no-install-recommends ${missing[*]}"
    as_root=(sudo -n)
  fi
  available "${missing[@]}" || must "update the package lists" "${as_root[@]}" apt-get update
  for package in "${missing[@]}"; do
    available "$package" || unavailable+=("$package")
  done
  if ((${#unavailable[@]})); then
    die "apt knows no package ${unavailable[*]}.
  LLVM 22 is part of Debian 12's security updates: /etc/apt/sources.list needs the suite bookworm-security
  (on other releases: LLVM's own Debian packages); then run this script again"
  fi
  must "install packages" "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y --no-install-recommends "${missing[@]}"
}

# configure: configures a build folder with the release preset, once. When CMake's files change, CMake configures again
# by itself.
configure() {
  if [[ -f $BUILD/build.ninja && -f $BUILD/CMakeCache.txt ]]; then
    return 0
  fi
  local launcher=()
  if command -v ccache >/dev/null; then
    launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  fi
  must "configure" cmake -S "$ROOT" -B "$BUILD" --preset release "${launcher[@]}"
}

# build TITLE [TARGET...]: builds the targets; without targets, everything.
build() {
  local title=$1
  shift
  must "$title" cmake --build "$BUILD" -j "$JOBS" ${1:+--target "$@"}
}
