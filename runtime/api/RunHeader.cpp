// The program and its arguments come from the kernel, because main's arguments are not known to the runtime. A program
// that writes over its arguments has the new text there.
#include "api/RunHeader.h"
#include "process/Settings.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

namespace cilk2gpu::rt {

/// Writes the path of the running program.
static void writeProgram(StatisticsFile &file) {
  char path[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  path[length < 0 ? 0 : length] = 0;
  file.fact("program", length < 0 ? program_invocation_name : path);
}

static void writeArguments(StatisticsFile &file) {
  file.beginList("arguments");
  if (FILE *words = fopen("/proc/self/cmdline", "re")) {
    char *word = nullptr;
    size_t size = 0;
    for (bool isName = true; getdelim(&word, &size, 0, words) > 0; isName = false)
      if (!isName)
        file.listItem(word);
    free(word);
    fclose(words);
  }
  file.endList();
}

static void writeSettings(StatisticsFile &file) {
  file.beginSettings();
  visitGivenSettings([](void *context, const char *name,
                        const char *value) { static_cast<StatisticsFile *>(context)->setting(name, value); },
                     &file);
  file.endSettings();
}

void writeRunHeader(StatisticsFile &file, bool isComplete) {
  file.fact("schema_version", kStatisticsSchema);
  file.flag("complete", isComplete);
  writeProgram(file);
  writeArguments(file);
  file.fact("compiler", "cilk2gpu " CILK2GPU_VERSION);
  writeSettings(file);
}

} // namespace cilk2gpu::rt
