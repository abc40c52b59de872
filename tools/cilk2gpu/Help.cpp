// The text of --help: the driver's own options and the run-time environment. Clang's help explains Clang's options.
#include "Options.h"
#include "process/Devices.h"
#include "llvm/Support/Format.h"

/// Prints a line for each device that the runtime supports.
static void printDevices(llvm::raw_ostream &os) {
  for (const cilk2gpu::rt::DeviceTraits &traits : cilk2gpu::rt::kDevices)
    os << "  CILK2GPU_DEVICE=" << llvm::format("%-11s ", traits.name) << traits.help << '\n';
}

/// Prints a line for each environment variable of compiled programs, wrapped before column 118.
static void printVariables(llvm::raw_ostream &os) {
  struct Entry {
    llvm::StringRef name, value, help;
  };
  static constexpr Entry entries[] = {
#define CILK2GPU_VARIABLE(name, value, help, named, parse, allowed) {"CILK2GPU_" #name, value, help},
#include "process/Variables.def"
  };
  constexpr unsigned kColumn = 30, kEnd = 118;
  for (const Entry &entry : entries) {
    if (entry.value.empty()) {
      printDevices(os);
      continue;
    }
    std::string head = ("  " + entry.name + "=" + entry.value).str();
    os << head;
    if (head.size() + 1 < kColumn)
      os.indent(kColumn - head.size());
    else
      os << '\n', os.indent(kColumn);
    unsigned column = kColumn;
    llvm::SmallVector<llvm::StringRef> words;
    entry.help.split(words, ' ');
    for (llvm::StringRef word : words) {
      if (column + word.size() > kEnd) {
        os << '\n';
        os.indent(kColumn);
        column = kColumn;
      } else if (column > kColumn) {
        os << ' ';
        ++column;
      }
      os << word;
      column += word.size();
    }
    os << '\n';
  }
}

void cilk2gpu::driver::printHelp(llvm::raw_ostream &os, llvm::StringRef program) {
  os << "USAGE: " << program << R"( [options] file...

Compiles Cilk programs (C, C++ and .cilk, which is C in the MIT dialect) into channel-flow graphs. A file *.mlir is a
program, too: one that --emit=cilk or --emit=channel has printed, or one that was written by hand (docs/ir.md).

OPTIONS of cilk2gpu:
  --emit=cilk                 Print the program with spawns and syncs (MLIR, cilk dialect) and stop
  --emit=channel              Print the program as kernels and channels (MLIR, channel dialect) and stop
                              (the output of these two is the whole program: save it as FILE.mlir to compile it)
  --emit=graph                Print the channel-flow graph for Graphviz (DOT) and stop
  --emit=graph-json           Print the channel-flow graph as JSON and stop
  --emit=llvm                 Print the LLVM IR (like -S -emit-llvm) and stop
  --emit=asm                  Print the assembly (like -S) and stop
                              (--emit prints to the standard output unless -o FILE is given)
  -fserial-elision            Compile as if the Cilk keywords were not there
  -fsanitize=cilk             Find races: compile the serial elision with checks of each access (docs/race-detector.md);
                              give it when compiling and when linking
  -fcilk-dialect=mit          spawn, sync and cilk are keywords, as in MIT Cilk (always so in .cilk files)
  -fcilk-dialect=opencilk     Only cilk_spawn, cilk_sync and the like are keywords (default)
  -fcilk-lanes=auto           Run a kernel's lanes in vectors if that is expected to pay (default at -O2 and above)
  -fcilk-lanes=simd|scalar    Run a kernel's lanes in vectors if that is possible; or one after the other
  -fcilk-vector-isa=SETS      Make vector forms of kernels for these instruction sets: none, or avx512, avx2, sse, neon
                              with commas between them. Each machine runs the best form that it can. (default, auto:
                              avx512 and avx2 as far as the target has or could have them, neon on AArch64)
  -fcilk-vector-length=N      Lanes of a vector: 4, 8, 16, 32 or 64 (default: chosen for each kernel)
  -fno-cilk-combine           Keep tasks that only sum up, or otherwise fold, their children's results
  -fno-cilk-inline            Also spawn children that return at once
  -fcilk-count-instructions   Count the executed instructions, for the statistics of CILK2GPU_DEVICE=model
  -fcilk-scale                Compile the serial elision so that it reports work, span and the fill of wavefronts when it
                              ends; give it when linking, too (docs/cilk-scale.md)
  --offload-arch=ARCH,...     Also make images for these GPUs: AMD's gfx90a, gfx942, gfx11-generic and so on, NVIDIA's
                              sm_70 to the newest; give it when compiling and when linking. With ARCH gpu-host, only
                              CILK2GPU_DEVICE=gpu-host can be used, which every other ARCH allows, too
  -foffload-persistent        Add a kernel that runs a whole graph to the images, for CILK2GPU_AGGREGATOR=persistent;
                              give this option when linking
  -foffload-fallback          If a GPU cannot run the tasks, warn and leave them on the CPU
  --emit=llvm|isa|ptx|hsaco   With one --offload-arch: print the LLVM IR, assembly or PTX of all source files' kernels,
                              or write the AMD code object, and stop
  --emit=firmware             With all source files of a program: write the aggregator's firmware and stop. It is a
                              riscv64 image that the modelled GPU or gpu-host runs with CILK2GPU_FIRMWARE=FILE
  --emit=hip                  With AMD's GPUs: write a folder (-o) with the program's host side as HIP C++, its code
                              objects and a CMakeLists.txt, instead of the program
  -fopencilk                  Accepted for compatibility, has no effect
  --print-clangd-config       Print a configuration file (.clangd) under which editors read Cilk sources (docs/editors.md)
  --help                      Print this text
  --version                   Print the versions of cilk2gpu and of Clang

All options of clang are accepted, with the same meaning: see 'clang-22 --help'.

ENVIRONMENT of the compiler:
  CILK2GPU_CLANG=PATH         Path of the Clang 22 to run, instead of the one known when cilk2gpu was built

ENVIRONMENT of compiled programs:
)";
  printVariables(os);
  os << "  CILK_NWORKERS=N             OpenCilk's variable; CILK2GPU_WORKERS has precedence\n"
        "  docs/environment.md describes the variables.\n";
}
