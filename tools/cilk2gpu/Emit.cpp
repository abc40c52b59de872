// Runs Clang in process, with the Cilk consumer in front of its code generation and without LLVM's passes.
#include "Emit.h"

#include "Signatures.h"
#include "cilk2gpu/Frontend/MlirInput.h"
#include "cilk2gpu/Target/Firmware/FirmwareImage.h"
#include "cilk2gpu/Target/GPU/DeviceModule.h"
#include "cilk2gpu/Target/Graph/EmitGraph.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Driver/CreateInvocationFromArgs.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace cilk2gpu {
namespace {

/// Shows the diagnostics of the compiler's passes as Clang shows its own.
class PassDiagnostics : public llvm::DiagnosticHandler {
public:
  explicit PassDiagnostics(CompilerInstance &compiler) : compiler(compiler) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() == llvm::DS_Remark)
      return true; // drops remarks, because no option requests them
    DiagnosticsEngine &engine = compiler.getDiagnostics();
    std::string text;
    SourceLocation location;
    {
      llvm::raw_string_ostream os(text);
      llvm::DiagnosticPrinterRawOStream printer(os);
      if (auto *unsupported = llvm::dyn_cast<llvm::DiagnosticInfoUnsupported>(&info)) {
        os << unsupported->getMessage();
        location = locate(*unsupported);
      } else {
        info.print(printer);
      }
    }
    engine.Report(location, engine.getCustomDiagID(level(info.getSeverity()), "%0")) << text;
    return true;
  }

private:
  static DiagnosticsEngine::Level level(llvm::DiagnosticSeverity severity) {
    switch (severity) {
    case llvm::DS_Error:
      return DiagnosticsEngine::Error;
    case llvm::DS_Warning:
      return DiagnosticsEngine::Warning;
    case llvm::DS_Remark:
      return DiagnosticsEngine::Remark;
    case llvm::DS_Note:
      return DiagnosticsEngine::Note;
    }
    llvm_unreachable("no other severity");
  }

  SourceLocation locate(const llvm::DiagnosticInfoWithLocationBase &info) {
    if (!info.isLocationAvailable())
      return {};
    auto file = compiler.getFileManager().getOptionalFileRef(info.getAbsolutePath());
    if (!file)
      return {};
    llvm::DiagnosticLocation where = info.getLocation();
    return compiler.getSourceManager().translateFileLineCol(*file, where.getLine(), std::max(where.getColumn(), 1u));
  }

  CompilerInstance &compiler;
};

/// The combined result of all files.
struct Emitted {
  std::string text;
  std::vector<std::unique_ptr<llvm::Module>> graphs; ///< for firmware
  std::vector<std::string> units;                    ///< for devices: bitcode of device modules
  GraphDrawings drawings;                            ///< for graphs
};

/// Returns true for the stages to which all files of a program contribute.
bool isDrawn(Stage stage) { return stage == Stage::Graph || stage == Stage::GraphJson; }

/// Generates LLVM IR in memory, then runs the pipeline up to the requested stage.
class EmitAction : public EmitLLVMOnlyAction {
public:
  EmitAction(const EmitRequest &request, bool isLast, llvm::LLVMContext &context, Emitted &result)
      : EmitLLVMOnlyAction(&context), request(request), isLast(isLast), context(context), result(result) {}

protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler, StringRef file) override {
    if (hasMlirExtension(compiler)) {
      source = takeMlirInput(compiler);
      return source ? EmitLLVMOnlyAction::CreateASTConsumer(compiler, file) : nullptr;
    }
    std::vector<std::unique_ptr<ASTConsumer>> consumers;
    FrontendOptions frontend = request.frontend;
    frontend.pedigrees = request.lowering.pedigrees;
    frontend.throwsFromTasks = throwsFromTasks(request.lowering) && request.arch.empty();
    throws = frontend.throwsFromTasks && compiler.getLangOpts().CPlusPlus && compiler.getLangOpts().CXXExceptions;
    consumers.push_back(createCilkConsumer(compiler, frontend));
    consumers.push_back(EmitLLVMOnlyAction::CreateASTConsumer(compiler, file));
    if (!consumers.front() || !consumers.back())
      return nullptr;
    return std::make_unique<MultiplexConsumer>(std::move(consumers));
  }

  void EndSourceFileAction() override {
    EmitLLVMOnlyAction::EndSourceFileAction();
    CompilerInstance &compiler = getCompilerInstance();
    std::unique_ptr<llvm::Module> module = takeModule();
    if (!module || compiler.getDiagnostics().hasErrorOccurred())
      return;
    // Clang has told its printer that the file is done, but later diagnostics have locations in it.
    Preprocessor *preprocessor = compiler.hasPreprocessor() ? &compiler.getPreprocessor() : nullptr;
    compiler.getDiagnosticClient().BeginSourceFile(compiler.getLangOpts(), preprocessor);
    context.setDiagnosticHandler(std::make_unique<PassDiagnostics>(compiler));
    std::string message = llvm::toString(emit(std::move(module), lowering(compiler.getCodeGenOpts())));
    if (!message.empty() && !compiler.getDiagnostics().hasErrorOccurred())
      compiler.getDiagnostics().Report(compiler.getDiagnostics().getCustomDiagID(DiagnosticsEngine::Error, "%0"))
          << message;
    context.setDiagnosticHandler(std::make_unique<llvm::DiagnosticHandler>()); // LLVM needs one
    compiler.getDiagnosticClient().EndSourceFile();
  }

private:
  llvm::Error emit(std::unique_ptr<llvm::Module> module, const LoweringOptions &options) {
    llvm::raw_string_ostream os(result.text);
    if (request.firmware)
      return takeGraph(std::move(module), options);
    return request.arch.empty() ? printGraph(std::move(module), options, os)
                                : printDevice(std::move(module), options, os);
  }

  /// Adds the graph of a file to the firmware. A file without Cilk has no graph. If the program is for devices,
  /// elements have another layout.
  llvm::Error takeGraph(std::unique_ptr<llvm::Module> module, const LoweringOptions &options) {
    llvm::ModuleAnalysisManager analyses;
    LowerCilkPass(options).run(*module, analyses);
    if (!getCompilerInstance().getDiagnostics().hasErrorOccurred() && keepGraph(*module))
      result.graphs.push_back(std::move(module));
    return llvm::Error::success();
  }

  llvm::Error printGraph(std::unique_ptr<llvm::Module> module, const LoweringOptions &options, llvm::raw_ostream &os) {
    bool done = isDrawn(request.stage) ? draw(std::move(module), options, os)
                                       : printStage(std::move(module), request.stage, options, os);
    if (done)
      return llvm::Error::success();
    return llvm::createStringError("the program could not be turned into a channel-flow graph");
  }

  /// Prints the graphs of all files, when the last file has been read.
  bool draw(std::unique_ptr<llvm::Module> module, const LoweringOptions &options, llvm::raw_ostream &os) {
    llvm::StringMap<std::string> signatures;
    if (!source)
      signatures = signaturesOf(getCompilerInstance().getASTContext());
    if (!drawGraph(std::move(module), options, signatures, result.drawings))
      return false;
    if (isLast && request.stage == Stage::Graph)
      result.drawings.printDot(os);
    if (isLast && request.stage == Stage::GraphJson)
      result.drawings.printJson(os);
    return true;
  }

  /// Prints the code of all files, when the last file has been read.
  llvm::Error printDevice(std::unique_ptr<llvm::Module> module, const LoweringOptions &options, llvm::raw_ostream &os) {
    llvm::Expected<DeviceTarget> target = findDeviceTarget(request.arch);
    if (!target)
      return target.takeError();
    if (std::unique_ptr<llvm::Module> unit = lowerForDevice(*module, options)) {
      llvm::raw_string_ostream bitcode(result.units.emplace_back());
      llvm::WriteBitcodeToFile(*unit, bitcode);
    }
    if (!isLast)
      return llvm::Error::success();
    std::vector<std::unique_ptr<llvm::Module>> units;
    for (StringRef text : result.units) {
      auto unit = llvm::parseBitcodeFile(llvm::MemoryBufferRef(text, ""), context);
      if (!unit)
        return unit.takeError();
      units.push_back(std::move(*unit));
    }
    if (llvm::none_of(units, [](const auto &unit) { return hasKernels(*unit); }))
      return llvm::createStringError(
          "the source files have no Cilk function, and no kernel of a graph or of thread blocks, to run on a GPU");
    DeviceBuilder builder(*target, request.runtimes);
    if (request.persistent)
      builder.makePersistent();
    llvm::Expected<std::string> text = builder.build(std::move(units), request.deviceStage);
    if (!text)
      return text.takeError();
    os << *text;
    return llvm::Error::success();
  }

  /// Returns the options of the lowering. A compilation at this level has the same options, so the output is the
  /// compiled code.
  LoweringOptions lowering(const CodeGenOptions &codegen) const {
    LoweringOptions options = atLevel(request.lowering, codegen.OptimizationLevel >= 2 && codegen.OptimizeSize == 0);
    options.source = source;
    options.throws = throws;
    options.dropLocations = codegen.getDebugInfo() == llvm::codegenoptions::LocTrackingOnly;
    return options;
  }

  const EmitRequest &request;
  bool isLast; ///< this file is the last
  llvm::LLVMContext &context;
  Emitted &result;
  bool throws = false;                      ///< exceptions may leave tasks
  std::shared_ptr<const MlirSource> source; ///< a program in MLIR, or null
};

/// Lets Clang parse the command line. Returns null after an error, which has been printed.
std::unique_ptr<CompilerInvocation> readCommandLine(ArrayRef<const char *> arguments) {
  DiagnosticOptions options;
  auto *printer = new TextDiagnosticPrinter(llvm::errs(), options);
  printer->setPrefix("cilk2gpu");
  auto fileSystem = llvm::vfs::getRealFileSystem();
  CreateInvocationOptions how;
  how.Diags = CompilerInstance::createDiagnostics(*fileSystem, options, printer);
  how.Diags->setSeverityForGroup(diag::Flavor::WarningOrError, "unused-command-line-argument", diag::Severity::Ignored);
  how.VFS = fileSystem;
  std::unique_ptr<CompilerInvocation> invocation = createInvocation(arguments, how);
  if (!invocation && !how.Diags->hasErrorOccurred())
    how.Diags->Report(how.Diags->getCustomDiagID(DiagnosticsEngine::Error, "there is no source file to compile"));
  // After some errors Clang goes on parsing, and leaves options that contradict each other.
  if (how.Diags->hasErrorOccurred())
    return nullptr;
  return invocation;
}

/// Writes to a file that is not a regular file (the standard output, a device, a pipe). The file is opened and written
/// in place.
llvm::Error writeInPlace(StringRef file, StringRef text) {
  std::error_code error;
  llvm::raw_fd_ostream os(file, error);
  if (error)
    return llvm::errorCodeToError(error);
  os << text;
  os.flush();
  error = os.error();
  os.clear_error();
  return llvm::errorCodeToError(error);
}

/// Writes to a regular file: all of the text or nothing, through a temporary file beside it.
llvm::Error writeWhole(StringRef file, StringRef text) {
  auto temporary = llvm::sys::fs::TempFile::create(file + ".%%%%%%%%.tmp");
  if (!temporary)
    return temporary.takeError();
  std::error_code error;
  {
    llvm::raw_fd_ostream os(temporary->FD, /*shouldClose=*/false);
    os << text;
    os.flush();
    error = os.error();
    os.clear_error();
  }
  if (error)
    return llvm::joinErrors(llvm::errorCodeToError(error), temporary->discard());
  return temporary->keep(file);
}

int writeResult(StringRef file, StringRef text) {
  llvm::sys::fs::file_status status;
  bool special = file == "-" || (!llvm::sys::fs::status(file, status) && !llvm::sys::fs::is_regular_file(status));
  llvm::Error error = special ? writeInPlace(file, text) : writeWhole(file, text);
  if (!error)
    return 0;
  llvm::errs() << "cilk2gpu: error: cannot write '" << file << "': " << llvm::toString(std::move(error)) << "\n";
  return 1;
}

/// Compiles one file.
bool emitFile(const EmitRequest &request, ArrayRef<const char *> arguments, bool isLast, llvm::LLVMContext &context,
              Emitted &result) {
  std::unique_ptr<CompilerInvocation> invocation = readCommandLine(arguments);
  if (!invocation)
    return false;
  invocation->getFrontendOpts().DisableFree = false;
  invocation->getCodeGenOpts().DisableLLVMPasses = true;
  invocation->getCodeGenOpts().ClearASTBeforeBackend = false;
  // -ftime-report times a whole compilation, with timers that only its main program makes.
  invocation->getCodeGenOpts().TimePasses = false;
  // Errors are reported at source lines, so locations have to be in the IR without -g, too.
  if (invocation->getCodeGenOpts().getDebugInfo() == llvm::codegenoptions::NoDebugInfo)
    invocation->getCodeGenOpts().setDebugInfo(llvm::codegenoptions::LocTrackingOnly);
  CompilerInstance compiler(std::move(invocation));
  compiler.createVirtualFileSystem();
  compiler.createDiagnostics();

  EmitAction action(request, isLast, context, result);
  return compiler.ExecuteAction(action) && !compiler.getDiagnostics().hasErrorOccurred();
}

/// Builds the firmware image from the graphs in `result`.
bool makeFirmware(const EmitRequest &request, Emitted &result) {
  llvm::Expected<std::string> image =
      result.graphs.empty()
          ? llvm::createStringError("the source files have no Cilk function; firmware is for programs that have "
                                    "some")
          : buildFirmware(std::move(result.graphs), request.runtimes);
  if (image) {
    result.text = std::move(*image);
    return true;
  }
  llvm::errs() << "cilk2gpu: error: " << llvm::toString(image.takeError()) << "\n";
  return false;
}

} // namespace

int emitStage(const EmitRequest &request, ArrayRef<std::vector<const char *>> commands) {
  llvm::LLVMContext shared;
  Emitted result;
  for (const std::vector<const char *> &arguments : commands) {
    // Symbols of files that share a context may be renamed, and then differ from the symbols in objects.
    llvm::LLVMContext own;
    if (!emitFile(request, arguments, &arguments == &commands.back(), request.firmware ? shared : own, result))
      return 1;
  }
  if (request.firmware && !makeFirmware(request, result))
    return 1;
  return writeResult(request.output, result.text);
}

} // namespace cilk2gpu
