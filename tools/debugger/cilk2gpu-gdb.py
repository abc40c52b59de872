"""gdb's commands for programs of cilk2gpu. Load it with `source cilk2gpu-gdb.py`; docs/debugging.md describes it.

- info cilk tasks [TASK]      the tasks that wait, with their variables
- info cilk lanes [FIRST]     the lanes that the selected thread runs, with the variables with which they began
- info cilk levels            channels and frames of each level of the recursion
- backtrace                   shows the logical stack of spawns in place of the scheduler's frames
- cilk stack                  the logical stack of spawns alone
- cilk up, cilk down          select a task in it; `cilk locals` and `cilk print EXPRESSION` refer to it
"""
import os
import re
import sys

import gdb
from gdb.FrameDecorator import FrameDecorator

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cilk2gpu_view as view  # noqa: E402

DESTINATION, FRAME = "__cilk_destination", "__cilk_frame"


def function_at(address):
    """Returns the symbol of the function that contains an address, or None."""
    block = gdb.block_for_pc(address) if address else None
    while block and not block.function:
        block = block.superblock
    return block.function if block else None


def outer_function(frame):
    """Returns the symbol of the function whose machine code a frame runs, also where other functions are inlined in it."""
    block = frame.block()
    while block.superblock and not (block.function and block.superblock.is_static):
        block = block.superblock
    return block.function


def kernel_of(frame):
    """Returns the symbol of the kernel that a frame runs, or None. The code of a lane is inlined in it."""
    try:
        function = outer_function(frame)
    except RuntimeError:  # no symbols
        return None
    return function if function and view.task_of_kernel(function.linkage_name) else None


def is_lane(frame):
    """Returns true if a frame runs the code of a task, not a function that is inlined there or the loop over the lanes."""
    function = frame.function()
    return bool(function and view.task_of_kernel(function.linkage_name))


def plain_name(name):
    """Returns the name of a kernel's function in the source: "fib" for fib.k0."""
    name = re.sub(r" \[clone .*\]$", "", name or "")
    return view.task_of_kernel(name) or re.sub(r"\(.*\)$", "", name)


class Kind:
    """A type, with the scalars in it."""

    def __init__(self, kind):
        self.type, self.size = kind, kind.sizeof
        self.parts = list(self.scalars(kind, 0))

    @classmethod
    def scalars(cls, kind, offset):
        kind = kind.strip_typedefs()
        if kind.code == gdb.TYPE_CODE_STRUCT:
            for field in kind.fields():
                if hasattr(field, "bitpos"):  # no static member
                    yield from cls.scalars(field.type, offset + field.bitpos // 8)
        elif kind.code == gdb.TYPE_CODE_ARRAY:
            low, high = kind.range()
            for i in range(high - low + 1):
                yield from cls.scalars(kind.target(), offset + i * kind.target().sizeof)
        else:
            yield offset, kind.sizeof


class Process:
    """The process as cilk2gpu_view sees it."""

    def read(self, address, size):
        return gdb.selected_inferior().read_memory(address, size).tobytes()

    def address_of(self, name):
        try:
            return int(gdb.parse_and_eval(f"(unsigned long)&{name}"))
        except gdb.error:
            return None

    def kernel_name(self, address):
        function = function_at(address)
        return function.linkage_name if function else None

    def task_name(self, task):
        function = function_at(task.kernels[0]["scalar"])
        return plain_name(function.name) if function else task.name

    @staticmethod
    def frame_at(task, address, kernel=None):
        """Returns the frame of a task as a structure of its variables, or None without debug information. In optimised code,
        each kernel has a structure of its own."""
        own = task.kernels[kernel]["scalar"] if kernel is not None else None
        for address_of_code in ([own] if own else []) + [each["scalar"] for each in task.kernels]:
            function = function_at(address_of_code)
            names = [task.symbol + ".frame"] + ([function.linkage_name + ".frame"] if function and address_of_code == own else [])
            for symbol in lane_symbols(function) if function else []:
                if symbol.name == FRAME and symbol.type.target().tag in names:
                    return gdb.Value(address).cast(symbol.type).dereference()
        return None

    def frame_values(self, task, address, kernel):
        frame = self.frame_at(task, address, kernel)
        if frame is None:
            return None
        return [(field.name, shown(frame[field.name])) for field in frame.type.fields() if field.name != DESTINATION]

    def destination(self, task, address):
        frame = self.frame_at(task, address)
        if frame is None or DESTINATION not in [field.name for field in frame.type.fields()]:
            return None
        return int(frame[DESTINATION])

    def arguments(self, task):
        """The serial elision has all parameters; a kernel has those that it uses."""
        elision = self.address_of(f"'{task.symbol}.serial'")
        found = function_at(elision) if elision else None
        symbols = [each for each in block_of(found) if each.is_argument] if found else []
        if not symbols:
            kernel = function_at(task.kernels[0]["scalar"])
            symbols = arguments_of(kernel) if kernel else []
        return [(symbol.name, Kind(symbol.type)) for symbol in symbols]

    @staticmethod
    def text_of(name, kind, data):
        return name, shown(gdb.Value(data, kind.type))

    def resumes_at(self, kernel):
        """The first line of a kernel's code that is not the line of its function."""
        function = function_at(kernel)
        lines = [line for _, line in lines_of(function) if line != function.line] if function else []
        return f"{os.path.basename(function.symtab.filename)}:{lines[0]}" if lines else None


def lines_of(function):
    """Returns (address, line) of a function's code, in the order of addresses."""
    block = block_of(function)
    return sorted((each.pc, each.line) for each in function.symtab.linetable()
                  if block.start <= each.pc < block.end and each.line)


def lane_symbols(kernel):
    """Returns the variables of a kernel's task. The code of a lane, which has them, is inlined in the kernel."""
    for address, _ in lines_of(kernel):
        block = gdb.block_for_pc(address)
        while block and not block.function:
            block = block.superblock
        found = list(block) if block and view.task_of_kernel(block.function.linkage_name) else []
        if found:
            return found
    return []


def arguments_of(kernel):
    return [symbol for symbol in lane_symbols(kernel) if symbol.is_argument]


def block_of(function):
    return gdb.block_for_pc(int(function.value().address))


def shown(value):
    try:
        return value.format_string(max_elements=20, max_depth=2)
    except gdb.error as error:
        return f"<{error}>"


def number_in(argument):
    """Returns the number that a command was given, or 0."""
    if not re.match(r"\d*$", argument.strip()):
        raise gdb.GdbError(f"the argument must be the number of a lane, not '{argument.strip()}'")
    return int(argument.strip() or 0)


def open_view():
    """Reads the process's graph. Raises gdb.GdbError if there is none."""
    try:
        return view.View(Process())
    except view.NotThere as error:
        raise gdb.GdbError(str(error))
    except gdb.error as error:
        raise gdb.GdbError(f"the graph cannot be read: {error}")


def thread_of_frame():
    """Returns the pthread_t of the selected thread."""
    try:
        return int(gdb.parse_and_eval("(unsigned long)$fs_base"))
    except gdb.error:
        return 0


def variable(frame, name):
    try:
        return frame.read_var(name)
    except (ValueError, gdb.error):
        return None


def lane_frame():
    """Returns the innermost frame of the selected thread that runs the code of a task, or None."""
    frame = gdb.newest_frame()
    while frame and not (kernel_of(frame) and is_lane(frame)):
        frame = frame.older()
    return frame


def logical_parents(frame):
    """Returns the parents of the lane that a kernel's frame runs, innermost first, and why there are no more."""
    graph = open_view()
    symbol = view.task_of_kernel(kernel_of(frame).linkage_name)
    task, destination = graph.task_named(symbol), variable(frame, DESTINATION)
    return graph.parents(task, None if destination is None else int(destination), graph.worker_of(thread_of_frame()))


#===-- The backtrace -----------------------------------------------------------------------------------------------===


class Named:
    """A variable for a backtrace."""

    def __init__(self, name, value):
        self.name, self.content = name, value

    def symbol(self):
        return self.name

    def value(self):
        return self.content


class LogicalDecorator(FrameDecorator):
    """A task of the logical stack, which waits and has no frame on the machine's stack."""

    def __init__(self, base, waiting):
        super().__init__(base)
        self.waiting = waiting
        self.kernel = function_at(waiting.task.kernels[waiting.kernel]["scalar"])

    def function(self):
        return Process().task_name(self.waiting.task)

    def address(self):
        return None

    def filename(self):
        return self.kernel.symtab.filename if self.kernel else None

    def line(self):
        place = Process().resumes_at(self.waiting.task.kernels[self.waiting.kernel]["scalar"])
        return int(place.rsplit(":")[-1]) if place else None

    def variables(self, arguments):
        content = Process.frame_at(self.waiting.task, self.waiting.address, self.waiting.kernel)
        if content is None or not self.kernel:
            return None
        own = {symbol.name for symbol in arguments_of(self.kernel)}
        return [Named(field.name, content[field.name]) for field in content.type.fields()
                if field.name != DESTINATION and (field.name in own) == arguments] or None

    def frame_args(self):
        return self.variables(True)

    def frame_locals(self):
        return self.variables(False)


def is_of_scheduler(frame):
    name = frame.name() or ""
    return name.startswith(("cilk2gpu::", "__cilk2gpu", "(anonymous namespace)")) or ".elided" in name


class LaneDecorator(FrameDecorator):
    """The task that runs, under its name in the source, without the variables that serve this script."""

    def function(self):
        return plain_name(self.inferior_frame().name())

    def frame_locals(self):
        found = super().frame_locals()
        return [each for each in found if not str(each.symbol()).startswith("__cilk_")] if found else found


class SpawnStack:
    """A frame filter: parents of a lane stand behind it, in place of the scheduler's frames."""

    def __init__(self):
        self.name, self.priority, self.enabled = "cilk", 100, True
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        hides, last = False, None
        for decorator in frames:
            frame = decorator.inferior_frame()
            kernel = kernel_of(frame)
            if hides and kernel and frame.newer() and kernel_of(frame.newer()) and frame.newer().type() == gdb.INLINE_FRAME:
                continue  # the loop over the lanes of a wavefront
            if kernel and is_lane(frame):
                yield LaneDecorator(decorator)
                hides, last = True, view.task_of_kernel(kernel.linkage_name)
                try:
                    for parent in logical_parents(frame)[0]:
                        last = parent.task.symbol
                        yield LogicalDecorator(decorator, parent)
                except gdb.GdbError:
                    pass
            elif hides and (is_of_scheduler(frame) or self.is_entry(frame, last)):
                continue
            else:
                hides = False
                yield decorator

    @staticmethod
    def is_entry(frame, task):
        """The entry under the user's name has only started the root, which the logical stack shows."""
        function = frame.function()
        return bool(function and task and function.linkage_name == task)


#===-- Commands ----------------------------------------------------------------------------------------------------===


class InfoCilk(gdb.Command):
    """Shows the graph of a cilk2gpu program."""

    def __init__(self):
        super().__init__("info cilk", gdb.COMMAND_STATUS, prefix=True)


class InfoTasks(gdb.Command):
    """Lists the tasks that wait, with their variables: info cilk tasks [TASK]"""

    def __init__(self):
        super().__init__("info cilk tasks", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        print("\n".join(view.list_tasks(open_view(), argument.strip() or None)))


class InfoLanes(gdb.Command):
    """Lists the lanes that the selected thread runs, with the variables with which they began: info cilk lanes [FIRST]"""

    def __init__(self):
        super().__init__("info cilk lanes", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        try:
            print("\n".join(view.list_lanes(open_view(), thread_of_frame(), number_in(argument))))
        except view.NotThere as error:
            raise gdb.GdbError(str(error))


class InfoLevels(gdb.Command):
    """Shows the channels and frames of each level of the recursion, for each worker."""

    def __init__(self):
        super().__init__("info cilk levels", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        print("\n".join(view.list_levels(open_view())))


class Selection:
    """The position in the logical stack that `cilk up` and `cilk down` move. 0 is the lane that runs."""

    def __init__(self):
        self.position = 0
        gdb.events.stop.connect(self.reset)

    def reset(self, event=None):
        self.position = 0

    @staticmethod
    def lane():
        frame = lane_frame()
        if not frame:
            raise gdb.GdbError("the selected thread runs no kernel of a Cilk function")
        return frame

    def stack(self):
        return logical_parents(self.lane())

    def move(self, step):
        parents, why = self.stack()
        wanted = self.position + step
        if wanted < 0:
            raise gdb.GdbError("this is the task that runs; no task is below it")
        if wanted > len(parents):
            raise gdb.GdbError(why or "this is the root; nothing has spawned it")
        self.position = wanted
        if wanted:
            content = Process.frame_at(parents[wanted - 1].task, parents[wanted - 1].address,
                                       parents[wanted - 1].kernel)
            gdb.set_convenience_variable("cilk_frame", content.address if content is not None else
                                         gdb.Value(parents[wanted - 1].address))
        else:
            self.lane().select()
        print(self.text(wanted, parents))

    def text(self, position, parents):
        if position == 0:
            return "#0  " + lane_text(self.lane())
        parent = parents[position - 1]
        values = Process().frame_values(parent.task, parent.address, parent.kernel)
        return f"#{position}  {Process().task_name(parent.task)} ({view.joined(values or [])}) {parent.where()}"


def lane_text(frame):
    block = frame.block()
    while not block.function:
        block = block.superblock
    values = [(symbol.name, shown(symbol.value(frame))) for symbol in block if symbol.is_argument]
    place = frame.find_sal()
    return f"{plain_name(frame.name())} ({view.joined(values)}) runs at {os.path.basename(place.symtab.filename)}:{place.line}"


selection = Selection()


class Cilk(gdb.Command):
    """Shows the logical stack of spawns, and selects tasks in it."""

    def __init__(self):
        super().__init__("cilk", gdb.COMMAND_STACK, prefix=True)


class CilkStack(gdb.Command):
    """Shows the logical stack of spawns: the task that runs, and its parents."""

    def __init__(self):
        super().__init__("cilk stack", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        parents, why = selection.stack()
        for position in range(len(parents) + 1):
            print(selection.text(position, parents))
        if why:
            print(why)


class CilkMove(gdb.Command):
    """Selects the task that spawned the selected task (cilk up), or goes back (cilk down). A number repeats it."""

    def __init__(self, name, step):
        super().__init__(name, gdb.COMMAND_STACK)
        self.step = step

    def invoke(self, argument, from_tty):
        selection.move(self.step * (int(argument) if argument.strip() else 1))


class CilkLocals(gdb.Command):
    """Shows the variables of the task that `cilk up` has selected."""

    def __init__(self):
        super().__init__("cilk locals", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        if selection.position == 0:
            selection.lane().select()
            gdb.execute("info locals")
            return
        parents, _ = selection.stack()
        parent = parents[selection.position - 1]
        for name, text in Process().frame_values(parent.task, parent.address, parent.kernel) or []:
            print(f"{name} = {text}")


class CilkPrint(gdb.Command):
    """Prints an expression that begins with a variable of the task that `cilk up` has selected: cilk print a[2].x"""

    def __init__(self):
        super().__init__("cilk print", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        if not re.match(r"[A-Za-z_]", argument):
            raise gdb.GdbError("the expression must begin with the name of a variable, as in: cilk print n")
        gdb.execute("print " + ("" if selection.position == 0 else "$cilk_frame->") + argument)


#===-- Printers ----------------------------------------------------------------------------------------------------===


class ChannelPrinter:
    """A channel of the runtime, where the runtime has debug information."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        size = int(self.value["cursor"]["next"]) - int(self.value["head"])
        return f"channel with {size} elements, room for {int(self.value['capacity'])}"


class FramePoolPrinter:
    """Frames of a task at a level."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        total, free = int(self.value["total"]), int(self.value["store"]["count"])
        return f"{total - free} of {total} frames used"


class FramePrinter:
    """The frame of a task: the variables that it keeps across syncs."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        return "frame of " + str(self.value.type.strip_typedefs().tag)[:-len(".frame")]

    def children(self):
        for field in self.value.type.fields():
            if field.name != DESTINATION:
                yield field.name, self.value[field.name]


def find_printer(value):
    kind = value.type.strip_typedefs()
    printers = {"cilk2gpu::rt::OwnedChannel": ChannelPrinter, "cilk2gpu::rt::FramePool": FramePoolPrinter}
    if kind.code == gdb.TYPE_CODE_STRUCT and (kind.tag or "").endswith(".frame"):
        return FramePrinter(value)
    return printers[kind.tag](value) if kind.tag in printers else None


gdb.pretty_printers.append(find_printer)
SpawnStack()
for command in (InfoCilk, InfoTasks, InfoLanes, InfoLevels, Cilk, CilkStack, CilkLocals, CilkPrint):
    command()
CilkMove("cilk up", 1)
CilkMove("cilk down", -1)
