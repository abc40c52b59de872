// Replaces libunicorn: counts instructions one by one, and prints their number at the end.
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

static uint64_t executed;
static void one(void *engine, uint64_t address, uint32_t bytes, void *context) { ++executed; }

int uc_open(int arch, int mode, void **engine) {
  void *library = dlopen("libunicorn.so.2", RTLD_NOW);
  int (*open)(int, int, void **) = (int (*)(int, int, void **))dlsym(library, "uc_open");
  int (*add)(void *, size_t *, int, void *, void *, uint64_t, uint64_t, ...) =
      (int (*)(void *, size_t *, int, void *, void *, uint64_t, uint64_t, ...))dlsym(library, "uc_hook_add");
  static size_t hook;
  int error = open(arch, mode, engine);
  return error ? error : add(*engine, &hook, /*UC_HOOK_CODE=*/4, (void *)one, NULL, 1, 0);
}

__attribute__((destructor)) static void say(void) {
  fprintf(stderr, "one by one %llu\n", (unsigned long long)executed);
}
