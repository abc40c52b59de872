// Prints the module once and splits the text into lines. See CanonicalText.h.
#include "CanonicalText.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace cilk2gpu;

/// Prints a copy of the module in which locals have no names, because these only serve readers.
static std::string print(const Module &module) {
  std::unique_ptr<Module> copy = CloneModule(module);
  for (Function &function : *copy) {
    for (Argument &argument : function.args())
      argument.setName("");
    for (BasicBlock &block : function) {
      block.setName("");
      for (Instruction &inst : block)
        inst.setName("");
    }
  }
  std::string text;
  raw_string_ostream os(text);
  copy->print(os, nullptr);
  return text;
}

/// Returns the length of the symbol at the start of `text`, with its sigil.
static size_t symbolLength(StringRef text) {
  if (text.size() > 1 && text[1] == '"')
    return std::min(text.find('"', 2), text.size() - 1) + 1;
  return std::min(text.find_first_not_of("-a-zA-Z$._0123456789", 1), text.size());
}

/// Returns the symbol that a line defines, or an empty text.
static StringRef definedSymbol(StringRef line) {
  if (line.starts_with("@") || line.starts_with("!"))
    return line.substr(0, symbolLength(line));
  if (!line.starts_with("define "))
    return "";
  StringRef rest = line.substr(line.find('@'));
  return rest.substr(0, symbolLength(rest));
}

CanonicalText::CanonicalText(const Module &module) {
  std::string text = print(module), open;
  SmallVector<StringRef> lines;
  StringRef(text).split(lines, '\n');
  for (StringRef line : lines)
    readLine(line, open);
}

/// Reads one line. `open` is the function to which the line belongs; empty outside of functions.
void CanonicalText::readLine(StringRef line, std::string &open) {
  if (line.starts_with("attributes #")) {
    auto [name, value] = line.substr(StringRef("attributes ").size()).split(" = ");
    attributes[name] = value.str();
    return;
  }
  if (line.starts_with("; ") && open.empty())
    return;
  StringRef symbol = definedSymbol(line);
  if (!open.empty() || line.starts_with("define ")) {
    if (open.empty())
      open = symbol.str();
    // The order of printed predecessors follows the order of uses, so it is left out.
    definitions[open] += line.substr(0, line.find("; preds = ")).rtrim().str() + "\n";
    if (line == "}")
      open.clear();
  } else if (symbol.starts_with("!") && symbol.size() > 1 && isDigit(symbol[1])) {
    metadata[symbol] = line.split(" = ").second.str();
  } else if (!symbol.empty()) {
    definitions[symbol] = line.str();
  }
}

std::string CanonicalText::of(StringRef name) const {
  auto found = definitions.find(name);
  if (found == definitions.end())
    return "";
  StringMap<unsigned> numbers;
  SmallVector<StringRef> nodes;
  std::string result;
  auto write = [&](StringRef text) {
    for (size_t i = 0; i < text.size();) {
      bool isNumbered = (text[i] == '!' || text[i] == '#') && i + 1 < text.size() && isDigit(text[i + 1]);
      size_t end = !isNumbered ? i + 1 : std::min(text.find_first_not_of("0123456789", i + 1), text.size());
      StringRef token = text.substr(i, end - i);
      i = end;
      if (!isNumbered || (token[0] == '#' && !attributes.contains(token))) {
        result += token;
      } else if (token[0] == '#') {
        result += attributes.lookup(token);
      } else {
        auto [number, isNew] = numbers.try_emplace(token, numbers.size());
        if (isNew)
          nodes.push_back(number->getKey());
        result += "!" + utostr(number->second);
      }
    }
    result += "\n";
  };
  write(found->second);
  for (size_t i = 0; i < nodes.size(); ++i)
    write(metadata.lookup(nodes[i]));
  return result;
}
