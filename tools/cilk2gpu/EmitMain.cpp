// cilk2gpu-emit, which the driver runs for --emit: cilk2gpu-emit --clang=PATH --stage=STAGE --output=FILE
// [--arch=GPU --device-stage=STAGE [--persistent] | --firmware] [--runtimes=FOLDER] [--serial-elision] [--dialect=mit]
// [--WORD of parseLoweringWord] -- CLANG-ARGUMENTS [-- CLANG-ARGUMENTS of the next file]... Not meant to be called by
// people.
#include "Emit.h"

#include "clang/Basic/Stack.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <vector>

using namespace cilk2gpu;
using llvm::StringRef;

static std::optional<Stage> stageNamed(StringRef name) {
  return llvm::StringSwitch<std::optional<Stage>>(name)
      .Case("cilk", Stage::Cilk)
      .Case("channel", Stage::Channel)
      .Case("graph", Stage::Graph)
      .Case("graph-json", Stage::GraphJson)
      .Default(std::nullopt);
}

static std::optional<DeviceStage> deviceStageNamed(StringRef name) {
  return llvm::StringSwitch<std::optional<DeviceStage>>(name)
      .Case("llvm", DeviceStage::LLVM)
      .Cases({"isa", "ptx"}, DeviceStage::Isa)
      .Case("hsaco", DeviceStage::Image)
      .Default(std::nullopt);
}

int main(int argc, char **argv) {
  clang::noteBottomOfStack();
  // If arguments are too long for a command line, the driver puts them into a file.
  llvm::BumpPtrAllocator allocator;
  llvm::SmallVector<const char *, 64> words(argv + 1, argv + argc);
  llvm::cl::ExpansionContext context(allocator, llvm::cl::TokenizeGNUCommandLine);
  if (llvm::Error error = context.expandResponseFiles(words)) {
    llvm::errs() << "cilk2gpu-emit: error: " << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  EmitRequest request;
  const char *clang = "";
  size_t index = 0;
  for (; index < words.size() && StringRef(words[index]) != "--"; ++index) {
    StringRef word = words[index];
    if (word.consume_front("--clang=")) {
      clang = word.data();
    } else if (word.consume_front("--output=")) {
      request.output = word.str();
    } else if (word.consume_front("--stage=") && stageNamed(word)) {
      request.stage = *stageNamed(word);
    } else if (word.consume_front("--arch=")) {
      request.arch = word.str();
    } else if (word == "--persistent") {
      request.persistent = true;
    } else if (word.consume_front("--runtimes=")) {
      request.runtimes = word.str();
    } else if (word.consume_front("--device-stage=") && deviceStageNamed(word)) {
      request.deviceStage = *deviceStageNamed(word);
    } else if (word == "--firmware") {
      request.firmware = true;
    } else if (word == "--serial-elision") {
      request.frontend.serialElision = true;
    } else if (word == "--dialect=mit") {
      request.frontend.mitDialect = true;
    } else if (word.consume_front("--") && cilk2gpu::parseLoweringWord(word, request.lowering)) {
      continue;
    } else {
      llvm::errs() << "cilk2gpu-emit: error: unknown argument '" << words[index] << "'; use cilk2gpu --emit\n";
      return 1;
    }
  }
  std::vector<std::vector<const char *>> commands;
  for (; index < words.size(); ++index)
    if (StringRef(words[index]) == "--")
      commands.push_back({clang});
    else
      commands.back().push_back(words[index]);
  llvm::InitializeAllTargetInfos();
  llvm::InitializeAllTargets();
  llvm::InitializeAllTargetMCs();
  llvm::InitializeAllAsmParsers();
  return emitStage(request, commands);
}
