"""lldb's commands for programs of cilk2gpu. Load it with `command script import cilk2gpu_lldb.py`; docs/debugging.md describes it.

- info cilk tasks [TASK]      the tasks that wait, with their variables
- info cilk lanes [FIRST]     the lanes that the selected thread runs, with the variables with which they began
- info cilk levels            channels and frames of each level of the recursion
- cilk stack                  the logical stack of spawns: the task that runs, and its parents
- cilk up, cilk down          select a task in it; `cilk locals` and `cilk print EXPRESSION` refer to it
"""
import os
import re
import sys

import lldb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cilk2gpu_view as view  # noqa: E402

DESTINATION = "__cilk_destination"


class Kind:
    """A type, with the scalars in it."""

    def __init__(self, kind):
        self.type, self.size = kind, kind.GetByteSize()
        self.parts = list(self.scalars(kind, 0))

    @classmethod
    def scalars(cls, kind, offset):
        kind = kind.GetCanonicalType()
        element = kind.GetArrayElementType()
        if element.IsValid() and element.GetByteSize():
            for i in range(kind.GetByteSize() // element.GetByteSize()):
                yield from cls.scalars(element, offset + i * element.GetByteSize())
        elif kind.GetNumberOfFields() and kind.GetTypeClass() != lldb.eTypeClassUnion:
            for i in range(kind.GetNumberOfFields()):
                field = kind.GetFieldAtIndex(i)
                yield from cls.scalars(field.GetType(), offset + field.GetOffsetInBytes())
        else:
            yield offset, kind.GetByteSize()


class Process:
    """The process as cilk2gpu_view sees it."""

    def __init__(self, process):
        self.process, self.target = process, process.GetTarget()

    def read(self, address, size):
        error = lldb.SBError()
        data = self.process.ReadMemory(address, size, error)
        if not error.Success():
            raise view.NotThere(f"the graph cannot be read: {error.GetCString()}")
        return bytes(data)

    def address_of(self, name):
        for found in self.target.FindSymbols(name):
            address = found.GetSymbol().GetStartAddress().GetLoadAddress(self.target)
            if address != lldb.LLDB_INVALID_ADDRESS:
                return address
        return None

    def at(self, address):
        return self.target.ResolveLoadAddress(address)

    def kernel_name(self, address):
        symbol = self.at(address).GetSymbol()
        return symbol_name(symbol) if symbol.IsValid() else None

    def task_name(self, task):
        function = self.at(task.kernels[0]["scalar"]).GetFunction() if task.kernels else None
        return plain_name(function.GetDisplayName()) if function and function.IsValid() else task.name

    def frame_at(self, task, address, kernel=None):
        """Returns the frame of a task as a structure of its variables, or None without debug information. In optimised code,
        each kernel has a structure of its own."""
        for name in [f"{task.symbol}.frame"] + ([f"{task.symbol}.k{kernel}.frame"] if kernel else []):
            kind = self.target.FindFirstType(name)
            if kind.IsValid():
                return self.target.CreateValueFromAddress("frame", self.at(address), kind)
        return None

    def frame_values(self, task, address, kernel):
        frame = self.frame_at(task, address, kernel)
        return None if frame is None else [(each.GetName(), shown(each)) for each in frame if view.is_users(each.GetName())]

    def destination(self, task, address):
        frame = self.frame_at(task, address)
        found = frame.GetChildMemberWithName(DESTINATION) if frame is not None else None
        return found.GetValueAsUnsigned() if found is not None and found.IsValid() else None

    def arguments(self, task):
        """The serial elision has all parameters; a kernel has those that it uses. The task of an ordinary function calls it."""
        for address in (self.address_of(f"{task.symbol}.serial"), task.kernels[0]["scalar"], self.address_of(task.symbol)):
            function = self.at(address).GetFunction() if address else None
            found = arguments_of(function, self.target) if function and function.IsValid() else []
            if found:
                return [(each.GetName(), Kind(each.GetType())) for each in found]
        return []

    def text_of(self, name, kind, data):
        held = lldb.SBData()
        held.SetData(lldb.SBError(), data, self.process.GetByteOrder(), self.process.GetAddressByteSize())
        return name, shown(self.target.CreateValueFromData(name, held, kind.type))


def shown(value):
    text = value.GetSummary() or value.GetValue()
    if text is not None:
        return text
    return "{" + ", ".join(f"{each.GetName()} = {shown(each)}" for each in list(value)[:20]) + "}"


def symbol_name(symbol):
    return symbol.GetMangledName() or symbol.GetName()


def plain_name(name):
    """Returns the name of a kernel's function in the source: "fib" for fib.k0."""
    name = re.sub(r" \(\.k.*\)$| \[clone .*\]$", "", name or "")
    return view.task_of_kernel(name) or re.sub(r"\(.*\)$|\.body$", "", name)


def open_view(process):
    return view.View(Process(process))


def arguments_of(function, target):
    """Returns the parameters of a kernel's task. The code of a lane, which has them, is inlined in the kernel."""
    block = function.GetBlock()
    while block.IsValid():
        found = list(block.GetVariables(target, True, False, False))
        if found:
            return found
        block = block.GetFirstChild()
    return []


def lane_frame(thread):
    """Returns the innermost frame of a thread that runs a task. The code of a lane is inlined in the kernel."""
    lane = None
    for frame in thread:
        if view.task_of_kernel(symbol_name(frame.GetSymbol())):
            if not frame.IsInlined():
                return lane or frame
            lane = frame
    raise view.NotThere("the selected thread runs no kernel of a Cilk function")


def code_of(frame):
    """Returns the frame that runs a lane's code: the ordinary function or the body of a loop that the task calls, or `frame`."""
    thread, kernel, number = frame.GetThread(), symbol_name(frame.GetSymbol()), frame.GetFrameID()
    for step in (1, 2):
        inner = thread.GetFrameAtIndex(number - step) if number >= step else None
        names = (inner.GetFunction().GetMangledName(), inner.GetFunctionName()) if inner else ()
        if any(view.is_code_of(name, kernel) for name in names):
            return inner
        if not any(view.is_loop_of(name, kernel) for name in names):
            break
    return frame


def pthread_of(frame):
    """Returns the pthread_t of a frame's thread."""
    registers = [each for group in frame.GetRegisters() for each in group if each.GetName() == "fs_base"]
    return registers[0].GetValueAsUnsigned() if registers else 0


def logical_parents(thread):
    graph, frame = open_view(thread.GetProcess()), lane_frame(thread)
    destination = frame.FindVariable(DESTINATION)
    worker = graph.worker_of(pthread_of(frame))
    task = graph.task_named(view.task_of_kernel(symbol_name(frame.GetSymbol())))
    return graph.parents(task, destination.GetValueAsUnsigned() if destination.IsValid() else None, worker)


class Selection:
    """The position in the logical stack that `cilk up` and `cilk down` move. It ends when the process goes on."""
    position, stop = 0, None


def position_at(thread):
    stop = (thread.GetThreadID(), thread.GetProcess().GetStopID())
    if Selection.stop != stop:
        Selection.position, Selection.stop = 0, stop
    return Selection.position


def lane_text(frame):
    values = [(each.GetName(), shown(each)) for each in frame.GetVariables(True, False, False, True)]
    line = frame.GetLineEntry()
    return f"{plain_name(frame.GetDisplayFunctionName())} ({view.joined(values)}) runs at {line.GetFileSpec().GetFilename()}:{line.GetLine()}"


def text_of(position, thread, parents):
    if position == 0:
        return "#0  " + lane_text(code_of(lane_frame(thread)))
    parent = parents[position - 1]
    process = Process(thread.GetProcess())
    values = process.frame_values(parent.task, parent.address, parent.kernel)
    return f"#{position}  {process.task_name(parent.task)} ({view.joined(values or [])}) {parent.where()}"


def selected(thread):
    """Returns the variables of the selected task as (name, value)."""
    position = position_at(thread)
    if position == 0:
        return [(each.GetName(), each) for each in code_of(lane_frame(thread)).GetVariables(True, True, False, True)]
    parent = logical_parents(thread)[0][position - 1]
    frame = Process(thread.GetProcess()).frame_at(parent.task, parent.address, parent.kernel)
    return [(each.GetName(), each) for each in frame] if frame is not None else []


def show_tasks(thread, argument):
    return view.list_tasks(open_view(thread.GetProcess()), argument or None)


def show_lanes(thread, argument):
    return view.list_lanes(open_view(thread.GetProcess()), pthread_of(thread.GetFrameAtIndex(0)),
                           view.number_in(argument, "the number of a lane", 0))


def show_levels(thread, argument):
    return view.list_levels(open_view(thread.GetProcess()))


def show_stack(thread, argument):
    parents, why = logical_parents(thread)
    return [text_of(i, thread, parents) for i in range(len(parents) + 1)] + ([why] if why else [])


def move(thread, step):
    parents, why = logical_parents(thread)
    wanted = position_at(thread) + step
    if wanted < 0:
        raise view.NotThere("this is the task that runs; no task is below it")
    if wanted > len(parents):
        raise view.NotThere(why or "this is the root; nothing has spawned it")
    Selection.position = wanted
    return [text_of(wanted, thread, parents)]


def move_up(thread, argument):
    return move(thread, view.number_in(argument, "how many tasks to go up", 1))


def move_down(thread, argument):
    return move(thread, -view.number_in(argument, "how many tasks to go down", 1))


def show_locals(thread, argument):
    return [f"{name} = {shown(value)}" for name, value in selected(thread) if view.is_users(name)]


def print_variable(thread, argument):
    found = re.match(r"(\*?)([A-Za-z_]\w*)(.*)$", argument)
    if not found:
        raise view.NotThere("the expression must begin with the name of a variable, or with a '*' and a name, as in: cilk print n")
    star, wanted, path = found.groups()
    for name, value in selected(thread):
        if name == wanted:
            part = value.GetValueForExpressionPath(path) if path else value
            part = part.Dereference() if star and part.IsValid() else part
            if not part.IsValid():
                raise view.NotThere(f"{name} has no part '{path}'" if not star else f"{name}{path} is no pointer")
            return [f"{argument} = {shown(part)}"]
    raise view.NotThere(f"the selected task has no variable '{wanted}'")


COMMANDS = {"info cilk tasks": (show_tasks, "Lists the tasks that wait, or those with a name."),
            "info cilk lanes": (show_lanes, "Shows the lanes that the selected thread runs, from a number on."),
            "info cilk levels": (show_levels, "Shows channels and frames of each level of the recursion."),
            "cilk stack": (show_stack, "Shows the logical stack of spawns: the task that runs, and its parents."),
            "cilk up": (move_up, "Selects the task that spawned the selected task. A number repeats it."),
            "cilk down": (move_down, "Goes back to the task that the selected task has spawned. A number repeats it."),
            "cilk locals": (show_locals, "Shows the variables of the selected task."),
            "cilk print": (print_variable, "Prints a variable of the selected task, or a part of it: cilk print a[2].x")}


def command_function(run):
    def invoke(debugger, argument, context, result, session):
        thread = context.GetThread()
        if not thread or not thread.IsValid():
            result.SetError("no process has stopped")
            return
        try:
            result.AppendMessage("\n".join(run(thread, argument.strip())))
        except view.NotThere as error:
            result.SetError(str(error))
    return invoke


for _name, (_run, _) in COMMANDS.items():
    globals()["command_" + _name.replace(" ", "_")] = command_function(_run)


def __lldb_init_module(debugger, session):
    for container in ("info", "info cilk", "cilk"):
        debugger.HandleCommand(f"command container add -h 'Commands for the graph of a cilk2gpu program.' {container}")
    for name, (_, text) in COMMANDS.items():
        debugger.HandleCommand(f"command script add -o -h '{text}' -f {__name__}.command_{name.replace(' ', '_')} {name}")
