// The text of --print-clangd-config: a configuration file of clangd (.clangd) under which it reads Cilk sources. clangd
// loads no plugins of the compiler, so a header takes the place of the keywords (<cilk/editor.h>).
#include "Options.h"

#include "llvm/Support/JSON.h"

/// Prints one part of the configuration, for the files whose paths match.
static void printFragment(llvm::raw_ostream &os, llvm::StringRef paths, llvm::StringRef language,
                          llvm::StringRef header, llvm::StringRef includes) {
  // A string in JSON is one in YAML, too.
  os << "If:\n  PathMatch: " << llvm::json::Value(paths) << "\nCompileFlags:\n  Add: [" << language << "-isystem, "
     << llvm::json::Value(includes) << ", -include, " << header
     << ", -Wno-unknown-pragmas, -Wno-unknown-attributes]\n"
        "  Remove: [-fcilk-*, -foffload-*, --offload-arch=*, --emit=*, -fopencilk, -fserial-elision, "
        "-fsanitize=cilk]\n";
}

void cilk2gpu::driver::printClangdConfig(llvm::raw_ostream &os, const Installation &installation) {
  os << "# clangd reads Cilk sources with this file. Save it as .clangd in the folder of the project.\n";
  printFragment(os, ".*\\.(c|cc|cpp|cxx|c\\+\\+|h|hh|hpp|hxx)", "", "cilk/editor.h", installation.includes);
  os << "---\n";
  printFragment(os, ".*\\.cilkh?", "-xc, ", "cilk/editor-mit.h", installation.includes);
}
