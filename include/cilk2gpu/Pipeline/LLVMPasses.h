// The project's passes on LLVM IR by their names (lib/Pipeline/LLVMPasses.def).
#ifndef CILK2GPU_PIPELINE_LLVMPASSES_H
#define CILK2GPU_PIPELINE_LLVMPASSES_H

namespace llvm {
class PassBuilder;
class raw_ostream;
} // namespace llvm

namespace cilk2gpu {

/// Teaches `builder` the names of the passes, so that pipelines can be written with them and -print-before= knows them.
/// A pass that runs by its name takes the module that it runs on for the whole translation unit.
void registerLLVMPasses(llvm::PassBuilder &builder);

/// Prints the names with their summaries: for people, or as the page docs/reference/LLVMPasses.md.
void printLLVMPasses(llvm::raw_ostream &os);
void printLLVMPassReference(llvm::raw_ostream &os);

} // namespace cilk2gpu

#endif // CILK2GPU_PIPELINE_LLVMPASSES_H
