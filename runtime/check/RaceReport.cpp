// See RaceReport.h. A report has the rule, the finding and the remedy.
#include "check/RaceReport.h"
#include "process/Message.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// Programs in C do not have it.
extern "C" char *__cxa_demangle(const char *name, char *buffer, size_t *size, int *status) __attribute__((weak));

namespace cilk2gpu::rt {

using Number = unsigned long long;

namespace {

/// The end of a process as text.
struct EndText {
  explicit EndText(int status) {
    if (WIFSIGNALED(status))
      snprintf(text, sizeof text, "ended by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
      snprintf(text, sizeof text, "exit status %d", WEXITSTATUS(status));
  }
  char text[96];
};

/// A task as text: its name and its line. A column of 0 is not known.
struct TaskText {
  explicit TaskText(const StepTask &task) {
    size_t length = strlen(task.location);
    if (length > 2 && !strcmp(task.location + length - 2, ":0"))
      length -= 2;
    bool hasPlace = length;
    snprintf(text, sizeof text, "%s%s%.*s%s", task.name, hasPlace ? " (" : "", int(length), task.location,
             hasPlace ? ")" : "");
  }
  char text[sizeof(StepTask) + 4];
};

} // namespace

static void listOutput(const char *what, const OutputDifference &difference, const char *firstName,
                       const char *otherName) {
  if (!difference.isDifferent)
    return;
  note("  %s, from byte %llu on, in line %llu:", what, Number(difference.byte), Number(difference.line));
  auto line = [](const char *name, const char *text, bool ends) {
    ends ? note("    %s: nothing more", name) : note("    %s: %s", name, text);
  };
  line(firstName, difference.serial, difference.endsSerial);
  line(otherName, difference.other, difference.endsOther);
}

void RaceReport::listVariable(const VariableDifference &difference, const char *firstName,
                              const char *otherName) const {
  const ProgramVariable &variable = variables[difference.variable];
  const char *name = variable.name;
  if (__cxa_demangle && !strncmp(name, "_Z", 2))
    if (const char *plain = __cxa_demangle(name, nullptr, nullptr, nullptr))
      name = plain;
  char place[96] = "";
  if (difference.size != variable.size)
    snprintf(place, sizeof place, ", %u %s at byte %llu of %llu", difference.size,
             difference.size == 1 ? "byte" : "bytes", Number(difference.valueAt), Number(variable.size));
  char more[64] = "";
  if (difference.numVariables > 1)
    snprintf(more, sizeof more, ", and %llu more", Number(difference.numVariables - 1));
  note("  variable %s%s%s:", name, place, more);
  auto line = [&](const char *run, uint64_t value) {
    double number;
    memcpy(&number, &value, sizeof number);
    difference.areDoubles ? note("    %s: %.17g", run, number)
                          : note("    %s: %lld (0x%llx)", run, static_cast<long long>(value), Number(value));
  };
  line(firstName, difference.serial);
  line(otherName, difference.found);
}

void RaceReport::listDifferences(const RunDifference &difference, const RunResult &run, const char *firstName,
                                 const char *otherName) const {
  if (difference.isStuck)
    note("  the run did not end: it made no progress for %.1f s, while a serial run takes %.3f s",
         double(difference.isStuck ? run.nanoseconds : 0) * 1e-9, double(serial.nanoseconds) * 1e-9);
  if (difference.hasOtherStatus) {
    note("  end of the program:");
    note("    %s: %s", firstName, EndText(serial.status).text);
    note("    %s: %s", otherName, EndText(run.status).text);
  }
  listOutput("standard output", difference.output, firstName, otherName);
  listOutput("standard error", difference.errorOutput, firstName, otherName);
  if (difference.variables.numVariables)
    listVariable(difference.variables, firstName, otherName);
}

void RaceReport::reportUnstable(const RunDifference &difference, const RunResult &second) const {
  error("CILK2GPU_CHECK=races compares schedules, but two runs in serial order differ:");
  listDifferences(difference, second, "first run", "other run");
  note("such programs use the time, random numbers, process numbers, or memory that was not written; make the result "
       "depend on the input only, for example with a fixed seed and without times in the output");
}

void RaceReport::listStep(const StepRecord &step) {
  TaskText task(step.task);
  switch (step.kind) {
  case StepKind::None:
    return note("  first step that makes a difference: number %llu, which has no task", Number(step.made));
  case StepKind::Behind:
    note("  first step that makes a difference: code behind the spawn of this task ran before the task");
    return note("    task %s", task.text);
  case StepKind::Early:
    note("  first step that makes a difference: this task ran before tasks that come first in serial order");
    break;
  case StepKind::Ahead:
    note("  first step that makes a difference: this task ran up to its syncs before its children");
    break;
  }
  note("    task %s", task.text);
  for (uint32_t i = 0; i < step.numOthers; ++i)
    note("    ran before %s%s", TaskText(step.others[i]).text,
         step.hasMoreOthers && i + 1 == step.numOthers ? ", and others" : "");
}

/// Adds a word of the command line, in quotes if a shell needs them.
static void addWord(char *text, size_t size, const char *word) {
  size_t length = strlen(text);
  bool isPlain = *word && !strpbrk(word, " \t\n'\"\\$`*?[]{}()<>|&;#~!");
  snprintf(text + length, size - length, isPlain ? " %s" : " '%s'", word);
}

void RaceReport::listCommand(uint64_t seed, uint64_t steps) {
  char text[800], arguments[512];
  snprintf(text, sizeof text, "CILK2GPU_STEPS=%llu CILK2GPU_SEED=%llu", Number(steps), Number(seed));
  int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  ssize_t length = file < 0 ? 0 : read(file, arguments, sizeof arguments - 1);
  arguments[length < 0 ? 0 : length] = 0;
  for (char *word = arguments; word < arguments + length; word += strlen(word) + 1)
    addWord(text, sizeof text, word);
  if (file >= 0)
    close(file);
  note("  to repeat this run: %s", text);
}

void RaceReport::reportRace(const RunDifference &difference, const RunResult &run, uint64_t seed,
                            uint64_t steps) const {
  error("the result must be that of the serial order under every schedule, but it depends on the order of tasks:");
  listDifferences(difference, run, "serial order", "this schedule");
  if (steps)
    listStep(run.steps);
  listCommand(seed, steps);
  note("  remedy: compile with -fsanitize=cilk, which names both lines of a race; then put a sync between them, use a "
       "reducer, or give each task data of its own");
}

void RaceReport::noteVariables() const {
  switch (variables.source()) {
  case ProgramVariables::Source::None:
    return note("the program has no symbol table (strip), so global variables were not compared");
  case ProgramVariables::Source::Static:
    return note("the program is linked statically, so global variables were not compared");
  case ProgramVariables::Source::Symbols:
    break;
  }
  if (!variables.size() && !variables.numSkipped())
    return note("the program has no global variables, so only outputs and exit statuses were compared");
  if (!serial.hasVariables)
    return note("the program does not end by exit() or by a return from main(), so global variables were not compared");
  if (variables.numSkipped())
    note("%llu global variables were not compared, because all of them take more than %llu bytes",
         Number(variables.numSkipped()), Number(ProgramVariables::kMostBytes));
}

} // namespace cilk2gpu::rt
