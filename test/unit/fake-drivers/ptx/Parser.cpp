// Reads PTX, as LLVM writes it.
#include "Instructions.h"
#include "Program.h"

#include <charconv>
#include <ctype.h>
#include <optional>
#include <set>
#include <string.h>

namespace cilk2gpu::test::ptx {
namespace {

struct Token {
  std::string_view text;
  uint32_t line;
};

bool isOfWord(char c) { return isalnum(static_cast<unsigned char>(c)) || strchr("_$%.", c); }

/// Splits text into words (names, registers, instructions, numbers) and single characters.
std::vector<Token> tokensOf(std::string_view text) {
  std::vector<Token> tokens;
  uint32_t line = 1;
  for (size_t i = 0; i < text.size() && text[i];) {
    size_t start = i;
    if (text[i] == '\n')
      ++line;
    if (isspace(static_cast<unsigned char>(text[i]))) {
      ++i;
    } else if (text.substr(i, 2) == "//") {
      while (i < text.size() && text[i] != '\n')
        ++i;
    } else if (text[i] == '"') {
      size_t end = text.find('"', i + 1);
      i = end == text.npos ? text.size() : end + 1;
      tokens.push_back({text.substr(start, i - start), line});
    } else if (isOfWord(text[i])) {
      while (i < text.size() && text[i] && isOfWord(text[i]))
        ++i;
      tokens.push_back({text.substr(start, i - start), line});
    } else {
      tokens.push_back({text.substr(i++, 1), line});
    }
  }
  tokens.push_back({"", line});
  return tokens;
}

uint32_t aligned(uint32_t offset, uint32_t align) { return (offset + align - 1) & ~(align - 1); }

/// Returns the bytes of a type's values; predicates have one byte.
uint32_t bytesOf(std::string_view type) {
  static constexpr std::pair<std::string_view, uint32_t> kBytes[] = {{"8", 1}, {"16", 2}, {"32", 4}, {"64", 8}};
  for (auto &[suffix, bytes] : kBytes)
    if (type.size() > 2 && type.substr(2) == suffix)
      return bytes;
  return type == ".pred" ? 1 : 0;
}

class Parser {
public:
  explicit Parser(std::string_view text) : tokens(tokensOf(text)), module(new Module) {}

  std::unique_ptr<Module> run() {
    while (!peek().empty())
      readTopLevel();
    return std::move(module);
  }

private:
  //===-- Tokens --------------------------------------------------------------------------------------------------===//

  std::string_view peek(size_t ahead = 0) const { return tokens[std::min(at + ahead, tokens.size() - 1)].text; }
  std::string_view take() {
    if (peek().empty())
      fail("the text ends where more is expected");
    return tokens[at++].text;
  }
  bool accept(std::string_view text) { return peek() == text && (take(), true); }
  void expect(std::string_view text) {
    if (!accept(text))
      fail("'" + std::string(text) + "' is missing before '" + std::string(peek()) + "'");
  }
  [[noreturn]] void fail(const std::string &what) const { fail(tokens[at].line, what); }
  [[noreturn]] static void fail(uint32_t line, const std::string &what) {
    throw Unreadable("PTX line " + std::to_string(line) + ": " + what);
  }
  void skipLine() {
    for (uint32_t line = tokens[at].line; tokens[at].line == line && !peek().empty();)
      take();
  }

  /// Reads an integer, or the bits of a floating-point number.
  uint64_t takeNumber() {
    bool isNegative = accept("-");
    std::string_view text = take();
    if (!text.empty() && text.back() == 'U')
      text.remove_suffix(1);
    int base = 10;
    if (text.size() > 2 && text[0] == '0' && strchr("xXdDfF", text[1])) {
      text.remove_prefix(2);
      base = 16;
    }
    uint64_t value = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc() || end != text.data() + text.size())
      fail("no number: '" + std::string(text) + "'");
    return isNegative ? -value : value;
  }
  bool isNumber() const { return peek() == "-" || (!peek().empty() && isdigit(static_cast<unsigned char>(peek()[0]))); }

  //===-- Modules -------------------------------------------------------------------------------------------------===//

  void readTopLevel() {
    std::string_view word = take();
    if (word == ".version" || word == ".target" || word == ".address_size" || word == ".file") {
      --at;
      skipLine();
    } else if (word == ".visible" || word == ".extern" || word == ".weak" || word == ".common") {
    } else if (word == ".global" || word == ".const") {
      readVariable();
    } else if (word == ".shared") {
      readShared();
    } else if (word == ".func" || word == ".entry") {
      readFunction(word == ".entry");
    } else {
      fail("'" + std::string(word) + "' is not known");
    }
  }

  /// Parts of ".align 8 .b8 name[42]".
  struct Declaration {
    uint32_t align = 1, element = 0;
    uint64_t bytes = 0;
    std::string_view name;
  };

  Declaration readDeclaration() {
    Declaration read;
    if (accept(".align"))
      read.align = uint32_t(takeNumber());
    read.element = bytesOf(take());
    if (!read.element)
      fail("'" + std::string(tokens[at - 1].text) + "' is no type that is known");
    read.align = std::max(read.align, read.element);
    if (accept(".ptr")) { // attribute of the memory that it points at
      while (peek() != ".align")
        take();
      take();
      takeNumber();
    }
    read.name = take();
    read.bytes = read.element;
    if (accept("[")) {
      read.bytes *= takeNumber();
      expect("]");
    }
    return read;
  }

  void readVariable() {
    Declaration read = readDeclaration();
    Variable &variable = module->variables[std::string(read.name)];
    constexpr uint64_t kMost = 256;
    variable.bytes = read.bytes;
    variable.storage.reset(new unsigned char[read.bytes + kMost]());
    auto address = reinterpret_cast<uintptr_t>(variable.storage.get());
    variable.memory = variable.storage.get() + (-address & (std::min<uint64_t>(read.align, kMost) - 1));
    if (accept("=")) {
      bool isList = accept("{");
      for (uint64_t offset = 0; offset + read.element <= read.bytes && peek() != "}"; offset += read.element) {
        uint64_t value = readConstant();
        memcpy(variable.memory + offset, &value, read.element);
        if (!accept(","))
          break;
      }
      if (isList)
        expect("}");
    }
    expect(";");
  }

  /// Reads a variable of shared memory. Those of functions have names that no others have.
  void readShared() {
    Declaration read = readDeclaration();
    module->sharedBytes = (module->sharedBytes + read.align - 1) & ~uint64_t(read.align - 1);
    module->shared[std::string(read.name)] = module->sharedBytes;
    module->sharedBytes += read.bytes;
    expect(";");
  }

  /// Reads a number, or an address of variables and functions: "generic(name)" and "name+8".
  uint64_t readConstant() {
    if (isNumber())
      return takeNumber();
    bool isGeneric = accept("generic");
    if (isGeneric)
      expect("(");
    uint64_t address = addressOf(take());
    if (isGeneric)
      expect(")");
    if (accept("+"))
      address += takeNumber();
    return address;
  }

  uint64_t addressOf(std::string_view name) {
    if (auto variable = module->variables.find(name); variable != module->variables.end())
      return reinterpret_cast<uintptr_t>(variable->second.memory);
    if (auto variable = module->shared.find(name); variable != module->shared.end())
      return variable->second;
    if (auto function = module->functions.find(name); function != module->functions.end())
      return reinterpret_cast<uintptr_t>(function->second.get());
    fail("'" + std::string(name) + "' is not declared");
  }

  //===-- Functions -----------------------------------------------------------------------------------------------===//

  using Names = std::map<std::string_view, Parameter>;

  /// Reads "(.param .b32 a, .param .align 8 .b8 b[16])", and adds the parameters to the list.
  void readParameters(Function &function, std::vector<Parameter> &list, Names &names) {
    expect("(");
    for (; !accept(")"); accept(",")) {
      expect(".param");
      Declaration read = readDeclaration();
      list.push_back(place(function, read));
      names[read.name] = list.back();
    }
  }

  static Parameter place(Function &function, const Declaration &read) {
    uint32_t offset = aligned(function.parameterBytes, std::max(read.align, uint32_t(8)));
    function.parameterBytes = offset + uint32_t(read.bytes);
    return {offset, uint32_t(read.bytes)};
  }

  void readFunction(bool isKernel) {
    Function read;
    read.isKernel = isKernel;
    scopes.assign(1, {});
    if (peek() == "(")
      readParameters(read, read.results, scopes.back());
    read.name = take();
    if (peek() == "(")
      readParameters(read, read.parameters, scopes.back());
    auto &slot = module->functions[read.name];
    if (!slot)
      slot.reset(new Function);
    while (peek() != "{" && peek() != ";")
      take(); // .noreturn, .maxntid 256
    bool isDeclared = accept(";");
    if (isDeclared && slot->isDefined)
      return;
    *slot = std::move(read);
    if (!isDeclared)
      readBody(*slot);
  }

  void readBody(Function &function) {
    own = &function;
    registers.clear();
    bitsOf.clear();
    numbers.clear();
    narrowStores.clear();
    labels.clear();
    branches.clear();
    tables.clear();
    function.isDefined = true;
    expect("{");
    while (scopes.size()) {
      if (accept("{"))
        scopes.emplace_back();
      else if (accept("}"))
        scopes.pop_back();
      else if (peek() == ".reg")
        readRegisters();
      else if (peek() == ".local")
        readLocal();
      else if (accept(".shared"))
        readShared();
      else if (accept(".param"))
        readLocalParameter();
      else if (peek() == ".loc" || peek() == ".file")
        skipLine();
      else if (accept(".pragma"))
        skipStatement();
      else if (peek(1) == ":")
        readLabel();
      else
        readInstruction();
    }
    finish();
  }

  void skipStatement() {
    while (!peek().empty() && !accept(";"))
      take();
  }

  void readRegisters() {
    expect(".reg");
    uint32_t bits = bitsOfType(take());
    do {
      std::string_view prefix = take();
      uint32_t count = 1;
      bool isRange = accept("<");
      if (isRange) {
        count = uint32_t(takeNumber());
        expect(">");
      }
      registers[prefix] = own->numRegisters;
      own->numRegisters += count;
      bitsOf.resize(own->numRegisters, bits);
    } while (accept(","));
    expect(";");
  }

  void readLocal() {
    expect(".local");
    Declaration read = readDeclaration();
    expect(";");
    addLocal(read.name, uint32_t(read.bytes), read.align, -1);
  }

  /// Adds a local variable. From the frame's end, the first variable is at the highest addresses.
  int32_t addLocal(std::string_view name, uint32_t bytes, uint32_t align, int32_t parameter) {
    auto slot = int32_t(own->numRegisters++);
    own->localBytes = aligned(own->localBytes + bytes, std::max(align, uint32_t(16)));
    own->locals.push_back({slot, own->localBytes, bytes, parameter});
    registers[name] = uint32_t(slot);
    return slot;
  }

  void readLocalParameter() {
    Declaration read = readDeclaration();
    expect(";");
    scopes.back()[read.name] = place(*own, read);
  }

  void readLabel() {
    std::string_view name = take();
    expect(":");
    if (accept(".branchtargets")) {
      do
        tables[name].push_back(take());
      while (accept(","));
      expect(";");
    } else if (accept(".callprototype")) {
      skipStatement(); // each call is compared with the function that it reaches
    } else {
      labels[name] = uint32_t(own->body.size());
    }
  }

  //===-- Instructions --------------------------------------------------------------------------------------------===//

  const Parameter *findParameter(std::string_view name) const {
    for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope)
      if (auto found = scope->find(name); found != scope->end())
        return &found->second;
    return nullptr;
  }

  std::optional<int32_t> findRegister(std::string_view name) const {
    if (auto whole = registers.find(name); whole != registers.end())
      return int32_t(whole->second);
    size_t digits = name.find_first_of("0123456789");
    if (digits == name.npos)
      return std::nullopt;
    auto range = registers.find(name.substr(0, digits));
    if (range == registers.end())
      return std::nullopt;
    uint32_t number = 0;
    std::from_chars(name.data() + digits, name.data() + name.size(), number);
    return int32_t(range->second + number);
  }

  /// Adds a constant. Constants have negative slots until the number of registers is known.
  int32_t constant(uint64_t value) {
    own->constants.push_back(value);
    return -int32_t(own->constants.size());
  }

  /// Reads a register; "_" is a register that nobody reads.
  int32_t readSlot() {
    if (isNumber())
      return constant(takeNumber());
    std::string_view name = take();
    if (auto slot = findRegister(name))
      return *slot;
    if (name == "_") {
      registers[name] = own->numRegisters;
      return int32_t(own->numRegisters++);
    }
    return constant(addressOf(name));
  }

  Details &detailsOf(Instruction &instruction) {
    if (!instruction.details) {
      own->details.emplace_back(new Details);
      instruction.details = own->details.back().get();
    }
    return *own->details.back();
  }

  /// Reads "[base+8]"; parameters are slots of the frame.
  void readAddress(Instruction &instruction, size_t &count) {
    if (const Parameter *parameter = findParameter(peek())) {
      take();
      instruction.offset = parameter->offset;
    } else {
      instruction.operands[count++] = readSlot();
    }
    while (accept("+"))
      instruction.offset += int64_t(takeNumber());
    if (peek() == "-")
      instruction.offset += int64_t(takeNumber());
    expect("]");
  }

  void readInstruction() {
    Instruction instruction;
    instruction.line = tokens[at].line;
    if (accept("@")) {
      instruction.isInverted = accept("!");
      instruction.guard = readSlot();
    }
    std::string_view name = take();
    if (name.starts_with("call"))
      readCall(instruction);
    else if (name == "bra" || name == "bra.uni")
      branches.push_back({own->body.size(), take()});
    else if (name == "brx.idx")
      readTable(instruction);
    else
      readOperands(instruction);
    noteNumbers(name, instruction);
    if (!instruction.execute) {
      auto [execute, together] =
          findInstruction(name, instruction.details ? instruction.details->vector.size() : 0, packs);
      instruction.execute = execute;
      instruction.together = together;
    }
    expect(";");
    own->body.push_back(instruction);
  }

  /// Returns the bits of a type such as ".b32"; 0 for other words.
  static uint32_t bitsOfType(std::string_view type) {
    uint32_t bits = 0;
    size_t digits = type.find_first_of("0123456789");
    if (digits != type.npos)
      std::from_chars(type.data() + digits, type.data() + type.size(), bits);
    return bits;
  }

  /// Notes registers that get floating-point numbers, and registers that are wider than what is stored of them.
  void noteNumbers(std::string_view name, const Instruction &instruction) {
    for (std::string_view rest = name; rest.find('.') != rest.npos;) {
      rest = rest.substr(rest.find('.') + 1);
      std::string_view type = rest.substr(0, rest.find('.'));
      bool isType = type.size() > 1 && type[1] >= '0' && type[1] <= '9' && strchr("bsuf", type[0]);
      if (isType && type[0] == 'f' && !name.starts_with("setp"))
        numbers.insert(instruction.operands[0]);
      if (isType)
        break; // the first type is the result's
    }
    if (!name.starts_with("st."))
      return;
    uint32_t stored = bitsOfType(name.substr(name.rfind('.')));
    auto note = [&](int32_t slot) {
      if (slot >= 0 && size_t(slot) < bitsOf.size() && bitsOf[slot] > stored)
        narrowStores.push_back({slot, instruction.line});
    };
    for (int32_t slot : instruction.operands)
      note(slot);
    if (instruction.details)
      for (int32_t slot : instruction.details->vector)
        note(slot);
  }

  /// Refuses stores of which NVIDIA's assembler makes something else (lib/Target/GPU/NarrowStores.h).
  void checkStores() const {
    for (auto [slot, line] : narrowStores)
      if (numbers.contains(slot))
        fail(line,
             "a part of a register is stored that has a floating-point number: NVIDIA's assembler would convert it");
  }

  void readTable(Instruction &instruction) {
    instruction.operands[0] = readSlot();
    expect(",");
    detailsOf(instruction);
    branches.push_back({own->body.size(), take()});
  }

  void readOperands(Instruction &instruction) {
    size_t count = 0;
    packs = false;
    constexpr size_t kMost = sizeof instruction.operands / sizeof *instruction.operands;
    for (; peek() != ";"; accept(",")) {
      if (count == kMost)
        fail("too many operands");
      if (accept("{")) {
        Details &details = detailsOf(instruction);
        packs = count > 0;
        for (; !accept("}"); accept(","))
          details.vector.push_back(readSlot());
      } else if (accept("[")) {
        readAddress(instruction, count);
      } else if (Execute special = findSpecialRegister(peek())) {
        take();
        instruction.execute = special;
      } else if (const Parameter *parameter = findParameter(peek()); parameter && !findRegister(peek())) {
        // At the first use of its address, the parameter moves to local memory.
        instruction.operands[count++] = addLocal(take(), parameter->bytes, 16, int32_t(parameter->offset));
      } else {
        instruction.operands[count++] = readSlot();
        if (peek() == "|")
          fail("a second result is not known here");
      }
    }
  }

  /// Reads "call.uni (retval0), name, (param0, param1);", and calls through a register, which have a prototype's name
  /// behind.
  void readCall(Instruction &instruction) {
    Details &details = detailsOf(instruction);
    if (peek() == "(") {
      readArguments(details.results);
      expect(",");
    }
    if (auto function = module->functions.find(peek()); function != module->functions.end()) {
      take();
      details.callee = function->second.get();
    } else {
      instruction.operands[0] = readSlot();
    }
    if (accept(","))
      readArguments(details.arguments);
    if (accept(","))
      take(); // the prototype
  }

  void readArguments(std::vector<Parameter> &list) {
    expect("(");
    for (; !accept(")"); accept(",")) {
      const Parameter *parameter = findParameter(take());
      if (!parameter)
        fail("an argument is no parameter");
      list.push_back(*parameter);
    }
  }

  uint32_t targetOf(std::string_view label, uint32_t line) const {
    auto found = labels.find(label);
    if (found == labels.end())
      fail(line, "there is no label '" + std::string(label) + "'");
    return found->second;
  }

  void finish() {
    checkStores();
    for (auto &[number, label] : branches) {
      Instruction &branch = own->body[number];
      auto table = tables.find(label);
      if (table == tables.end())
        branch.target = targetOf(label, branch.line);
      else
        for (std::string_view each : table->second)
          const_cast<Details *>(branch.details)->targets.push_back(targetOf(each, branch.line));
    }
    auto settle = [&](int32_t &slot) {
      if (slot < 0)
        slot = int32_t(own->numRegisters) + ~slot;
    };
    for (Instruction &each : own->body)
      for (int32_t &slot : each.operands)
        settle(slot);
    for (auto &each : own->details)
      for (int32_t &slot : each->vector)
        settle(slot);
    Instruction end; // stands behind the last instruction
    end.execute = findInstruction("ret").execute;
    own->body.push_back(end);
  }

  std::vector<Token> tokens;
  std::vector<uint32_t> bitsOf;                           ///< of each register
  std::set<int32_t> numbers;                              ///< registers that have floating-point numbers
  std::vector<std::pair<int32_t, uint32_t>> narrowStores; ///< registers, with the lines of the stores
  size_t at = 0;
  std::unique_ptr<Module> module;

  // Parts of the function that is being read.
  Function *own = nullptr;
  std::vector<Names> scopes;
  std::map<std::string_view, uint32_t> registers; ///< first register of each range, by the range's prefix
  std::map<std::string_view, uint32_t> labels;
  std::map<std::string_view, std::vector<std::string_view>> tables;
  std::vector<std::pair<size_t, std::string_view>> branches;
  bool packs = false; ///< are the instruction's vector operands no results?
};

} // namespace

std::unique_ptr<Module> readModule(std::string_view text) { return Parser(text).run(); }

} // namespace cilk2gpu::test::ptx
