// See LinkObject.h.
#include "LinkObject.h"

#include "cilk2gpu/Support/TemporaryFile.h"
#include "lld/Common/Driver.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MemoryBuffer.h"

LLD_HAS_DRIVER(elf)

using namespace llvm;
using namespace cilk2gpu;

Expected<std::string> cilk2gpu::linkObject(const ObjectLink &link) {
  SmallString<128> input, output;
  if (Error error = writeTemporaryFile(link.prefix, "o", link.object, input))
    return error;
  scope_exit removeInput([&] { sys::fs::remove(input); });
  if (Error error = cilk2gpu::createTemporaryFile(link.prefix, link.suffix, output))
    return error;
  scope_exit removeOutput([&] { sys::fs::remove(output); });
  SmallVector<const char *> arguments = {"ld.lld"};
  for (const std::string &argument : link.arguments)
    arguments.push_back(argument.c_str());
  arguments.append({input.c_str(), "-o", output.c_str()});
  std::string messages;
  raw_string_ostream os(messages);
  if (lld::lldMain(arguments, os, os, {{lld::Gnu, &lld::elf::link}}).retCode != 0)
    return createStringError("%s cannot be linked: %s", link.product.c_str(), messages.c_str());
  auto buffer = MemoryBuffer::getFile(output);
  if (!buffer)
    return errorCodeToError(buffer.getError());
  return (*buffer)->getBuffer().str();
}
