#!/usr/bin/env python3
"""Mutates the headers that Relacy's scenarios run, one change at a time, and asks the scenarios whether they notice.

Every memory order that is not relaxed is weakened (acquire-release also to each half), every meeting of lanes is left out,
every check is removed. A mutant that no scenario catches is a survivor; docs/channels.md says why each of those that are
expected is harmless. Exits with 1 if another survives, or if an expected one no longer does.

usage: mutate.py [--jobs N] [--only SUBSTRING] [--seconds LIMIT]
"""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
RUNTIME = os.path.join(HERE, "..", "..", "runtime")

# (name, text, replacement): the text occurs exactly once in the header.
CHANNEL_CHECKS = [
    ("full: no width check", "used < shape.width ? shape.width - used : 0;", "~uint64_t(0);"),
    ("full: one too many", "used < shape.width ? shape.width - used : 0;",
     "used < shape.width + 1 ? shape.width + 1 - used : 0;"),
    ("full: a stale head counts as room", "used < shape.width ? shape.width - used : 0;", "shape.width - used;"),
    ("full: no second look at the head", "if (latest != head) {", "if (false) {"),
    ("full: whole grants are cut", "grant == Grant::Partial ? room : 0;", "room;"),
    ("full: partial grants are refused", "grant == Grant::Partial ? room : 0;", "0;"),
    ("wrap: data slot", "uint64_t slotOf(uint64_t position) const { return position % shape.width; }",
     "uint64_t slotOf(uint64_t position) const { return position; }"),
    ("wrap: control entry", "return control[position % shape.controlEntries()];", "return control[position];"),
    ("wrap: control array as small as the data array",
     "constexpr uint64_t controlEntries() const { return 2 * width; }",
     "constexpr uint64_t controlEntries() const { return width; }"),
    ("wrap: marks without laps", "return position / shape.controlEntries() % 2 ? 0 : kLapBit;", "return kLapBit;"),
    ("wrap: last group as large as the others", "return rest < shape.granularity ? rest : shape.granularity;",
     "return shape.granularity;"),
    ("publish: the mark is not looked at", "if ((mark & kLapBit) != lapMark(tail))", "if (tail - dispatched > 0)"),
    ("publish: no look at the tail before moving it", "if (expected != start)", "if (false)"),
    ("publish: the tail is set, whatever it was", "if (expected != start)", "expected = start; if (false)"),
    ("publish: the aggregator does not move the tail",
     "Atomics::compareExchange(controlTail, expected, tail + lengthIn(mark), Order::Relaxed);",
     "return tail - dispatched;"),
    ("publish: spans of one", "tail + lengthIn(mark)", "tail + 1"),
    ("publish: the producer moves the tail without reserving in order",
     "if (!Atomics::compareExchange(controlTail, expected, start + total, Order::Release))",
     "Atomics::store(controlTail, start + total, Order::Release); if (false)"),
    ("reserve: data tail without compare-and-swap",
     "if (Atomics::compareExchange(dataTail, tail, tail + count, Order::Relaxed))",
     "Atomics::store(dataTail, tail + count, Order::Relaxed); if (true)"),
    ("reserve: control tail without compare-and-swap",
     "while (!Atomics::compareExchange(reserveTail, start, start + count, Order::AcquireRelease) && ++cas.failed);",
     "while (false); Atomics::store(reserveTail, start + count, Order::Release);"),
    ("free: a group need not be done", "uint64_t used = done == size ? size :", "uint64_t used = done ? size :"),
    ("free: the done count is not reset", "Atomics::store(doneCount[group], uint32_t(0), Order::Relaxed);", ""),
    ("free: the head moves before the reset",
     "Atomics::store(doneCount[group], uint32_t(0), Order::Relaxed);",
     "Atomics::store(dataHead, head + size, Order::Release); "
     "Atomics::store(doneCount[group], uint32_t(0), Order::Relaxed);"),
    ("close: not all reserved need be done", "if (tail - head != done)", "if (false)"),
    ("close: an empty group is closed", "if (!done)\n      return 0;", ""),
    ("close: the tail stays",
     "return Atomics::compareExchange(dataTail, tail, head + size, Order::Relaxed) ? done : 0;", "return done;"),
    ("close: never", "mode == Reclaim::Drained ? closeGroup(head, size, done) : 0;", "0;"),
]

ENDS_CHECKS = [
    ("talloc: no limit", "index < Machine::get(&cursor->limit) ? index : abi::kRefused", "index"),
    ("talloc: one too many", "index < Machine::get(&cursor->limit)", "index <= Machine::get(&cursor->limit)"),
    ("take: a wavefront adds one", "uint64_t(countLanes(lanes))", "uint64_t(1)"),
    ("take: all lanes get the same", " + countLanes(lanesBefore(lanes, self))", ""),
    ("take: lanes get the next one's", "lanesBefore(lanes, self)", "lanesBefore(lanes, self + 1)"),
    ("take: each lane adds", "if (self == leader)", "if (true)"),
    ("take: for lanes with other counters, too", "if (isSame)\n        return same;", "return lanes;"),
    ("take: not one operation",
     "first = Machine::OnDevice::template add<__ATOMIC_RELAXED>(counter, uint64_t(countLanes(lanes)));",
     "{ first = Machine::own(counter); "
     "Machine::OnDevice::template store<__ATOMIC_RELAXED>(counter, first + countLanes(lanes)); }"),
    ("frame: the last one for all", "- 1 - take(&store->taken)", "- 1"),
    ("yield: without the site", "Machine::set(element<uint32_t>(cursor, 1, index), site);", ""),
]

BOARD_CHECKS = [
    ("work: messages for others, too", "if (number >= seen >> kUsedShift)\n        continue;", ""),
    ("work: a message twice", "seen = posted.awaitOtherThan(seen);", "seen = posted.awaitOtherThan(0);"),
    ("work: each lane counts", "if (Machine::isLeader())\n        done.add();", "done.add();"),
    ("dispatch: done counts stay", "done.reset();\n    Machine::set", "Machine::set"),
    ("dispatch: waits for one", "seen != used;", "!seen;"),
    ("dispatch: counts are reset when it is posted",
     "done.reset();\n    Machine::set(&message, next);\n    post(used);",
     "Machine::set(&message, next);\n    post(used);\n    done.reset();"),
    ("dispatch: posted before it is written", "Machine::set(&message, next);\n    post(used);",
     "post(used);\n    Machine::set(&message, next);"),
    ("dispatch: no new number", "posted.read() + 1", "posted.read() + 0"),
    ("dispatch: for one worker more", "post(used);\n    for", "post(used + 1);\n    for"),
    ("dispatch: the first worker has all lanes", "next.share = each * wave;", "next.share = next.lanes;"),
    ("end: for the first worker", "post(kMostWorkers);", "post(1);"),
    ("share: the last one's as large as the others'", "return left < share ? left : share;", "return share;"),
    ("tickets: no worker need have come", "(word())) < 2)", "(word())) < 1)"),
    ("tickets: the aggregator is a worker, too", "return come - 1;", "return come;"),
]

FOLD_CHECKS = [
    ("fold: whatever the next lane means", "Machine::shuffle(lanes, key, next) == key ? next : self", "next"),
    ("fold: however the next lane folds", " ^ (uint64_t(fold) << 60 | uint64_t(sizeof(T)) << 56);", ";"),
    ("fold: the next lane, here or not", "later ? firstLane(later) : self;", "later ? self + 1 : self;"),
    ("fold: every lane updates", "if (isFirstOfRun(lanes, haveNext))", "if (true)"),
    ("fold: one lane updates for all runs", "return !before || !(haveNext >> lastLane(before) & 1);", "return !before;"),
    ("fold: the lane before, here or not", "lastLane(before)", "(Machine::ownLane() - 1)"),
    ("fold: the last lane of a run updates", "return !before || !(haveNext >> lastLane(before) & 1);",
     "return !(haveNext >> Machine::ownLane() & 1);"),
    ("reduce: one step", "for (; haveNext; haveNext = Machine::ballot(lanes, next != self)) {",
     "for (; haveNext; haveNext = 0) {"),
    ("reduce: not at all", "value = reduce(lanes, haveNext, next, fold, value);", ""),
    ("reduce: a run's last lane takes its own", "if (next == self)\n        continue;", ""),
    ("reduce: the next lane's next, if there is none", "next = further == next ? self : further;", "next = further;"),
    ("reduce: the same lane again", "next = further == next ? self : further;", ""),
]

CLIENT_CHECKS = [
    ("lock: any slot", "if (Machine::OnDevice::template exchange<__ATOMIC_ACQUIRE>(&locks[i], 0u, 1u))", ""),
    ("lock: kept", "unlock(uint32_t(index));", ";"),
    ("ask: given up before the result is read",
     "uint64_t result = Machine::get(&slot->results[self]);\n    if (second)\n      *second = Machine::get(&slot->seconds[self]);\n"
     "    Machine::synchronise(lanes);\n    if (self == leader)\n      unlock(uint32_t(index));",
     "if (self == leader)\n      unlock(uint32_t(index));\n    uint64_t result = Machine::get(&slot->results[self]);\n    if (second)\n"
     "      *second = Machine::get(&slot->seconds[self]);"),
    ("ask: the first lane's arguments", "arguments[i][self]", "arguments[i][leader]"),
    ("post: before it says who asks",
     "Machine::set(&slot->lanes, lanes);\n    uint64_t number = Machine::own(&slot->posted) + 1;\n"
     "    Atomics::template store<__ATOMIC_RELEASE>(&slot->posted, number);",
     "uint64_t number = Machine::own(&slot->posted) + 1;\n"
     "    Atomics::template store<__ATOMIC_RELEASE>(&slot->posted, number); Machine::set(&slot->lanes, lanes);"),
    ("post: does not wait", "(&slot->served) != number)", "(&slot->served) != number && false)"),
]

SERVER_CHECKS = [
    ("serve: what is served again", "if (posted == Machine::own(&slot.served))\n      continue;", ""),
    ("serve: does not say so", "Machine::template store<__ATOMIC_RELEASE>(&slot.served, posted);", ""),
    ("serve: says so before it has", "serveSlot<Machine>(slot, lanes, perform);\n    served +=",
     "Machine::template store<__ATOMIC_RELEASE>(&slot.served, posted); serveSlot<Machine>(slot, lanes, perform);\n"
     "    served +="),
    ("serve: one lane", "left &= left - 1", "left = 0"),
]

MAILBOX_CHECKS = [
    ("mailbox: asks before it says what", "Machine::set(&lane->request, request);\n  uint64_t number = Machine::own(&lane->asked) + 1;\n"
     "  Atomics::template store<__ATOMIC_RELEASE>(&lane->asked, number);",
     "uint64_t number = Machine::own(&lane->asked) + 1;\n"
     "  Atomics::template store<__ATOMIC_RELEASE>(&lane->asked, number); Machine::set(&lane->request, request);"),
    ("mailbox: does not wait", "(&lane->answered) != number)", "(&lane->answered) != number && false)"),
    ("mailbox: answers again", "return asked != Machine::own(&lane->answered);", "return asked != 0;"),
    ("mailbox: does not say that it has answered", "Machine::WithHost::template store<__ATOMIC_RELEASE>(&lane->answered, number);", ""),
]

READY_CHECKS = [
    ("count: any parent is the last", "__ATOMIC_ACQ_REL) == 1;", "__ATOMIC_ACQ_REL) >= 1;"),
    ("count: the last but one is the last", "__ATOMIC_ACQUIRE) == 1 ||", "__ATOMIC_ACQUIRE) <= 2 ||"),
    ("count: not one operation", "Atomics::add(parents, ~uint32_t(0), __ATOMIC_ACQ_REL) == 1;",
     "Atomics::exchange(parents, Atomics::load(parents, __ATOMIC_ACQUIRE) - 1, __ATOMIC_ACQ_REL) == 1;"),
    ("push: one slot for two", "uint64_t slot = Atomics::add(tail, uint64_t(1), __ATOMIC_RELAXED);",
     "uint64_t slot = Atomics::load(tail, __ATOMIC_RELAXED); Atomics::exchange(tail, slot + 1, __ATOMIC_RELAXED);"),
    ("push: before the slot is written",
     "Atomics::exchange(slots[slot], block + 1, __ATOMIC_SEQ_CST);\n"
     "    return Atomics::load(sleepers, __ATOMIC_SEQ_CST) != 0;",
     "bool sleeps = Atomics::load(sleepers, __ATOMIC_SEQ_CST) != 0;\n"
     "    Atomics::exchange(slots[slot], block + 1, __ATOMIC_SEQ_CST); return sleeps;"),
    ("push: wakes nobody", "return Atomics::load(sleepers, __ATOMIC_SEQ_CST) != 0;", "return false;"),
    ("push: the block before", "slots[slot], block + 1,", "slots[slot], block ? block : 1,"),
    ("push together: slots for one", "Atomics::add(tail, uint64_t(count), __ATOMIC_RELAXED)",
     "Atomics::add(tail, uint64_t(1), __ATOMIC_RELAXED)"),
    ("push together: one slot for all", "slots[slot + i]", "slots[slot]"),
    ("push together: one is left out", "for (uint32_t i = 0; i < count; ++i)", "for (uint32_t i = 1; i < count; ++i)"),
    ("push together: the first one again", "blocks[i] + 1", "blocks[0] + 1"),
    ("push together: wakes nobody", "return Atomics::add(sleepers, uint32_t(0), __ATOMIC_RELEASE) != 0;", "return false;"),
    ("push together: looks for sleepers without an addition",
     "return Atomics::add(sleepers, uint32_t(0), __ATOMIC_RELEASE) != 0;",
     "return Atomics::load(sleepers, __ATOMIC_ACQUIRE) != 0;"),
    ("push together: before the slots are written",
     "uint64_t slot = Atomics::add(tail, uint64_t(count), __ATOMIC_RELAXED); // as above",
     "if (!Atomics::load(sleepers, __ATOMIC_SEQ_CST)) { uint64_t slot = Atomics::add(tail, uint64_t(count), "
     "__ATOMIC_RELAXED); for (uint32_t i = 0; i < count; ++i) Atomics::store(slots[slot + i], blocks[i] + 1, "
     "__ATOMIC_RELEASE); return false; }\n"
     "    uint64_t slot = Atomics::add(tail, uint64_t(count), __ATOMIC_RELAXED);"),
    ("pop: not one operation", "if (Atomics::compareExchange(head, first, first + 1, __ATOMIC_RELAXED))",
     "Atomics::exchange(head, first + 1, __ATOMIC_RELAXED); if (true)"),
    ("pop: the head stays", "if (Atomics::compareExchange(head, first, first + 1, __ATOMIC_RELAXED))", "if (true)"),
    ("pop: never the last slot", "while (first < size)", "while (first + 1 < size)"),
    ("sleep: does not say so", "void beginSleep() { Atomics::add(sleepers, uint32_t(1), __ATOMIC_SEQ_CST); }",
     "void beginSleep() {}"),
]

QUEUE_CHECKS = [
    ("children: any parent is the last", "~uint32_t(0)) == 1)\n        ready(child);", "~uint32_t(0)) >= 1)\n        ready(child);"),
    ("children: the last but one parent is the last", "~uint32_t(0)) == 1)\n        ready(child);", "~uint32_t(0)) <= 2)\n        ready(child);"),
    ("ready: the same number twice", "uint64_t number = Atomics::template add<__ATOMIC_RELAXED>(toGlobal(&taken), uint64_t(1));",
     "uint64_t number = Atomics::template load<__ATOMIC_RELAXED>(toGlobal(&taken)); "
     "Atomics::template store<__ATOMIC_RELAXED>(toGlobal(&taken), number + 1);"),
    ("ready: never the last slot", "if (number >= nodes)", "if (number + 1 >= nodes)"),
    ("ready: one slot for two", "uint64_t number = Atomics::template add<__ATOMIC_RELAXED>(toGlobal(&pushed), uint64_t(1));",
     "uint64_t number = Atomics::template load<__ATOMIC_RELAXED>(toGlobal(&pushed)); "
     "Atomics::template store<__ATOMIC_RELAXED>(toGlobal(&pushed), number + 1);"),
    ("levels: one level more", "setup.numLevels - 1 : low + setup.bound;", "setup.numLevels - 1 : low + setup.bound + 1;"),
    ("levels: any block is the last", "~uint32_t(0)) != 1)", "~uint32_t(0)) == 0)"),
    ("levels: not one operation", "if (Atomics::template exchange<__ATOMIC_RELAXED>(taken, number, number + 1))",
     "Atomics::template store<__ATOMIC_RELAXED>(taken, number + 1); if (true)"),
    ("levels: raised without a look", "if (!Atomics::template load<__ATOMIC_SEQ_CST>(toGlobal(&setup.levels[low].hasEnded)))", "if (false)"),
    ("levels: slots of another level", "uint64_t slot = toGlobal(setup.firstSlot)[level] + number;", "uint64_t slot = number;"),
]

# A header to mutate, its checks, and the scenarios to run with it.
HEADERS = [
    ("core/SharedChannel.h", CHANNEL_CHECKS, ("ChannelModel.cpp", "")),
    ("device/ChannelEnds.h", ENDS_CHECKS, ("DeviceModel.cpp", "reserve|frames|produce")),
    ("device/Board.h", BOARD_CHECKS, ("DeviceModel.cpp", "dispatches|kernel|produce")),
    ("device/WaveFolds.h", FOLD_CHECKS, ("DeviceModel.cpp", "folds")),
    ("device/RequestClient.h", CLIENT_CHECKS, ("DeviceModel.cpp", "requests")),
    ("process/ServeRequests.h", SERVER_CHECKS, ("DeviceModel.cpp", "requests")),
    ("device/GraphMailbox.h", MAILBOX_CHECKS, ("DeviceModel.cpp", "mailboxes")),
    ("device/BlockQueue.h", QUEUE_CHECKS, ("GroupModel.cpp", "")),
    ("blocks/ReadyBlocks.h", READY_CHECKS, ("BlockModel.cpp", "")),
]

# Mutants without an observable change; see docs/channels.md, "Survivors".
EXPECTED_SURVIVORS = {
    "full: no second look at the head",
    "publish: spans of one",
    "dispatch: the first worker has all lanes",
}

WEAKER = {"AcquireRelease": ["Acquire", "Release", "Relaxed"], "ACQ_REL": ["ACQUIRE", "RELEASE", "RELAXED"],
          "SEQ_CST": ["ACQ_REL", "ACQUIRE", "RELEASE", "RELAXED"], "Acquire": ["Relaxed"], "Release": ["Relaxed"], "ACQUIRE": ["RELAXED"], "RELEASE": ["RELAXED"]}


def weaker_orders(order, code):
    """A load has no release."""
    is_load = "::load(" in code and "::exchange(" not in code and "::add(" not in code
    return [weaker for weaker in WEAKER[order] if not is_load or weaker in ("ACQUIRE", "RELAXED", "Acquire", "Relaxed")]


def order_mutants(lines):
    for number, line in enumerate(lines):
        code = line.split("//")[0]
        for match in re.finditer(r"(Order::|__ATOMIC_)(AcquireRelease|Acquire|Release|SEQ_CST|ACQ_REL|ACQUIRE|RELEASE)\b", code):
            function = enclosing(lines, number)
            cell = re.search(r"(?:Atomics|OnDevice|Machine)::(?:template )?\w+(?:<\w+>)?\((?:entry\((\w+)\)|&?(?:slot(?:->|\.))?(\w+))", code)
            target = (cell.group(1) and "entry" or cell.group(2)) if cell else "?"
            for order in weaker_orders(match.group(2), code):
                text = line[:match.start(2)] + order + line[match.end(2):]
                name = "order: %s, %s %s -> %s" % (function, target, match.group(2), order)
                yield name, number + 1, "\n".join(lines[:number] + [text] + lines[number + 1:])


def meeting_mutants(lines):
    for number, line in enumerate(lines):
        if re.match(r"\s*Machine::(synchronise|meet)\(", line):
            name = "meeting: %s, line %d is left out" % (enclosing(lines, number), number + 1)
            yield name, number + 1, "\n".join(lines[:number] + [""] + lines[number + 1:])


def mutants(header, checks, model):
    """Yields (header, model, name, line, text of the mutated header)."""
    with open(os.path.join(RUNTIME, header)) as file:
        source = file.read()
    lines = source.split("\n")
    for name, number, text in [*order_mutants(lines), *meeting_mutants(lines)]:
        yield header, model, name, number, text
    for name, text, replacement in checks:
        if source.count(text) != 1:
            sys.exit("mutate.py: the text of '%s' occurs %d times; bring the checks of %s up to date" %
                     (name, source.count(text), header))
        yield header, model, name, source[:source.index(text)].count("\n") + 1, source.replace(text, replacement)


def enclosing(lines, number):
    """Returns the function around a line: the nearest line above that begins a member function."""
    for line in reversed(lines[:number + 1]):
        match = re.match(r"(?:  )?(?:template <[\w, ]+> )?(?:static )?[\w:<>]+ (\w+)\(.*{", line) or \
            re.match(r"  void (\w+)\(", line)
        if match:
            return match.group(1)
    return "?"


def check(compiler, folder, index, mutant, seconds):
    header, model, name, line, text = mutant
    tree = os.path.join(folder, str(index))
    os.makedirs(os.path.dirname(os.path.join(tree, header)))
    with open(os.path.join(tree, header), "w") as file:
        file.write(text)
    binary = os.path.join(tree, "model")
    # The include path finds the mutated header before the shipped header.
    build = subprocess.run([compiler, "-std=c++20", "-O0", "-w", "-I" + tree, "-I" + RUNTIME,
                            "-I" + os.path.join(RUNTIME, "..", "include"), os.path.join(HERE, model[0]), "-o", binary], capture_output=True, text=True)
    if build.returncode:
        return name, line, "does not compile: " + build.stderr[:300]
    try:
        scenarios = subprocess.run([binary, "--list"], capture_output=True, text=True).stdout.split()
        asked = [scenario for scenario in scenarios if re.match(model[1], scenario)]
        run = subprocess.run([binary, "--mutant", *asked], capture_output=True, text=True, timeout=seconds, errors="replace")
    except subprocess.TimeoutExpired:
        return name, line, "UNDECIDED: no end within %d s" % seconds
    finally:
        os.remove(binary)
    failed = [row.split()[0] for row in run.stdout.split("\n") if row.endswith("FAILED")]
    if failed:
        return name, line, "caught by " + ", ".join(failed)
    if run.returncode:
        return name, line, "UNDECIDED: exit status %d" % run.returncode
    return name, line, "SURVIVED"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", default="", help="mutants whose name, or whose header's, contains this")
    parser.add_argument("--seconds", type=int, default=600, help="limit for a mutant's run")
    parser.add_argument("--compiler", default="clang++-22")
    options = parser.parse_args()
    chosen = [m for header in HEADERS for m in mutants(*header) if options.only in m[2] or options.only in m[0]]
    caught = unexpected = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        runs = [pool.submit(check, options.compiler, folder, i, m, options.seconds) for i, m in enumerate(chosen)]
        for run in runs:
            name, line, verdict = run.result()
            if verdict == "SURVIVED":
                verdict += " (expected)" if name in EXPECTED_SURVIVORS else ""
                unexpected += name not in EXPECTED_SURVIVORS
            elif not verdict.startswith("caught"):
                unexpected += 1
            else:
                caught += 1
                if name in EXPECTED_SURVIVORS:
                    verdict += ", though expected to survive"
                    unexpected += 1
            print("%-72s line %3d  %s" % (name, line, verdict), flush=True)
    print("%d mutants, %d caught, %d unexpected" % (len(chosen), caught, unexpected))
    return 1 if unexpected or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
