// See HipProgram.h.
#include "HipProgram.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace cilk2gpu;

static std::string inFolder(StringRef folder, const Twine &name) {
  SmallString<256> path(folder);
  sys::path::append(path, name);
  return path.str().str();
}

/// Writes DIR/name, and creates its folder.
static Error writeFile(const HipProgram &program, const Twine &name, StringRef contents) {
  std::string path = inFolder(program.folder, name);
  std::error_code error = sys::fs::create_directories(sys::path::parent_path(path));
  if (!error) {
    raw_fd_ostream os(path, error);
    if (!error) {
      os << contents;
      os.close();
      error = os.error();
      os.clear_error();
    }
  }
  return error ? createStringError(error, "'%s' cannot be written: %s", path.c_str(), error.message().c_str())
               : Error::success();
}

//===-- Parts -----------------------------------------------------------------------------------------------------===//

/// Returns the elements of a byte array, several in a line.
static std::string bytesOf(StringRef contents) {
  std::string text;
  for (size_t i = 0; i < contents.size(); ++i)
    text += utostr(uint8_t(contents[i])) + (i % 24 == 23 ? ",\n" : ",");
  return text + "\n";
}

/// Returns an architecture's name as part of an identifier.
static std::string identifier(StringRef arch) {
  std::string name = "image_" + arch.str();
  for (char &c : name)
    c = isAlnum(c) ? c : '_';
  return name;
}

/// Returns the graph's lines as a comment. A file name may end with a backslash, which would continue a line.
static std::string comment(StringRef text) {
  std::string result;
  for (StringRef line : split(text.rtrim('\n'), '\n'))
    result += ("//   " + line + (line.ends_with("\\") ? "." : "") + "\n").str();
  return result;
}

static std::string persistentComment(const HipProgram &program) {
  if (!program.persistent)
    return "";
  return "//\n// Each image has the kernel " + std::string(abi::kPersistentKernel) +
         ", too: with CILK2GPU_AGGREGATOR=persistent, one launch of it runs the graph\n"
         "// (runtime/executors/gpu/PersistentGpu.h).\n";
}

/// Returns references to the symbols that images use, whatever their types.
static std::string symbolsSource(ArrayRef<std::string> symbols) {
  if (symbols.empty())
    return "";
  std::string text = "// Symbols of the program that images use, for the linker to find.\nextern \"C\" {\n", list;
  for (auto [i, symbol] : enumerate(symbols)) {
    text += ("extern const char used" + Twine(i) + "[] __asm__(\"" + symbol + "\");\n").str();
    list += ("used" + Twine(i) + ", ").str();
  }
  return text + "__attribute__((used)) const char *const cilk2gpu_used[] = {" + list + "};\n}\n\n";
}

static std::string imagesSource(const HipProgram &program) {
  std::string text = "// The images of a Cilk program's kernels, which HIP loads, and its channel-flow graph. The "
                     "graph itself is registered\n"
                     "// by program/*.o; in words, it is\n//\n" +
                     comment(program.outline) + persistentComment(program) +
                     "#include \"cilk2gpu/abi/Image.h\"\n\nusing namespace cilk2gpu::abi;\n\n";
  for (const BuiltImage &image : program.images)
    text += "alignas(4096) static const unsigned char " + identifier(image.target.arch) + "[] = {\n#include \"images/" +
            image.target.arch + ".inc\"\n};\n\n";
  text += "// Addresses of the host's variables that kernels use. The linker collects the list; there may be none.\n"
          "extern \"C\" {\n"
          "extern const AddressRecord __start_cilk2gpu_addresses[] __attribute__((weak, visibility(\"hidden\")));\n"
          "extern const AddressRecord __stop_cilk2gpu_addresses[] __attribute__((weak, visibility(\"hidden\")));\n"
          "}\n\n" +
          symbolsSource(program.symbols) + "static ImageRecord images[] = {\n";
  for (const BuiltImage &image : program.images) {
    std::string name = identifier(image.target.arch);
    text += "    {kMagic, kAbiVersion, ImageKind::Amdgcn, " + utostr(image.target.waveSize) + ", \"" +
            image.target.arch + "\", " + name + ", sizeof " + name + ", __start_cilk2gpu_addresses, 0},\n";
  }
  return text + "};\n\n/// Before the program's own constructors, which may run tasks.\n"
                "__attribute__((constructor(101))) static void registerImages() {\n"
                "  for (ImageRecord &image : images) {\n"
                "    image.numAddresses = uint64_t(__stop_cilk2gpu_addresses - __start_cilk2gpu_addresses);\n"
                "    __cilk2gpu_register_image(&image);\n  }\n}\n";
}

/// Returns "fib" for fib-1a2b3c.o, a temporary object file of Clang's.
static std::string stemOf(StringRef file) {
  StringRef stem = sys::path::stem(file);
  SmallString<64> temporary;
  sys::path::system_temp_directory(/*erasedOnReboot=*/true, temporary);
  StringRef tail = stem.take_back(7);
  if (sys::path::parent_path(file) == temporary && tail.size() == 7 && tail.front() == '-' &&
      all_of(tail.drop_front(), isHexDigit))
    stem = stem.drop_back(7);
  return stem.str();
}

static Expected<std::vector<std::string>> writeObjects(const HipProgram &program) {
  std::vector<std::string> names;
  StringSet<> used;
  for (MemoryBufferRef object : program.objects) {
    if (identify_magic(object.getBuffer()) == file_magic::bitcode)
      return createStringError("--emit=hip takes object files, but '%s' is LLVM bitcode; compile it without -flto",
                               object.getBufferIdentifier().str().c_str());
    std::string stem = stemOf(object.getBufferIdentifier()), name = stem + ".o";
    for (unsigned number = 2; !used.insert(name).second; ++number)
      name = stem + "-" + utostr(number) + ".o";
    if (Error error = writeFile(program, "program/" + name, object.getBuffer()))
      return std::move(error);
    names.push_back(name);
  }
  return names;
}

/// Copies the sources of the host's side, and returns their names.
static Expected<std::vector<std::string>> copySources(const HipProgram &program) {
  std::vector<std::string> names;
  std::error_code error;
  for (sys::fs::recursive_directory_iterator file(program.sources, error), end; !error && file != end;
       file.increment(error)) {
    StringRef path = file->path();
    if (sys::fs::is_directory(path))
      continue;
    auto buffer = MemoryBuffer::getFile(path);
    if (!buffer)
      return createStringError(buffer.getError(), "'%s', a part of cilk2gpu, cannot be read; install cilk2gpu again",
                               path.str().c_str());
    std::string name = path.drop_front(program.sources.size() + 1).str();
    if (Error problem = writeFile(program, "runtime/" + name, (*buffer)->getBuffer()))
      return std::move(problem);
    if (path.ends_with(".cpp"))
      names.push_back("runtime/" + name);
  }
  if (error || names.empty())
    return createStringError("'%s', a part of cilk2gpu, is missing; install cilk2gpu again", program.sources.c_str());
  sort(names);
  return names;
}

//===-- CMake -----------------------------------------------------------------------------------------------------===//

static std::string quoted(StringRef text) {
  std::string result = "\"";
  for (char c : text) {
    if (StringRef("\"\\$").contains(c))
      result += '\\';
    result += c;
  }
  return result + "\"";
}

static std::string listed(ArrayRef<std::string> items, StringRef prefix = "") {
  std::string text;
  for (const std::string &item : items)
    text += "\n  " + quoted((prefix + item).str());
  return text;
}

static constexpr char kCMakeHead[] = R"(# A Cilk program for AMD GPUs, written by cilk2gpu --emit=hip.
#
#   cmake -B build -DCMAKE_CXX_COMPILER=hipcc && cmake --build build
#
# Only the host's side is compiled: kernels are in images/, compiled. So any C++ compiler that HIP's headers accept will do;
# with Clang, -DAS_HIP=ON compiles it as HIP (-x hip). ROCM_PATH says where HIP is, if it is not where CMake looks.
cmake_minimum_required(VERSION 3.21)
)";

static constexpr char kCMakeTail[] = R"(
find_path(HIP_INCLUDES hip/hip_runtime_api.h HINTS ${ROCM_PATH} ENV ROCM_PATH /opt/rocm PATH_SUFFIXES include REQUIRED)
find_library(HIP_LIBRARY amdhip64 HINTS ${ROCM_PATH} ENV ROCM_PATH /opt/rocm PATH_SUFFIXES lib lib64 REQUIRED)
find_package(Threads REQUIRED)
option(AS_HIP "Compile as HIP, with Clang's -x hip" OFF)

add_executable(${NAME} Images.cpp ${SOURCES})
target_compile_features(${NAME} PRIVATE cxx_std_20)
target_compile_definitions(${NAME} PRIVATE __HIP_PLATFORM_AMD__)
target_compile_options(${NAME} PRIVATE -fPIC -Wall -Wextra $<$<BOOL:${AS_HIP}>:-xhip;--offload-host-only>)
target_include_directories(${NAME} PRIVATE runtime)
target_include_directories(${NAME} SYSTEM PRIVATE ${HIP_INCLUDES})
list(TRANSFORM PROGRAM PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/program/")
target_link_libraries(${NAME} PRIVATE ${PROGRAM} ${LIBRARIES} ${HIP_LIBRARY} Threads::Threads ${CMAKE_DL_LIBS} m)
)";

static std::string cmakeLists(const HipProgram &program, ArrayRef<std::string> sources, ArrayRef<std::string> objects) {
  std::string name = sys::path::filename(program.folder).str();
  for (char &c : name)
    c = isAlnum(c) || StringRef("_-+.").contains(c) ? c : '_';
  std::string text = kCMakeHead;
  text += "project(" + quoted(name) +
          " LANGUAGES CXX)\nif(NOT CMAKE_BUILD_TYPE)\n  set(CMAKE_BUILD_TYPE Release)\nendif()\n";
  text += "set(NAME " + quoted(name) + ")\nset(SOURCES" + listed(sources) + ")\nset(PROGRAM" + listed(objects) +
          ")\nset(LIBRARIES" + listed(program.libraries) + ")\n";
  return text + kCMakeTail;
}

Error cilk2gpu::writeHipProgram(const HipProgram &program) {
  for (const BuiltImage &image : program.images)
    if (Error error = writeFile(program, "images/" + image.target.arch + ".inc", bytesOf(image.contents)))
      return error;
  if (Error error = writeFile(program, "Images.cpp", imagesSource(program)))
    return error;
  Expected<std::vector<std::string>> objects = writeObjects(program);
  if (!objects)
    return objects.takeError();
  Expected<std::vector<std::string>> sources = copySources(program);
  if (!sources)
    return sources.takeError();
  return writeFile(program, "CMakeLists.txt", cmakeLists(program, *sources, *objects));
}
