// Writes the report of wavefronts that wait. It has a small formatter of its own, because the core has no C library.
#include "executors/model/Model.h"

namespace cilk2gpu::rt {

namespace {
/// One line of text. A line that is too long is cut off.
class Line {
public:
  Line &operator<<(const char *text) {
    for (text = text ? text : "(unnamed)"; *text && length + 1 < sizeof buffer; ++text)
      buffer[length++] = *text;
    return *this;
  }
  Line &operator<<(uint64_t number) {
    char digits[24];
    char *start = digits + sizeof digits - 1;
    *start = 0;
    do
      *--start = char('0' + number % 10);
    while (number /= 10);
    return *this << start;
  }
  const char *text() {
    buffer[length] = 0;
    return buffer;
  }

private:
  char buffer[256];
  uint64_t length = 0;
};

using Out = void (*)(void *context, const char *text);
constexpr unsigned kLines = 20; ///< lines of each kind; further items are only counted
} // namespace

static void reportTask(const LevelTask &task, uint64_t deepest, Out out, void *context) {
  Line line;
  line << "  level " << task.level << ", '" << task.task->name << "': " << task.pre.outstanding() << " of "
       << task.width << " elements in its channel";
  uint64_t blocked = 0, posts = 0;
  const LevelTask *full = nullptr;
  if (task.active) {
    for (const SavedWave *wave = task.active->firstBlocked; wave; wave = wave->next, ++blocked)
      full = wave->blockedOn;
    for (uint32_t k = 1; k < task.task->numKernels; ++k)
      posts += task.active->post(k).channel.size();
  }
  if (blocked)
    line << "; " << blocked << " wavefronts wait for room in the channel of '" << full->task->name << "' at level "
         << full->level;
  if (posts)
    line << "; " << posts << " post-sync elements wait" << (deepest > task.level ? " for what is deeper" : "");
  out(context, line.text());
}

void Model::report(Out out, void *context) const {
  unsigned lines = 0, more = 0;
  for (uint32_t i = 0; i < machine.shape().contexts(); ++i) {
    const Context &at = machine.context(i);
    if (!at.wavefront)
      continue;
    if (++lines > kLines) {
      ++more;
      continue;
    }
    const Wavefront &wavefront = *at.wavefront;
    Line line;
    line << "  CU " << at.cu << ", context " << i % machine.shape().contextsPerCu << ": "
         << (machine.running() == &at ? "runs" : "waits for its turn in") << " '"
         << wavefront.task->task->kernels[wavefront.wave.kernel].name << "', level " << wavefront.task->level << ", "
         << wavefront.wave.lanes << " lanes";
    out(context, line.text());
  }
  if (more)
    out(context, (Line() << "  and " << more << " more wavefronts in contexts").text());
  uint64_t deepest = alive.deepest();
  lines = more = 0;
  for (uint64_t at = deepest; at != LevelSet::kNone; at = at ? alive.atOrAbove(at - 1) : LevelSet::kNone)
    for (const LevelTask *task = levels[at].tasks; task; task = task->next) {
      if (++lines <= kLines)
        reportTask(*task, deepest, out, context);
      else
        ++more;
    }
  if (more)
    out(context, (Line() << "  and " << more << " more tasks at shallower levels").text());
}

} // namespace cilk2gpu::rt
