// cilk2gpu-ld: Clang runs it as the linker of programs with --offload-arch. It takes the device code out of the
// linker's inputs and builds an image for each architecture. Then it runs the real linker with an object file that
// brings the images into the program.
//
//   cilk2gpu-ld --cilk2gpu-linker=NAME --cilk2gpu-arch=ARCH... [--cilk2gpu-fallback] [--cilk2gpu-persistent]
//   [--cilk2gpu-remarks] [--cilk2gpu-hip]
//       LINKER-ARGUMENTS
//
// With --cilk2gpu-hip, no linker runs. The linker's inputs are written to a folder instead (HipProgram.h).
#include "HipProgram.h"
#include "Inputs.h"
#include "Registration.h"
#include "Units.h"
#include "cilk2gpu/Support/TemporaryFile.h"
#include "cilk2gpu/Target/GPU/DeviceModule.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

using namespace cilk2gpu;
using namespace llvm;

namespace {

struct Request {
  std::string linker = "ld";
  std::vector<std::string> archs;
  bool fallback = false;              ///< tasks that cannot run on a GPU stay on the CPU
  bool persistent = false;            ///< images have a persistent kernel
  bool remarks = false;               ///< report the calls that the host makes for tasks
  bool hip = false;                   ///< write a folder to build with HIP
  std::vector<std::string> arguments; ///< arguments of the linker
};

} // namespace

static int fail(Error error) {
  std::string text = toString(std::move(error));
  for (StringRef line : split(text, '\n'))
    errs() << (line.contains("error: ") ? "" : "cilk2gpu: error: ") << line << "\n";
  return 1;
}

static Expected<Request> parse(int argc, char **argv) {
  BumpPtrAllocator allocator;
  SmallVector<const char *, 64> words(argv + 1, argv + argc);
  cl::ExpansionContext context(allocator, cl::TokenizeGNUCommandLine);
  if (Error error = context.expandResponseFiles(words))
    return error;
  Request request;
  for (StringRef word : words) {
    if (word.consume_front("--cilk2gpu-arch="))
      request.archs.push_back(word.str());
    else if (word.consume_front("--cilk2gpu-linker="))
      request.linker = word.str();
    else if (word == "--cilk2gpu-fallback")
      request.fallback = true;
    else if (word == "--cilk2gpu-persistent")
      request.persistent = true;
    else if (word == "--cilk2gpu-remarks")
      request.remarks = true;
    else if (word == "--cilk2gpu-hip")
      request.hip = true;
    else
      request.arguments.push_back(word.str());
  }
  return request;
}

namespace {

/// A program's parts for GPUs.
struct DeviceProgram {
  LinkInputs inputs;
  std::vector<BuiltImage> images;   ///< none if it has no device code
  std::vector<std::string> symbols; ///< symbols that images use and the program's objects do not ask for
  std::string outline;
  std::vector<DeviceTarget> refusals; ///< GPUs that cannot run the tasks (-foffload-fallback)
};

} // namespace

/// Turns errors at source lines into warnings, as -foffload-fallback demands.
static std::string asWarnings(std::string messages) {
  constexpr StringLiteral error = ": error: ";
  for (size_t at = 0; (at = messages.find(error, at)) != std::string::npos;)
    messages.replace(at, error.size(), ": warning: ");
  return messages;
}

/// Finds the linker as Clang does, which first looks in its own folder.
static Expected<std::string> findLinker(StringRef name) {
  if (sys::path::has_parent_path(name))
    return name.str();
  auto found = sys::findProgramByName(name, {sys::path::parent_path(CILK2GPU_CLANG_PATH)});
  if (!found)
    found = sys::findProgramByName(name);
  if (!found)
    return createStringError(
        "the linker '%s' was not found beside Clang or on PATH; install it, or choose one with -fuse-ld",
        name.str().c_str());
  return *found;
}

/// Returns true if a linker also takes members of archives for files behind the archive. GNU ld and gold do not.
static bool remembersMembers(const Request &request) {
  Expected<std::string> linker = findLinker(request.linker);
  SmallString<256> path;
  if (!linker || sys::fs::real_path(*linker, path)) {
    consumeError(linker.takeError());
    path = request.linker;
  }
  StringRef name = sys::path::filename(path);
  return name.contains("lld") || name.contains("mold");
}

static Error buildImages(const Request &request, StringRef runtimes, DeviceProgram &program) {
  if (Error error = program.inputs.read(request.arguments, remembersMembers(request)))
    return error;
  Units all(program.inputs);
  for (const std::string &arch : request.archs) {
    Expected<DeviceTarget> target = findDeviceTarget(arch);
    if (!target)
      return target.takeError();
    LLVMContext context;
    Expected<std::vector<std::unique_ptr<Module>>> units = all.read(context);
    if (!units)
      return units.takeError();
    if (none_of(*units, [](const auto &unit) { return hasKernels(*unit); }))
      return Error::success();
    if (request.hip && any_of(*units, [](const auto &unit) { return hasGraphs(*unit); }))
      return createStringError("--emit=hip: the program has kernels of a graph written by hand (<cilk2gpu/Graph.h>), "
                               "which need the run-time library; compile it without --emit=hip");
    if (request.hip && any_of(*units, [](const auto &unit) { return hasBlocks(*unit); }))
      return createStringError("--emit=hip: the program has kernels of thread blocks (<cilk2gpu/Wireframe.h>), which "
                               "need the run-time library; compile it without --emit=hip");
    program.outline.clear();
    for (const std::unique_ptr<Module> &unit : *units)
      program.outline += outlineOf(*unit);
    std::vector<std::string> remarks;
    DeviceBuilder builder(*target, runtimes);
    builder.keepRemarks(remarks);
    if (request.persistent)
      builder.makePersistent();
    Expected<std::string> image = builder.build(std::move(*units), DeviceStage::Image);
    if (request.remarks)
      for (const std::string &remark : remarks)
        errs() << remark << "\n";
    if (image) {
      for (const std::string &symbol : builder.usedSymbols())
        if (!program.inputs.isLookedFor(symbol) && !is_contained(program.symbols, symbol))
          program.symbols.push_back(symbol);
      program.images.push_back({std::move(*target), std::move(*image)});
      continue;
    }
    Error error = image.takeError();
    if (!request.fallback || !error.isA<UnfitTasks>())
      return error;
    errs() << "cilk2gpu: warning: tasks stay on the CPU if the GPU is a " << arch << ", because of:\n"
           << asWarnings(toString(std::move(error))) << "\n";
    program.refusals.push_back(std::move(*target));
  }
  return all.separateCopies();
}

/// Returns the word behind `option` on the linker's command line.
static std::string valueOf(const Request &request, StringRef option) {
  auto at = find(request.arguments, option);
  return at == request.arguments.end() || at + 1 == request.arguments.end() ? "" : *(at + 1);
}

/// Returns true if an option changes the files that are linked. Clang itself adds most other options.
static bool isKeptOption(StringRef word) {
  for (StringRef option :
       {"--wrap=", "--defsym=", "--export-dynamic", "--version-script=", "--dynamic-list=", "--rpath="})
    if (word.starts_with(option))
      return true;
  return false;
}

/// Returns the libraries that the user names, and the folders to search, without the system's own folders.
static std::vector<std::string> librariesOf(const Request &request) {
  std::vector<std::string> words;
  for (const std::string &argument : request.arguments) {
    StringRef word = argument;
    if (isKeptOption(word))
      words.push_back("-Wl," + argument);
    SmallString<256> path(word.starts_with("-L") ? word.drop_front(2) : word);
    sys::fs::make_absolute(path);
    if (word.starts_with("-l"))
      words.push_back(argument);
    else if (word.starts_with("-L") && !path.starts_with("/usr/") && !path.starts_with("/lib"))
      words.push_back(("-L" + path).str());
    else if (!word.starts_with("-") && sys::path::extension(word) == ".so")
      words.push_back(path.str().str());
  }
  return words;
}

static Error emitHip(const Request &request, StringRef runtimes, const DeviceProgram &program) {
  if (program.images.empty() && !program.refusals.empty())
    return createStringError(
        "--emit=hip: none of the GPUs that --offload-arch names can run the program's tasks (see the warnings); "
        "a program written by --emit=hip cannot run tasks on the CPU");
  if (program.images.empty())
    return createStringError("--emit=hip: the program has no tasks for a GPU");
  std::vector<MemoryBufferRef> objects;
  for (const LinkedObject &object : program.inputs.objects())
    objects.push_back(object.buffer);
  HipProgram result;
  result.folder = valueOf(request, "-o");
  result.sources = (runtimes + "/hip").str();
  result.outline = program.outline;
  result.persistent = request.persistent;
  result.images = program.images;
  result.symbols = program.symbols;
  result.objects = objects;
  result.libraries = librariesOf(request);
  return writeHipProgram(result);
}

namespace {

/// Files that exist while the linker runs.
class TemporaryFiles {
public:
  ~TemporaryFiles() {
    for (const std::string &path : paths)
      sys::fs::remove(path);
  }
  Expected<std::string> write(StringRef name, StringRef contents) {
    SmallString<128> file;
    if (Error error = writeTemporaryFile(name, "o", contents, file))
      return error;
    sys::RemoveFileOnSignal(file);
    return paths.emplace_back(file.str());
  }

private:
  std::vector<std::string> paths;
};

} // namespace

/// Returns the linker's arguments, with changed objects in place of their files.
static Expected<std::vector<std::string>> changedArguments(const Request &request, const LinkInputs &inputs,
                                                           TemporaryFiles &files) {
  std::vector<std::string> words = request.arguments;
  for (const LinkedObject &object : inputs.objects())
    if (object.isChanged) {
      Expected<std::string> file = files.write("cilk2gpu-copy", object.buffer.getBuffer());
      if (!file)
        return file.takeError();
      words[object.argument] = *file;
    }
  return words;
}

static Expected<int> runLinker(const Request &request, ArrayRef<std::string> added, ArrayRef<std::string> arguments) {
  Expected<std::string> linker = findLinker(request.linker);
  if (!linker)
    return linker.takeError();
  SmallVector<StringRef> words{*linker};
  // The added object comes first: its constructor calls functions in archives, which must stand behind it.
  for (const std::string &file : added)
    words.push_back(file);
  for (const std::string &word : arguments)
    words.push_back(word);
  std::string message;
  int status = sys::ExecuteAndWait(*linker, words, std::nullopt, {}, 0, 0, &message);
  if (!message.empty())
    return createStringError("the linker '%s' cannot be run: %s", linker->c_str(), message.c_str());
  return status;
}

int main(int argc, char **argv) {
  sys::PrintStackTraceOnErrorSignal(argv[0]);
  Expected<Request> request = parse(argc, argv);
  if (!request)
    return fail(request.takeError());
  std::string executable = sys::fs::getMainExecutable(argv[0], reinterpret_cast<void *>(&fail));
  SmallString<256> runtimes(sys::path::parent_path(sys::path::parent_path(executable)));
  SmallString<256> built(runtimes);
  sys::path::append(built, "lib", "cilk2gpu");
  sys::path::append(runtimes, CILK2GPU_LIBDIR, "cilk2gpu");
  StringRef parts = sys::fs::exists(built) ? built : runtimes;
  DeviceProgram program;
  if (Error error = buildImages(*request, parts, program))
    return fail(std::move(error));
  if (request->hip) {
    Error error = emitHip(*request, parts, program);
    return error ? fail(std::move(error)) : 0;
  }
  TemporaryFiles files;
  std::vector<std::string> added;
  std::vector<BuiltImage> registered = program.images;
  for (const DeviceTarget &target : program.refusals)
    registered.push_back({target, ""});
  if (!registered.empty()) {
    Expected<std::string> object = createRegistrationObject(registered, program.symbols);
    Expected<std::string> file = object ? files.write("cilk2gpu-images", *object) : object.takeError();
    if (!file)
      return fail(file.takeError());
    added.push_back(*file);
  }
  Expected<std::vector<std::string>> arguments = changedArguments(*request, program.inputs, files);
  if (!arguments)
    return fail(arguments.takeError());
  Expected<int> status = runLinker(*request, added, *arguments);
  return status ? *status : fail(status.takeError());
}
