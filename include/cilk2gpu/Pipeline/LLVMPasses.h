// Names of the project's passes on LLVM IR (lib/Pipeline/LLVMPasses.def), for pipelines as text.
#ifndef CILK2GPU_PIPELINE_LLVMPASSES_H
#define CILK2GPU_PIPELINE_LLVMPASSES_H

namespace llvm {
class PassBuilder;
class raw_ostream;
} // namespace llvm

namespace cilk2gpu {

/// Teaches `builder` the names of the passes, so that textual pipelines and -print-before= can use them. A pass that
/// runs by its name takes the module for the whole translation unit.
void registerLLVMPasses(llvm::PassBuilder &builder);

/// Prints the names with their summaries: for people, or as the page docs/reference/LLVMPasses.md.
void printLLVMPasses(llvm::raw_ostream &os);
void printLLVMPassReference(llvm::raw_ostream &os);

} // namespace cilk2gpu

#endif // CILK2GPU_PIPELINE_LLVMPASSES_H
