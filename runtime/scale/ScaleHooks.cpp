// The hooks of programs that were compiled with -fcilk-scale (lib/Instrument/CountWork.h), and <cilk/cilkscale.h>.
//
// Only the thread that calls the first hook is recorded. Hooks keep the registers of their callers (preserve_most), so
// that they change the program's code little.
#include "process/VariableNames.h"
#include "scale/Interruption.h"
#include "scale/LibraryTime.h"
#include "scale/Recorder.h"
#include "scale/ScaleReport.h"

#include <new>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

using namespace cilk2gpu::rt;
using namespace cilk2gpu::rt::scale;

#define HOOK extern "C" __attribute__((preserve_most, visibility("default")))

extern "C" {
/// Instructions that the program has executed. Every basic block adds its number.
__attribute__((visibility("hidden"))) uint64_t __cilk2gpu_scale_work = 0;
}

namespace {

/// Cost of moving work to another worker, in instructions. Cilkview's number.
constexpr uint64_t kBurden = 15000;

struct Session {
  Recorder recorder{burdenOf(getenv("CILKSCALE_BURDEN"))};
  LibraryTime libraries;
  pthread_t thread = pthread_self();
  pid_t process = getpid();

  static uint64_t burdenOf(const char *text) {
    if (!text)
      return kBurden;
    char *end;
    unsigned long long value = strtoull(text, &end, 10);
    if (!*text || *end || *text == '-' || value > uint64_t(1) << 40)
      fatal("CILKSCALE_BURDEN is the number of instructions that it costs to move work, 0 to 1099511627776; found "
            "'%s'; set such a number",
            text);
    return value;
  }

  bool isOurs() const { return pthread_equal(thread, pthread_self()); }
  uint64_t now() const { return __cilk2gpu_scale_work; }
};

alignas(Session) char storage[sizeof(Session)];
Session *session = nullptr;

void writeReport() {
  if (!session || session->process != getpid()) // a child process of fork() has the parent's counts
    return;
  session->recorder.finish(session->now());
  report(session->recorder, session->libraries.instructions(), Interruption::hasArrived());
}

/// Writes the report of the part that ran, and ends the process by its signal. A hook calls it before it records.
void endAtHook() {
  if (!session->isOurs())
    return;
  Interruption::stopTimer();
  writeReport();
  Interruption::endProcess();
}

Session &begin() {
  if (!session) {
    warnOfUnknownVariables();
    session = new (storage) Session;
    Interruption::watch();
    atexit(writeReport);
  } else if (Interruption::hasArrived()) {
    endAtHook();
  }
  return *session;
}

/// Begins before main, so that the work of constructors and of main counts, too.
__attribute__((constructor)) void beginAtStart() { begin(); }

} // namespace

//===-- Strands ---------------------------------------------------------------------------------------------------===//

HOOK uint32_t __cilk2gpu_scale_enter(const Site *site) {
  Session &s = begin();
  s.libraries.noteHook();
  return s.isOurs() ? s.recorder.enter(site, s.now()) : 0;
}

HOOK void __cilk2gpu_scale_leave(uint32_t function) {
  Session &s = begin();
  s.libraries.noteHook();
  if (s.isOurs())
    s.recorder.leave(function, /*hasResult=*/false, s.now());
}

HOOK void __cilk2gpu_scale_leave_result(uint32_t function) {
  Session &s = begin();
  s.libraries.noteHook();
  if (s.isOurs())
    s.recorder.leave(function, /*hasResult=*/true, s.now());
}

HOOK void __cilk2gpu_scale_leave_innermost() {
  Session &s = begin();
  s.libraries.noteHook();
  if (s.isOurs())
    s.recorder.leaveInnermost(/*hasResult=*/false, s.now());
}

HOOK void __cilk2gpu_scale_leave_innermost_result() {
  Session &s = begin();
  s.libraries.noteHook();
  if (s.isOurs())
    s.recorder.leaveInnermost(/*hasResult=*/true, s.now());
}

HOOK void __cilk2gpu_scale_unwind(uint32_t function, uint32_t loops) {
  Session &s = begin();
  s.libraries.noteHook();
  if (s.isOurs())
    s.recorder.unwind(function, loops, s.now());
}

HOOK void __cilk2gpu_scale_spawn(const Site *site) {
  Session &s = begin();
  s.libraries.noteHook();
  if (s.isOurs())
    s.recorder.spawn(site, s.now());
}

HOOK void __cilk2gpu_scale_return() {
  Session &s = begin();
  s.libraries.noteHook();
  if (s.isOurs())
    s.recorder.childReturn(s.now());
}

HOOK void __cilk2gpu_scale_sync(const Site *site) {
  Session &s = begin();
  s.libraries.noteHook();
  if (s.isOurs())
    s.recorder.sync(site, s.now());
}

HOOK void __cilk2gpu_scale_sync_return(const Site *site) {
  Session &s = begin();
  s.libraries.noteHook();
  if (s.isOurs())
    s.recorder.syncAtReturn(site, s.now());
}

HOOK void __cilk2gpu_scale_sync_end(const Site *) {
  Session &s = begin();
  s.libraries.noteHook();
  if (s.isOurs())
    s.recorder.syncAtEnd(s.now());
}

HOOK void __cilk2gpu_scale_loop(const Site *site, uint64_t trips) {
  Session &s = begin();
  s.libraries.noteHook();
  if (s.isOurs())
    s.recorder.loop(site, trips, s.now());
}

HOOK void __cilk2gpu_scale_iteration(uint64_t index) {
  Session &s = begin();
  s.libraries.noteHook();
  if (s.isOurs())
    s.recorder.iteration(index, s.now());
}

HOOK void __cilk2gpu_scale_loop_end() {
  Session &s = begin();
  s.libraries.noteHook();
  if (s.isOurs())
    s.recorder.loopEnd(s.now());
}

//===-- Libraries -------------------------------------------------------------------------------------------------===//

HOOK void __cilk2gpu_scale_library_enter() {
  Session &s = begin();
  if (s.isOurs())
    s.libraries.enter(s.now(), __builtin_frame_address(0));
}

HOOK void __cilk2gpu_scale_library_leave() {
  Session &s = begin();
  if (s.isOurs())
    __cilk2gpu_scale_work += s.libraries.leave(s.now(), __builtin_frame_address(0));
}

//===-- <cilk/cilkscale.h> ----------------------------------------------------------------------------------------===//

struct wsp_t {
  int64_t work, span, bspan;
};

extern "C" {
__attribute__((visibility("default"))) wsp_t wsp_getworkspan() {
  Session &s = begin();
  s.libraries.noteHook();
  if (!s.isOurs())
    return {0, 0, 0};
  Point point = s.recorder.point(s.now());
  return {int64_t(point.work), int64_t(point.span), int64_t(point.burdened)};
}

__attribute__((visibility("default"))) wsp_t wsp_add(wsp_t a, wsp_t b) {
  return {a.work + b.work, a.span + b.span, a.bspan + b.bspan};
}

__attribute__((visibility("default"))) wsp_t wsp_sub(wsp_t a, wsp_t b) {
  return {a.work - b.work, a.span - b.span, a.bspan - b.bspan};
}

__attribute__((visibility("default"))) void wsp_dump(wsp_t region, const char *tag) {
  addRegion({tag ? strdup(tag) : strdup(""), region.work, region.span, region.bspan});
}
}
