//===- Options.td - the options of cilk2gpu that Clang does not have -----------------------------------------------===//
//
// From this table come the parser (OwnOptions.cpp), --help, the manual page, completions (--autocomplete) and "did you
// mean". An option without a help text is not listed.
//
// An option with fixed values is a Joined option without a list of values, and a Value for each of them. A Value is an
// option of its own, so that it has a help text, can be completed, and is near to a misspelled one:
//
//   def emit_EQ : Joined<["--"], "emit=">;
//   def : Value<emit_EQ, "--", "emit=", "graph", "Print the channel-flow graph">;     --emit=graph
//
//===---------------------------------------------------------------------------------------------------------------===//
include "llvm/Option/OptParser.td"

class Value<Option option, string prefix, string name, string word, string help = ""> : Flag<[prefix], name # word>,
    Alias<option>, AliasArgs<[word]> {
  let HelpText = !if(!empty(help), ?, help);
}

// A switch that is on or off without the option. The help text is about the form that changes something.
multiclass Switch<string name, OptionGroup group, string onHelp = "", string offHelp = ""> {
  def NAME : Flag<["-"], "f" # name>, Group<group> {
    let HelpText = !if(!empty(onHelp), ?, onHelp);
  }
  def no_ # NAME : Flag<["-"], "fno-" # name>, Group<group> {
    let HelpText = !if(!empty(offHelp), ?, offHelp);
  }
}

// Sections, in the order of OptionList.cpp.
def stages : OptionGroup<"stages">, HelpText<"Stages that are printed instead of compiling">;
def language : OptionGroup<"language">, HelpText<"Language">;
def lanes : OptionGroup<"lanes">, HelpText<"Kernels and lanes">;
def tools : OptionGroup<"tools">, HelpText<"Tools">;
def gpus : OptionGroup<"gpus">, HelpText<"GPUs">;
def help_group : OptionGroup<"help">, HelpText<"Help">;

//===---------------------------------------------------------------------------------------------------------------===//
// Stages
//===---------------------------------------------------------------------------------------------------------------===//

def emit_EQ : Joined<["--"], "emit=">, Group<stages>, MetaVarName<"STAGE">;
class Emit<string stage, string help> : Value<emit_EQ, "--", "emit=", stage, help>, Group<stages>;

def emit_cilk : Emit<"cilk", "Print the program with spawns and syncs (MLIR, cilk dialect). It is the whole program: "
                             "save it as FILE.mlir to compile it">;
def emit_channel : Emit<"channel", "Print the program as kernels and channels (MLIR, channel dialect). It is the whole "
                                   "program, too">;
def emit_graph : Emit<"graph", "Print the channel-flow graph for Graphviz (DOT)">;
def emit_graph_json : Emit<"graph-json", "Print the channel-flow graph as JSON">;
def emit_llvm : Emit<"llvm", "Print the LLVM IR, like -S -emit-llvm. With one --offload-arch: the LLVM IR of all source "
                             "files' kernels">;
def emit_asm : Emit<"asm", "Print the assembly, like -S">;
def emit_isa : Emit<"isa", "With one --offload-arch: print the assembly of all source files' kernels">;
def emit_ptx : Emit<"ptx", "With one --offload-arch of NVIDIA: print the PTX of all source files' kernels">;
def emit_hsaco : Emit<"hsaco", "With one --offload-arch of AMD: write the code object of all source files' kernels">;
def emit_firmware : Emit<"firmware", "With all source files of a program: write the aggregator's firmware. It is a "
                                     "riscv64 image that the modelled GPU or gpu-host runs with "
                                     "CILK2GPU_FIRMWARE=FILE">;
def emit_hip : Emit<"hip", "With AMD's GPUs: write a folder (-o) with the program's host side as HIP C++, its code "
                           "objects and a CMakeLists.txt">;

//===---------------------------------------------------------------------------------------------------------------===//
// Language
//===---------------------------------------------------------------------------------------------------------------===//

def fserial_elision : Flag<["-"], "fserial-elision">, Group<language>,
  HelpText<"Compile as if the Cilk keywords were not there">;
def fopencilk : Flag<["-"], "fopencilk">, Group<language>, HelpText<"Accepted for compatibility, has no effect">;

def fcilk_dialect_EQ : Joined<["-"], "fcilk-dialect=">, Group<language>, MetaVarName<"DIALECT">;
class Dialect<string word, string help> : Value<fcilk_dialect_EQ, "-", "fcilk-dialect=", word, help>, Group<language>;
def fcilk_dialect_mit : Dialect<"mit", "spawn, sync and cilk are keywords, as in MIT Cilk (always so in .cilk files)">;
def fcilk_dialect_opencilk : Dialect<"opencilk", "Only cilk_spawn, cilk_sync and the like are keywords (default)">;

//===---------------------------------------------------------------------------------------------------------------===//
// Kernels and lanes
//===---------------------------------------------------------------------------------------------------------------===//

def fcilk_lanes_EQ : Joined<["-"], "fcilk-lanes=">, Group<lanes>, MetaVarName<"WAY">;
class Lanes<string word, string help> : Value<fcilk_lanes_EQ, "-", "fcilk-lanes=", word, help>, Group<lanes>;
def fcilk_lanes_auto : Lanes<"auto", "Run a kernel's lanes in vectors if that is expected to pay (default at -O2 and "
                                     "above)">;
def fcilk_lanes_simd : Lanes<"simd", "Run a kernel's lanes in vectors if that is possible">;
def fcilk_lanes_scalar : Lanes<"scalar", "Run a kernel's lanes one after the other">;

def fcilk_vector_isa_EQ : Joined<["-"], "fcilk-vector-isa=">, Group<lanes>, MetaVarName<"SETS">,
  Values<"auto,none,avx512,avx2,sse,neon">,
  HelpText<"Make vector forms of kernels for these instruction sets: none, or avx512, avx2, sse, neon with commas "
           "between them. Each machine runs the best form that it can. (default, auto: avx512 and avx2 as far as the "
           "target has or could have them, neon on AArch64)">;

def fcilk_vector_length_EQ : Joined<["-"], "fcilk-vector-length=">, Group<lanes>, MetaVarName<"N">,
  HelpText<"Lanes of a vector: 4, 8, 16, 32 or 64 (default: chosen for each kernel)">;
foreach length = ["4", "8", "16", "32", "64"] in
  def fcilk_vector_length_ # length : Value<fcilk_vector_length_EQ, "-", "fcilk-vector-length=", length>, Group<lanes>;

defm fcilk_exceptions : Switch<"cilk-exceptions", language, "",
  "End the program when an exception leaves a task. By default, the parent's sync throws it (docs/language.md)">;
defm fcilk_pedigrees : Switch<"cilk-pedigrees", language,
  "Let strands know their pedigrees, and draw random numbers from them (docs/language.md). -lopencilk-pedigrees, too">;
defm fcilk_combine : Switch<"cilk-combine", lanes, "",
  "Keep tasks that only sum up, or otherwise fold, their children's results">;
defm fcilk_inline : Switch<"cilk-inline", lanes, "", "Also spawn children that return at once">;

//===---------------------------------------------------------------------------------------------------------------===//
// Tools
//===---------------------------------------------------------------------------------------------------------------===//

// -fsanitize= is Clang's option, which has one value more here.
def fsanitize_cilk : Flag<["-"], "fsanitize=cilk">, Group<tools>,
  HelpText<"Find races: compile the serial elision with checks of each access (docs/race-detector.md); give it when "
           "compiling and when linking">;
def fcilk_scale : Flag<["-"], "fcilk-scale">, Group<tools>,
  HelpText<"Compile the serial elision so that it reports work, span and the fill of wavefronts when it ends; give it "
           "when linking, too (docs/cilk-scale.md)">;
def fcilktool_EQ : Joined<["-"], "fcilktool=">, Group<tools>, MetaVarName<"TOOL">,
  HelpText<"The same, as OpenCilk spells it; TOOL is cilkscale">;
def fcilktool_cilkscale : Value<fcilktool_EQ, "-", "fcilktool=", "cilkscale">, Group<tools>;
def fcilk_strand_hooks : Flag<["-"], "fcilk-strand-hooks">, Group<tools>;
defm fcilk_count_instructions : Switch<"cilk-count-instructions", tools,
  "Count the executed instructions, for the statistics of CILK2GPU_DEVICE=model">;

//===---------------------------------------------------------------------------------------------------------------===//
// GPUs
//===---------------------------------------------------------------------------------------------------------------===//

// Clang's option, whose values are checked here.
def offload_arch_EQ : Joined<["--"], "offload-arch=">, Group<gpus>, MetaVarName<"ARCH,...">,
  Values<"gpu-host,gfx90a,gfx942,gfx1100,gfx1201,gfx9-generic,gfx11-generic,gfx12-generic,sm_70,sm_80,sm_90">,
  HelpText<"Also make images for these GPUs: AMD's gfx90a, gfx942, gfx11-generic and so on, NVIDIA's sm_70 to the "
           "newest; give it when compiling and when linking. With ARCH gpu-host, only CILK2GPU_DEVICE=gpu-host can be "
           "used, which every other ARCH allows, too">;
defm foffload_persistent : Switch<"offload-persistent", gpus,
  "Add a kernel that runs a whole graph to the images, for CILK2GPU_AGGREGATOR=persistent; give this option when "
  "linking">;
defm foffload_managed : Switch<"offload-managed", gpus,
  "Take large blocks of malloc and new from the GPU's managed memory, if the GPU cannot reach ordinary memory; give this "
  "option when linking">;
defm foffload_fallback : Switch<"offload-fallback", gpus,
  "If a GPU cannot run the tasks, warn and leave them on the CPU">;

//===---------------------------------------------------------------------------------------------------------------===//
// Help
//===---------------------------------------------------------------------------------------------------------------===//

def help : Flag<["--"], "help">, Group<help_group>, HelpText<"Print this text">;
def version : Flag<["--"], "version">, Group<help_group>, HelpText<"Print the versions of cilk2gpu and of Clang">;
def print_clangd_config : Flag<["--"], "print-clangd-config">, Group<tools>,
    HelpText<"Print a configuration file (.clangd) under which editors read Cilk sources (docs/editors.md)">;
def print_manual_page : Flag<["--"], "print-manual-page">, Group<help_group>;
