"""What a debugger's scripts show of a process that runs a graph: workers, levels, channels, frames, and the logical stack of
spawns. This file knows the runtime, and no debugger. A script for a debugger passes an object with these functions:

  read(address, size)      bytes of the process's memory
  address_of(name)         address of a symbol, or None
  task_name(task)          name of a task in the source
  kernel_name(address)     name of the function that begins at an address, such as "fib.k1", or None
  frame_values(task, at, kernel)  list of (name, text) of the variables in the frame of a task that waits for kernel number
                           `kernel`, or None without debug information
  destination(task, at)    address of the destination that is kept in a task's frame, or None
  arguments(task)          list of (name, type) of a task's parameters; a type has `size`, and `parts`: (offset, size) of
                           each scalar in it
  text_of(name, type, data)  (name, text) of a variable with these bytes

The layout of the runtime's structures comes from the process itself (runtime/executors/native/DebuggerFacts.h).
"""
import os
import re

KERNEL = re.compile(r"^(.*)\.k(\d+)(\.resume)?$")
# A task that the compiler makes for a spawn whose result is assigned by code of the child: fib.spawn0.
STORES_RESULT = re.compile(r"\.spawn\d+$")


FEW_TASKS, FEW_LANES = 64, 16  # most rows that a list shows


class NotThere(Exception):
    """The process has no graph that can be shown. The message says why."""


def task_of_kernel(name):
    """Returns "fib" for the kernels "fib.k0" and "fib.k0.resume"; None for other functions."""
    found = KERNEL.match(name or "")
    return found.group(1) if found else None


def is_code_of(function, kernel):
    """Returns true if the task of a kernel calls this function for its work: an ordinary function, or the body of a loop."""
    task = task_of_kernel(kernel)
    return bool(function) and function in (task, f"{task}.body")


def is_loop_of(function, kernel):
    """Returns true if the task of a kernel calls this function for its iterations: the loop around the body."""
    return bool(function) and function == f"{task_of_kernel(kernel)}.loop"


def is_users(name):
    """Returns true for a variable of the program, and false for those that the compiler adds."""
    return not name.startswith(("__cilk_", "cilk_for."))


class Task:
    """A node of the graph: a Cilk function."""

    def __init__(self, view, address):
        self.view, self.address = view, address
        member = lambda name: address + view.facts["TaskInfo." + name]
        self.name = view.text(member("name"))
        self.location = view.text(member("location"))
        self.frame_size = view.word(member("frame") + view.facts["FrameShape.size"])
        self.in_columns = view.number(member("frame") + view.facts["FrameShape.inColumns"], 1) != 0
        count = view.number(member("numKernels"), 4)
        first, step = view.word(member("kernels")), view.facts["KernelInfo"]
        self.kernels = [{part: view.word(first + i * step + view.facts["KernelInfo." + part])
                         for part in ("run", "resume", "each", "name", "sync")} for i in range(count)]
        for kernel in self.kernels:  # of the forms of a kernel, this one has variables
            kernel["scalar"] = kernel["each"] or kernel["run"]
        targets = view.word(member("targets"))
        self.targets = [view.word(targets + 8 * i) for i in range(view.number(member("numTargets"), 4))]
        fields = view.word(member("element") + view.facts["ElementLayout.fields"])
        count = view.number(member("element") + view.facts["ElementLayout.numFields"], 4)
        self.field_sizes = [view.number(fields + i * view.facts["abi::FieldRecord"] + view.facts["abi::FieldRecord.size"], 4)
                            for i in range(count)]

    @property
    def symbol(self):
        """The name by which the compiler made functions and types of this task."""
        return task_of_kernel(self.view.process.kernel_name(self.kernels[0]["scalar"])) if self.kernels else None

    def element_values(self, columns):
        """Returns (name, text) of an element's arguments, or None. `columns` are (address, size) of its fields: one for each
        argument, or one for each scalar in it; the destination of the result may follow."""
        values, rest = [], list(columns)
        for name, kind in self.view.process.arguments(self):
            parts = [(0, kind.size)] if rest and rest[0][1] == kind.size else kind.parts
            if [size for _, size in parts] != [size for _, size in rest[:len(parts)]]:
                return None
            data = bytearray(kind.size)
            for (offset, size), (address, _) in zip(parts, rest):
                data[offset:offset + size] = self.view.process.read(address, size)
            values.append(self.view.process.text_of(name, kind, bytes(data)))
            del rest[:len(parts)]
        return values or None


class Waiting:
    """A task that waits in a frame: at a sync, before kernel `kernel` goes on, or for space in a channel."""

    def __init__(self, task, worker, level, kernel, address, yielded):
        self.task, self.worker, self.level, self.kernel = task, worker, level, kernel
        self.address, self.yielded = address, yielded

    def where(self):
        entry = self.task.kernels[self.kernel]
        if self.worker.runs(self.level, entry):
            return "is dispatched after a sync"
        if self.yielded:
            return "waits for space in a channel"
        place = self.sync()
        return f"waits at {os.path.basename(place[0])}:{place[1]}" if place else "waits at a sync"

    def sync(self):
        """The file and the line of the sync, or None."""
        address = self.task.kernels[self.kernel]["sync"]
        return tuple(self.task.view.text_at(address).rsplit(":", 2)[:2]) if address else None


class TaskLevel:
    """The elements and frames of one task at one level."""

    def __init__(self, view, worker, level, address):
        facts = view.facts
        self.view, self.worker, self.level = view, worker, level
        self.task = view.task(view.word(address + facts["TaskLevel.task"]))
        self.channel = address + facts["TaskLevel.pre"]
        self.next = view.word(address + facts["TaskLevel.next"])
        self.width = view.number(address + facts["TaskLevel.width"], 4)
        self.active = view.word(address + facts["TaskLevel.active"])
        self.waiting = view.channel_size(self.channel)
        self.frames = self.free = 0
        if self.active:
            pool = self.active + facts["ActiveState.frames"]
            self.frames = view.number(pool + facts["FramePool.total"], 4)
            self.free = view.word(pool + facts["FramePool.store"] + facts["abi::FrameStore.count"])

    def stopped(self):
        """Returns the tasks that wait in frames: at syncs first, then for space."""
        if not self.active:
            return []
        facts, view, found = self.view.facts, self.view, []
        for kernel in range(1, len(self.task.kernels)):
            channel = self.active + facts["ActiveState"] + (kernel - 1) * facts["FrameChannel"]
            found += [Waiting(self.task, self.worker, self.level, kernel, frame, False) for frame in self.frames_in(channel)]
        restarts = view.word(self.active + facts["ActiveState.restarts"])
        for kernel in range(len(self.task.kernels) if restarts else 0):
            channel = view.word(restarts + 8 * kernel)
            if channel:
                found += [Waiting(self.task, self.worker, self.level, kernel, frame, True)
                          for frame in self.frames_in(channel)]
        return found

    def count_stopped(self):
        """Returns how many tasks `stopped` has, without a look at their frames."""
        if not self.active:
            return 0
        facts, view = self.view.facts, self.view
        channels = [self.active + facts["ActiveState"] + kernel * facts["FrameChannel"] for kernel in range(len(self.task.kernels) - 1)]
        restarts = view.word(self.active + facts["ActiveState.restarts"])
        channels += [view.word(restarts + 8 * kernel) for kernel in range(len(self.task.kernels))] if restarts else []
        return sum(view.channel_size(channel + facts["FrameChannel.channel"]) for channel in channels if channel)

    def frames_in(self, channel):
        return [self.view.word(columns[0][0]) for columns in
                self.view.elements(channel + self.view.facts["FrameChannel.channel"], [8])]

    def elements(self):
        """Returns (address, size) of each field of each element that waits."""
        return self.view.elements(self.channel, self.task.field_sizes)


class Worker:
    """A thread with a scheduler of its own."""

    def __init__(self, view, number, address):
        facts = view.facts
        self.view, self.number = view, number
        scheduler = address + facts["Worker.scheduler"]
        self.thread = view.word(address + facts["Worker.thread"])
        self.first = view.word(scheduler + facts["SchedulerState.levels"])
        self.count = view.word(scheduler + facts["SchedulerState.numLevels"])
        self.level = view.word(scheduler + facts["SchedulerState.current"])
        self.running = view.number(scheduler + facts["SchedulerState.running"], 1) != 0
        kernel = view.word(scheduler + facts["SchedulerState.kernelName"])
        self.kernel = view.text_at(kernel) if kernel else None
        self.wave = scheduler + facts["SchedulerState.dispatched"] + facts["RunningWave.wave"]
        task = view.word(scheduler + facts["SchedulerState.dispatchedTask"])
        self.dispatched = TaskLevel(view, self, self.level, task) if task else None

    def lanes(self):
        """Returns the Lanes that the worker runs, or None."""
        return Lanes(self) if self.running and self.kernel and self.dispatched else None

    def runs(self, level, kernel):
        """Returns true if the worker has dispatched elements of a kernel at a level. They are in their channel until all
        have run."""
        return self.running and self.level == level and self.kernel == self.view.text_at(kernel["name"])

    def levels(self):
        """Returns the TaskLevels that hold anything, shallow levels first."""
        found = []
        for level in range(self.count):
            at = self.view.word(self.first + level * self.view.facts["Level"] + self.view.facts["Level.tasks"])
            while at:
                tasks = TaskLevel(self.view, self, level, at)
                found.append(tasks)
                at = tasks.next
        return found


class Lanes:
    """The lanes of a wavefront that runs. Their values are those with which they began."""

    def __init__(self, worker):
        view, facts = worker.view, worker.view.facts
        self.view, self.tasks, self.task = view, worker.dispatched, worker.dispatched.task
        part = lambda name: worker.wave + facts["abi::Wave." + name]
        self.columns, self.first = view.word(part("columns")), view.word(part("first"))
        self.count, self.kernel = view.number(part("lanes"), 4), view.number(part("kernel"), 4)
        self.is_elided = self.kernel >= len(self.task.kernels)
        channel = self.tasks.channel
        if 0 < self.kernel and not self.is_elided:
            channel = self.tasks.active + facts["ActiveState"] + (self.kernel - 1) * facts["FrameChannel"] + facts["FrameChannel.channel"]
        cursor = channel + facts["OwnedChannel.cursor"]
        self.restarts = not self.is_elided and view.word(cursor + facts["abi::Cursor.columns"]) != self.columns

    def values(self, lane):
        """Returns (name, text) of the variables with which a lane began, or None."""
        index = self.first + lane
        starts = lambda count: [self.view.word(self.columns + 8 * i) for i in range(count)]
        if self.restarts or 0 < self.kernel < len(self.task.kernels):
            frame = self.view.word(starts(1)[0] + 8 * index)
            return self.view.process.frame_values(self.task, frame, self.kernel)
        sizes = self.task.field_sizes
        return self.task.element_values([(start + index * size, size) for start, size in zip(starts(len(sizes)), sizes)])


class View:
    """A process's graph at one stop."""

    def __init__(self, process):
        self.process = process
        at = process.address_of("__cilk2gpu_debugged_workers")
        if at is None:
            raise NoRuntime
        self.facts = {}
        fact = self.word(at)
        while fact and self.word(fact):
            self.facts[self.text_at(self.word(fact))] = self.word(fact + 8)
            fact += 16
        self.tasks = {}
        first, count = self.word(at + 8), self.word(at + 16)
        if not first:
            raise NotThere("no graph has run so far on workers of the host")
        self.workers = [Worker(self, i, first + i * self.facts["Worker"]) for i in range(count)]

    def number(self, address, size):
        return int.from_bytes(self.process.read(address, size), "little")

    def word(self, address):
        return self.number(address, 8)

    def text_at(self, address):
        data = b""
        while b"\0" not in data and len(data) < 4096:
            step = 64 - (address + len(data)) % 64  # never across a page
            data += self.process.read(address + len(data), step)
        return data.split(b"\0")[0].decode(errors="replace")

    def text(self, address):
        at = self.word(address)
        return self.text_at(at) if at else None

    def task(self, address):
        if address not in self.tasks:
            self.tasks[address] = Task(self, address)
        return self.tasks[address]

    def channel_size(self, channel):
        cursor = channel + self.facts["OwnedChannel.cursor"]
        return self.word(cursor + self.facts["abi::Cursor.next"]) - self.word(channel + self.facts["OwnedChannel.head"])

    def elements(self, channel, sizes):
        cursor = channel + self.facts["OwnedChannel.cursor"]
        columns = self.word(cursor + self.facts["abi::Cursor.columns"])
        head, end = self.word(channel + self.facts["OwnedChannel.head"]), self.word(cursor + self.facts["abi::Cursor.next"])
        starts = [self.word(columns + 8 * i) for i in range(len(sizes))] if head < end else []
        return [[(start + index * size, size) for start, size in zip(starts, sizes)] for index in range(head, end)]

    def stopped(self):
        return [waiting for worker in self.workers for tasks in worker.levels() for waiting in tasks.stopped()]

    def worker_of(self, thread):
        """Returns the worker of a thread, by its pthread_t. The thread that called the graph is worker 0."""
        return next((worker for worker in self.workers if worker.thread and worker.thread == thread), self.workers[0])

    def parents(self, task, destination, worker):
        """Returns the logical parents of a lane, innermost first, and a text that says why there are no more of them."""
        found, everything, level = [], self.stopped(), worker.level
        while True:
            parent, why = None, None
            if destination is not None:
                parent = next((each for each in everything
                               if each.task.frame_size and not each.task.in_columns
                               and each.address <= destination < each.address + each.task.frame_size), None)
            else:
                parent, why = self.only_candidate(task, worker, level, everything)
            if not parent:
                return found, why
            if not STORES_RESULT.search(parent.task.symbol or ""):
                found.append(parent)
            everything.remove(parent)
            task, level, worker = parent.task, parent.level, parent.worker
            destination = self.process.destination(task, parent.address)

    @staticmethod
    def only_candidate(task, worker, level, everything):
        """A task without a result does not know its parent. Returns the only task that can be it, if there is only one. Halves
        of a loop's range leave no frame, so their parent can be some levels up."""
        can_spawn = [each for each in everything if each.worker is worker and each.level < level
                     and task and task.address in each.task.targets]
        nearest = max((each.level for each in can_spawn), default=level - 1) if task and task.address in task.targets else level - 1
        candidates = [each for each in can_spawn if each.level == nearest]
        if len(candidates) == 1:
            return candidates[0], None
        if not candidates:
            return None, None
        return None, (f"{len(candidates)} tasks at level {level - 1} may be the parent of {task.name}, which has no result; "
                      "set CILK2GPU_WIDTH=1 to have one task at each level")

    def task_named(self, symbol):
        for worker in self.workers:
            for tasks in worker.levels():
                if tasks.task.symbol == symbol:
                    return tasks.task
        return None


class NoRuntime(NotThere):
    def __str__(self):
        return "this process has no symbols of cilk2gpu's runtime: the program is stripped, or is no Cilk program"


def joined(values):
    return ", ".join(f"{name} = {text}" for name, text in values)


def number_in(argument, what, otherwise):
    """Returns the number that a command was given, or `otherwise`."""
    if not re.match(r"\d*$", argument):
        raise NotThere(f"the argument must be {what}, not '{argument}'")
    return int(argument or otherwise)


def list_levels(view):
    """Lines of `info cilk levels`: the channels and frames of each level."""
    lines = []
    for worker in view.workers:
        runs = f"runs {worker.kernel} at level {worker.level}" if worker.running and worker.kernel else "runs no kernel"
        lines.append(f"worker {worker.number} {runs}")
        rows = [("level", "task", "waiting", "at syncs", "yielded", "frames used")]
        for tasks in worker.levels():
            stopped = tasks.stopped()
            yielded = sum(each.yielded for each in stopped)
            if tasks.waiting or stopped or tasks.frames != tasks.free:
                rows.append((str(tasks.level), view.process.task_name(tasks.task), str(tasks.waiting), str(len(stopped) - yielded), str(yielded),
                             f"{tasks.frames - tasks.free} of {tasks.frames}"))
        widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
        for row in rows if len(rows) > 1 else []:
            lines.append("  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
    return lines


def list_lanes(view, thread, first=0):
    """Lines of `info cilk lanes`: the lanes that a thread runs, from lane `first` on, with the variables with which they
    began."""
    worker = view.worker_of(thread)
    lanes = worker.lanes()
    if not lanes:
        raise NotThere("the selected thread runs no wavefront")
    own = view.process.task_name(lanes.task)
    what = f"the serial elision of {own}" if lanes.is_elided else worker.kernel
    if first >= lanes.count:
        raise NotThere(f"there is no lane {first}: the wavefront has {lanes.count}")
    begin = "restarted" if lanes.restarts else "began"
    lines = [f"worker {worker.number} runs {what} at level {worker.level}: {lanes.count} "
             f"lane{'s' if lanes.count > 1 else ''}, which {begin} with"]
    end = min(lanes.count, first + FEW_LANES)
    for lane in range(first, end):
        values = lanes.values(lane)
        lines.append(f"lane {lane}: {joined(values) if values else 'variables that are not known'}")
    if lanes.count > end:
        lines.append(f"... and {lanes.count - end} more; show them with: info cilk lanes {end}")
    return lines


def list_tasks(view, name=None, most=FEW_TASKS):
    """Lines of `info cilk tasks`: each task that waits, with its variables or arguments."""
    lines, rest, known = [], 0, set()
    for worker in view.workers:
        for tasks in worker.levels():
            own = view.process.task_name(tasks.task)
            known.add(own)
            if name and name != own:
                continue
            if len(lines) >= most:
                rest += tasks.count_stopped() + tasks.waiting
                continue
            head = f"worker {worker.number}, level {tasks.level}, {own}"
            stopped, elements = tasks.stopped(), tasks.elements()
            rest += max(0, len(stopped) + len(elements) - (most - len(lines)))
            for each in stopped[:most - len(lines)]:
                values = view.process.frame_values(tasks.task, each.address, each.kernel)
                text = joined(values) if values else f"frame {each.address:#x}"
                lines.append(f"{head} ({text}) {each.where()}")
            for columns in elements[:most - len(lines)]:
                values = tasks.task.element_values(columns)
                text = joined(values) if values else f"{len(columns)} fields"
                started = worker.runs(tasks.level, tasks.task.kernels[0])
                lines.append(f"{head} ({text}) {'is dispatched' if started else 'has not started'}")
    if name and name not in known:
        raise NotThere(f"no task '{name}' is known at any level" + (f"; there are {', '.join(sorted(known))}" if known else ""))
    if rest:
        lines.append(f"... and {rest} more" + ("" if name else "; name a task to see only its own"))
    return lines or ["no task waits"]
