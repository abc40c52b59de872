// The text of --help and the manual page: the driver's own options and the run-time environment. Clang's help explains
// Clang's options.
#include "Help.h"
#include "OptionList.h"
#include "cilk2gpu/Version.h"

#include "llvm/ADT/SmallVector.h"

using llvm::StringRef;

namespace cilk2gpu::driver {

static constexpr StringRef kPurpose =
    "Compiles Cilk programs (C, C++ and .cilk, which is C in the MIT dialect) into channel-flow graphs. A file *.mlir "
    "is "
    "a program, too: one that --emit=cilk or --emit=channel has printed, or one that was written by hand (docs/ir.md).";

//===--------------------------------------------------------------------------------------------------------------===//
// --help
//===--------------------------------------------------------------------------------------------------------------===//

static constexpr unsigned kEnd = 118; ///< no line is longer

/// Prints words from `column` on, and begins new lines at `column`.
static void printWrapped(llvm::raw_ostream &os, StringRef text, unsigned column) {
  unsigned at = column;
  llvm::SmallVector<StringRef> words;
  text.split(words, ' ');
  for (StringRef word : words) {
    if (at + word.size() > kEnd) {
      os << '\n';
      os.indent(column);
      at = column;
    } else if (at > column) {
      os << ' ';
      ++at;
    }
    os << word;
    at += word.size();
  }
  os << '\n';
}

static void printItems(llvm::raw_ostream &os, const std::vector<ListedItem> &items) {
  constexpr unsigned kColumn = 30;
  for (const ListedItem &item : items) {
    os << "  " << item.form;
    unsigned width = unsigned(item.form.size()) + 2;
    if (width + 1 < kColumn)
      os.indent(kColumn - width);
    else
      os << '\n', os.indent(kColumn);
    printWrapped(os, item.help, kColumn);
  }
}

void printHelp(llvm::raw_ostream &os, StringRef program) {
  os << "USAGE: " << program << " [options] file...\n\n";
  printWrapped(os, kPurpose, 0);
  os << "\nOPTIONS of cilk2gpu:\n";
  for (const OptionSection &section : optionSections()) {
    os << "\n " << section.title << ":\n";
    printItems(os, section.options);
  }
  os << "\nStages go to the standard output unless -o FILE is given.\n"
        "All options of clang are accepted, with the same meaning: see 'clang-22 --help'.\n"
        "\nENVIRONMENT of the compiler:\n";
  printItems(os, compilerVariables());
  os << "\nENVIRONMENT of compiled programs:\n";
  printItems(os, programVariables());
  os << "  docs/environment.md describes the variables.\n";
}

//===--------------------------------------------------------------------------------------------------------------===//
// The manual page
//===--------------------------------------------------------------------------------------------------------------===//

/// Prints text so that roff prints it as it is.
static void printRoff(llvm::raw_ostream &os, StringRef text) {
  for (char letter : text)
    if (letter == '-')
      os << "\\-";
    else if (letter == '\\')
      os << "\\e";
    else if (letter == '\'')
      os << "\\(aq";
    else
      os << letter;
}

static void printRoffItems(llvm::raw_ostream &os, const std::vector<ListedItem> &items) {
  for (const ListedItem &item : items) {
    os << ".TP\n\\fB";
    printRoff(os, item.form);
    os << "\\fR\n";
    printRoff(os, item.help);
    os << ".\n";
  }
}

void printManualPage(llvm::raw_ostream &os) {
  os << ".TH CILK2GPU 1 \"\" \"cilk2gpu " CILK2GPU_VERSION "\" \"User Commands\"\n"
        ".SH NAME\ncilk2gpu, cilk2gpu++ \\- compiler for Cilk programs as channel\\-flow graphs\n"
        ".SH SYNOPSIS\n.B cilk2gpu\n[\\fIoptions\\fR] \\fIfile\\fR...\n.br\n"
        ".B cilk2gpu++\n[\\fIoptions\\fR] \\fIfile\\fR...\n.SH DESCRIPTION\n";
  printRoff(os, kPurpose);
  os << "\n.PP\nAll options of \\fBclang\\fR(1) are accepted, with the same meaning. cilk2gpu++ is clang++.\n"
        ".SH OPTIONS\n";
  for (const OptionSection &section : optionSections()) {
    os << ".SS ";
    printRoff(os, section.title);
    os << '\n';
    printRoffItems(os, section.options);
  }
  os << ".PP\nStages go to the standard output unless \\fB\\-o\\fR \\fIfile\\fR is given.\n.SH ENVIRONMENT\n"
        ".SS Of the compiler\n";
  printRoffItems(os, compilerVariables());
  os << ".SS Of compiled programs\n";
  printRoffItems(os, programVariables());
  os << ".SH EXIT STATUS\nThe status is 0 if all files were compiled, and another number after an error.\n"
        ".SH EXAMPLES\n.nf\ncilk2gpu \\-O2 fib.c \\-o fib\nCILK2GPU_STATS=\\- ./fib 30\n"
        "cilk2gpu \\-\\-emit=graph fib.c | dot \\-Tsvg > fib.svg\n.fi\n"
        ".SH SEE ALSO\n.BR clang (1),\n.BR cilk\\-scale (1),\n.BR cilk\\-opt (1),\n.BR cilk\\-llvm\\-opt (1),\n"
        ".BR cilk\\-translate (1)\n";
}

} // namespace cilk2gpu::driver
