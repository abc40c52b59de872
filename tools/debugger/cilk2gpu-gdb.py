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


def is_loop(frame):
    """Returns true if a frame runs the loop that a task calls for its iterations."""
    function, caller = frame.function(), frame.older()
    kernel = kernel_of(caller) if caller else None
    return bool(function and kernel and view.is_loop_of(function.linkage_name, kernel.linkage_name))


def plain_name(name):
    """Returns the name of a kernel's function in the source: "fib" for fib.k0."""
    name = re.sub(r" \[clone .*\]$", "", name or "")
    return view.task_of_kernel(name) or re.sub(r"\(.*\)$|\.body$", "", name)


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
    """The process as cilk2gpu_view sees it. Keeps what it has found of a task, because lists ask for it again and again."""

    def __init__(self):
        self.frame_types, self.parameters = {}, {}

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

    def frame_type(self, task, kernel):
        """Returns the type of a pointer to a task's frame, or None without debug information. In optimised code, each kernel
        has a structure of its own."""
        own = task.kernels[kernel]["scalar"] if kernel is not None else None
        for code in ([own] if own else []) + [each["scalar"] for each in task.kernels]:
            function = function_at(code)
            names = [task.symbol + ".frame"] + ([function.linkage_name + ".frame"] if function and code == own else [])
            for symbol in lane_symbols(function) if function else []:
                if symbol.name == FRAME and symbol.type.target().tag in names:
                    return symbol.type
        return None

    def frame_at(self, task, address, kernel=None):
        """Returns the frame of a task as a structure of its variables, or None."""
        key = task.address, kernel
        if key not in self.frame_types:
            self.frame_types[key] = self.frame_type(task, kernel)
        kind = self.frame_types[key]
        return gdb.Value(address).cast(kind).dereference() if kind else None

    def frame_values(self, task, address, kernel):
        frame = self.frame_at(task, address, kernel)
        if frame is None:
            return None
        return [(field.name, shown(frame[field.name])) for field in frame.type.fields() if view.is_users(field.name)]

    def destination(self, task, address):
        frame = self.frame_at(task, address)
        if frame is None or DESTINATION not in [field.name for field in frame.type.fields()]:
            return None
        return int(frame[DESTINATION])

    def arguments(self, task):
        if task.address not in self.parameters:
            self.parameters[task.address] = self.find_arguments(task)
        return self.parameters[task.address]

    def find_arguments(self, task):
        """The serial elision has all parameters; a kernel has those that it uses. The task of an ordinary function calls it."""
        symbols = self.parameters_of(f"{task.symbol}.serial")
        if not symbols:
            kernel = function_at(task.kernels[0]["scalar"])
            symbols = arguments_of(kernel) if kernel else []
        symbols = symbols or self.parameters_of(task.symbol)
        return [(symbol.name, Kind(symbol.type)) for symbol in symbols]

    def parameters_of(self, name):
        address = self.address_of(f"'{name}'")
        function = function_at(address) if address else None
        return [each for each in block_of(function) if each.is_argument] if function else []

    @staticmethod
    def text_of(name, kind, data):
        return name, shown(gdb.Value(data, kind.type))


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
    except (gdb.error, MemoryError, UnicodeError) as error:
        return f"<{error}>"


def open_view():
    """Reads the process's graph. Raises view.NotThere if there is none."""
    try:
        return view.View(Process())
    except gdb.error as error:
        raise view.NotThere(f"the graph cannot be read: {error}")


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


def code_of(frame):
    """Returns the frame that runs a lane's code: the ordinary function or the body of a loop that the task calls, or `frame`."""
    inner = frame.newer()
    if inner and is_loop(inner):
        inner = inner.newer()
    called = inner.function() if inner else None
    return inner if called and view.is_code_of(called.linkage_name, kernel_of(frame).linkage_name) else frame


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
        place = self.waiting.sync()
        return place[0] if place else None

    def line(self):
        place = self.waiting.sync()
        return int(place[1]) if place else None

    def variables(self, arguments):
        content = Process().frame_at(self.waiting.task, self.waiting.address, self.waiting.kernel)
        if content is None or not self.kernel:
            return None
        own = {symbol.name for symbol in arguments_of(self.kernel)}
        return [Named(field.name, content[field.name]) for field in content.type.fields()
                if view.is_users(field.name) and (field.name in own) == arguments] or None

    def frame_args(self):
        return self.variables(True)

    def frame_locals(self):
        return self.variables(False)


def is_of_scheduler(frame):
    name = frame.name() or ""
    prefixes = ("cilk2gpu::", "__cilk2gpu", "(anonymous namespace)")
    return name.startswith(prefixes) or ".elided" in name or name.endswith(".start")  # the entry that starts the graph


class LaneDecorator(FrameDecorator):
    """The task that runs, under its name in the source, without the variables that serve this script."""

    def function(self):
        return plain_name(self.inferior_frame().name())

    def frame_locals(self):
        found = super().frame_locals()
        return [each for each in found if view.is_users(str(each.symbol()))] if found else found


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
            if is_loop(frame):
                continue  # the body of the loop stands for it
            if hides and kernel and frame.newer() and kernel_of(frame.newer()) and frame.newer().type() == gdb.INLINE_FRAME:
                continue  # the loop over the lanes of a wavefront
            if kernel and is_lane(frame):
                if code_of(frame) == frame:
                    yield LaneDecorator(decorator)
                hides, last = True, view.task_of_kernel(kernel.linkage_name)
                try:
                    for parent in logical_parents(frame)[0]:
                        last = parent.task.symbol
                        yield LogicalDecorator(decorator, parent)
                except (view.NotThere, gdb.error):
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


class Group(gdb.Command):
    """Commands for the graph of a cilk2gpu program."""

    def __init__(self, name, kind):
        super().__init__(name, kind, prefix=True)


class Command(gdb.Command):
    """A command that prints the lines that `run` returns for its argument. What goes wrong is a message."""

    def __init__(self, name, kind, run):
        self.__doc__ = run.__doc__
        super().__init__(name, kind)
        self.run = run

    def invoke(self, argument, from_tty):
        if not gdb.selected_inferior().pid:
            raise gdb.GdbError("there is no process: it has ended, or has not begun; start it with: run")
        try:
            lines = self.run(argument.strip())
        except (view.NotThere, gdb.error) as error:
            raise gdb.GdbError(str(error))
        except UnicodeError:
            raise gdb.GdbError("a name in this program is not UTF-8, which gdb's scripts cannot read")
        if lines:
            print("\n".join(lines))


def list_tasks(argument):
    """Lists the tasks that wait, with their variables: info cilk tasks [TASK]"""
    return view.list_tasks(open_view(), argument or None)


def list_lanes(argument):
    """Lists the lanes that the selected thread runs, with the variables with which they began: info cilk lanes [FIRST]"""
    return view.list_lanes(open_view(), thread_of_frame(), view.number_in(argument, "the number of a lane", 0))


def list_levels(argument):
    """Shows the channels and frames of each level of the recursion, for each worker."""
    return view.list_levels(open_view())


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
            raise view.NotThere("the selected thread runs no kernel of a Cilk function")
        return frame

    def stack(self):
        return logical_parents(self.lane())

    def move(self, step):
        parents, why = self.stack()
        wanted = self.position + step
        if wanted < 0:
            raise view.NotThere("this is the task that runs; no task is below it")
        if wanted > len(parents):
            raise view.NotThere(why or "this is the root; nothing has spawned it")
        self.position = wanted
        if wanted:
            content = Process().frame_at(parents[wanted - 1].task, parents[wanted - 1].address,
                                       parents[wanted - 1].kernel)
            gdb.set_convenience_variable("cilk_frame", content.address if content is not None else
                                         gdb.Value(parents[wanted - 1].address))
        else:
            code_of(self.lane()).select()
        return [self.text(wanted, parents)]

    def text(self, position, parents):
        if position == 0:
            return "#0  " + lane_text(code_of(self.lane()))
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


def show_stack(argument):
    """Shows the logical stack of spawns: the task that runs, and its parents."""
    parents, why = selection.stack()
    return [selection.text(position, parents) for position in range(len(parents) + 1)] + ([why] if why else [])


def move_up(argument):
    """Selects the task that spawned the selected task. A number repeats it."""
    return selection.move(view.number_in(argument, "how many tasks to go up", 1))


def move_down(argument):
    """Goes back to the task that the selected task has spawned. A number repeats it."""
    return selection.move(-view.number_in(argument, "how many tasks to go down", 1))


def show_locals(argument):
    """Shows the variables of the task that `cilk up` has selected."""
    if selection.position == 0:
        frame, found = code_of(selection.lane()), []
        block = frame.block()
        while block:
            found += [(symbol.name, shown(symbol.value(frame))) for symbol in block if symbol.is_argument or symbol.is_variable]
            block = block.superblock if not block.function else None
        return [f"{name} = {text}" for name, text in found if view.is_users(name)]
    parents, _ = selection.stack()
    parent = parents[selection.position - 1]
    return [f"{name} = {text}"
            for name, text in Process().frame_values(parent.task, parent.address, parent.kernel) or []]


def in_frame(expression, content):
    """Returns an expression with the variables in the frame of the selected task. Of other tasks' variables, gdb would know
    those of the one that runs."""
    if content is None:
        raise view.NotThere("the variables of this task are not known; compile the program with -g")
    names = {field.name for field in content.type.fields()}

    def place(found):
        name = found.group(0)
        if name in names:
            return f"$cilk_frame->{name}"
        symbol = gdb.lookup_symbol(name)[0]
        if symbol and symbol.needs_frame:
            raise view.NotThere(f"the selected task has no variable '{name}'")
        return name

    return re.sub(r"(?<![\w.$])(?<!->)[A-Za-z_]\w*", place, expression)


def print_variable(argument):
    """Prints an expression of variables of the task that `cilk up` has selected: cilk print a[2].x + *n"""
    if not argument:
        raise view.NotThere("the expression is missing, as in: cilk print n")
    if selection.position == 0:
        code_of(selection.lane()).select()
    else:
        parent = selection.stack()[0][selection.position - 1]
        argument = in_frame(argument, Process().frame_at(parent.task, parent.address, parent.kernel))
    gdb.execute("print " + argument)
    return []


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
            if view.is_users(field.name):
                yield field.name, self.value[field.name]


def find_printer(value):
    kind = value.type.strip_typedefs()
    printers = {"cilk2gpu::rt::OwnedChannel": ChannelPrinter, "cilk2gpu::rt::FramePool": FramePoolPrinter}
    if kind.code == gdb.TYPE_CODE_STRUCT and (kind.tag or "").endswith(".frame"):
        return FramePrinter(value)
    return printers[kind.tag](value) if kind.tag in printers else None


gdb.pretty_printers.append(find_printer)
SpawnStack()
Group("info cilk", gdb.COMMAND_STATUS)
Group("cilk", gdb.COMMAND_STACK)
for name, run in {"tasks": list_tasks, "lanes": list_lanes, "levels": list_levels}.items():
    Command(f"info cilk {name}", gdb.COMMAND_STATUS, run)
for name, run in {"stack": show_stack, "up": move_up, "down": move_down, "locals": show_locals, "print": print_variable}.items():
    Command(f"cilk {name}", gdb.COMMAND_STACK, run)
