// Decodes instructions: LLVM disassembles, and this file reads the printed operands and modifiers.
#include "Tables.h"

#include "llvm-c/Disassembler.h"
#include "llvm-c/Target.h"

#include <charconv>
#include <stdlib.h>

namespace cilk2gpu::test::amd {
namespace {

/// Takes the text before the first `separator` that is in no brackets.
std::string_view take(std::string_view &rest, char separator) {
  int depth = 0;
  size_t end = 0;
  for (; end < rest.size(); ++end) {
    char c = rest[end];
    depth += c == '[' || c == '(';
    depth -= c == ']' || c == ')';
    if (c == separator && !depth)
      break;
  }
  std::string_view taken = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  while (rest.starts_with(' '))
    rest.remove_prefix(1);
  return taken;
}

bool skip(std::string_view &text, std::string_view prefix) {
  if (!text.starts_with(prefix))
    return false;
  text.remove_prefix(prefix.size());
  return true;
}

/// Reads a whole number to the end of the text.
bool readInteger(std::string_view text, int64_t &value) {
  bool isNegative = skip(text, "-"), isHex = skip(text, "0x");
  uint64_t magnitude = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), magnitude, isHex ? 16 : 10);
  value = isNegative ? -int64_t(magnitude) : int64_t(magnitude);
  return error == std::errc() && end == text.data() + text.size();
}

int64_t integerOf(std::string_view text) {
  int64_t value = 0;
  readInteger(text, value);
  return value;
}

struct Named {
  std::string_view name;
  uint16_t first;
  uint8_t words;
};

constexpr Named kNamed[] = {
    {"vcc", kVcc, 2},
    {"vcc_lo", kVcc, 1},
    {"vcc_hi", kVcc + 1, 1},
    {"exec", kExec, 2},
    {"exec_lo", kExec, 1},
    {"exec_hi", kExec + 1, 1},
    {"m0", kM0, 1},
    {"null", kNull, 2},
    {"flat_scratch", kFlatScratch, 2},
    {"flat_scratch_lo", kFlatScratch, 1},
    {"flat_scratch_hi", kFlatScratch + 1, 1},
    {"xnack_mask", kXnackMask, 2},
    {"xnack_mask_lo", kXnackMask, 1},
    {"xnack_mask_hi", kXnackMask + 1, 1},
    {"src_shared_base", kSharedBase, 2},
    {"src_shared_limit", kSharedLimit, 2},
    {"src_private_base", kPrivateBase, 2},
    {"src_private_limit", kPrivateLimit, 2},
    {"src_scc", kScc, 1},
};

/// Reads v1, s[2:3], ttmp9, v1.h and the like.
bool readNumbered(std::string_view text, Operand &operand) {
  constexpr struct {
    std::string_view prefix;
    Operand::Kind kind;
    uint16_t first;
  } kFiles[] = {{"v", Operand::Vector, 0},
                {"a", Operand::Vector, kAccumulators},
                {"s", Operand::Scalar, 0},
                {"ttmp", Operand::Scalar, kTtmp}};
  for (auto &file : kFiles) {
    std::string_view rest = text;
    if (!skip(rest, file.prefix))
      continue;
    if (rest.ends_with(".l") || rest.ends_with(".h")) {
      operand.half = rest.ends_with(".h");
      rest.remove_suffix(2);
    }
    int64_t first = 0, last = 0;
    if (skip(rest, "[")) {
      if (!readInteger(take(rest, ':'), first) || !readInteger(rest.substr(0, rest.find(']')), last))
        return false;
    } else if (!readInteger(rest, first)) {
      continue;
    } else {
      last = first;
    }
    operand.kind = file.kind;
    operand.first = uint16_t(file.first + first);
    operand.words = uint8_t(last - first + 1);
    return true;
  }
  return false;
}

bool readNumber(std::string_view text, Operand &operand) {
  if (readInteger(text, operand.value)) {
    operand.kind = text.find("0x") == std::string_view::npos ? Operand::Integer : Operand::Literal;
    return true;
  }
  std::string copy(text);
  char *end = nullptr;
  operand.number = strtod(copy.c_str(), &end);
  operand.kind = Operand::Number;
  return end != copy.c_str() && !*end;
}

bool wraps(std::string_view &text, std::string_view function) {
  if (!text.starts_with(function) || !text.ends_with(')'))
    return false;
  text = text.substr(function.size(), text.size() - function.size() - 1);
  return true;
}

Operand readOperand(std::string_view text) {
  Operand operand;
  std::string_view plain = text;
  operand.isSignExtended = wraps(plain, "sext(");
  if (wraps(plain, "neg("))
    operand.isNegated = true;
  else if (plain.size() > 1 && plain[0] == '-' && !isdigit(plain[1]))
    operand.isNegated = skip(plain, "-");
  if (wraps(plain, "abs("))
    operand.isAbsolute = true;
  else if (plain.size() > 2 && plain.front() == '|' && plain.back() == '|') {
    operand.isAbsolute = true;
    plain = plain.substr(1, plain.size() - 2);
  }
  wraps(plain, "lit("); // a literal that an inline constant could replace
  if (plain == "off") {
    operand.kind = Operand::Off;
    return operand;
  }
  for (const Named &each : kNamed)
    if (each.name == plain) {
      operand.kind = Operand::Scalar;
      operand.first = each.first;
      operand.words = each.words;
      return operand;
    }
  if (!readNumbered(plain, operand) && !readNumber(plain, operand))
    operand.kind = Operand::Text;
  return operand;
}

//===-- Modifiers -------------------------------------------------------------------------------------------------===//

uint8_t bitsOf(std::string_view list) {
  uint8_t bits = 0;
  list = list.substr(1, list.size() - 2);
  for (unsigned i = 0; !list.empty(); ++i)
    bits |= uint8_t((integerOf(take(list, ',')) & 1) << i);
  return bits;
}

Part partOf(std::string_view name) {
  constexpr std::string_view kNames[] = {"DWORD", "BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1"};
  for (unsigned i = 0; i < std::size(kNames); ++i)
    if (kNames[i] == name)
      return Part(i);
  return Part::All;
}

bool readExchange(std::string_view key, std::string_view value, Exchange &exchange) {
  constexpr struct {
    std::string_view name;
    Exchange::Kind kind;
  } kKinds[] = {{"row_shl", Exchange::RowShl},        {"row_shr", Exchange::RowShr},
                {"row_ror", Exchange::RowRor},        {"wave_shr", Exchange::WaveShr},
                {"row_mirror", Exchange::RowMirror},  {"row_half_mirror", Exchange::RowHalfMirror},
                {"row_share", Exchange::RowShare},    {"row_xmask", Exchange::RowXmask},
                {"row_newbcast", Exchange::RowShare}, {"row_bcast", Exchange::RowBroadcast15},
                {"quad_perm", Exchange::QuadPerm},    {"dpp8", Exchange::Dpp8}};
  if (key == "bound_ctrl")
    exchange.zeroesInvalid = true;
  else if (key == "fi")
    exchange.readsInactive = value == "1";
  else if (key == "row_mask")
    exchange.rowMask = uint8_t(integerOf(value));
  else if (key == "bank_mask")
    exchange.bankMask = uint8_t(integerOf(value));
  else {
    for (auto &each : kKinds) {
      if (each.name != key)
        continue;
      exchange.kind = each.kind;
      exchange.amount = uint8_t(integerOf(value));
      if (each.kind == Exchange::RowBroadcast15 && exchange.amount == 31)
        exchange.kind = Exchange::RowBroadcast31;
      if (value.starts_with('[')) {
        value = value.substr(1, value.size() - 2);
        for (unsigned i = 0; !value.empty() && i < 8; ++i)
          exchange.lanes[i] = uint8_t(integerOf(take(value, ',')));
      }
      return true;
    }
    return false;
  }
  return true;
}

/// Reads a modifier of an instruction's parts of registers (SDWA).
bool readPart(std::string_view key, std::string_view value, Instruction &instruction) {
  Part part = partOf(value);
  // Sums with a carry have a second result.
  unsigned first = instruction.name.find("_co_u32") != std::string_view::npos ? 2 : 1;
  if (key == "dst_sel")
    instruction.operands[0].part = part;
  else if (key == "dst_unused") {
    instruction.keepsRest = value == "UNUSED_PRESERVE";
    instruction.signExtendsRest = value == "UNUSED_SEXT";
  } else if (key == "src0_sel")
    instruction.operands[first].part = part;
  else if (key == "src1_sel")
    instruction.operands[first + 1].part = part;
  else
    return false;
  return true;
}

bool readModifier(std::string_view word, Instruction &instruction) {
  constexpr std::string_view kWithoutEffect[] = {"glc", "slc", "dlc", "sc0", "sc1", "nt", "scc", "nv"};
  std::string_view value = word, key = take(value, ':');
  if (key == "glc" || key == "sc0" ||
      (key == "th" && value.starts_with("TH_ATOMIC_") && value.find("RETURN") != value.npos))
    instruction.access.returns = true;
  if (key == "th" || key == "scope")
    return true;
  for (std::string_view each : kWithoutEffect)
    if (each == word)
      return true;
  if (key == "offset" || key == "offset0")
    instruction.access.offset = integerOf(value);
  else if (key == "offset1")
    instruction.access.offset1 = integerOf(value);
  else if (key == "offen")
    instruction.access.hasVectorOffset = true;
  else if (key == "clamp")
    instruction.clamps = true;
  else if (key == "mul")
    instruction.scale = value == "4" ? 2 : 1;
  else if (key == "div")
    instruction.scale = -1;
  else if (key == "op_sel") {
    instruction.opSel = bitsOf(value);
    instruction.hasOpSel = true;
  } else if (key == "op_sel_hi")
    instruction.opSelHigh = bitsOf(value);
  else if (key == "neg_lo")
    instruction.negLow = bitsOf(value);
  else if (key == "neg_hi")
    instruction.negHigh = bitsOf(value);
  else
    return readPart(key, value, instruction) || readExchange(key, value, instruction.exchange);
  return true;
}

//===-- Instructions ----------------------------------------------------------------------------------------------===//

std::string_view withoutEncoding(std::string_view name) {
  for (std::string_view suffix : {"_e64_dpp", "_e32", "_e64", "_dpp", "_sdwa"})
    if (name.ends_with(suffix))
      return name.substr(0, name.size() - suffix.size());
  return name;
}

void read(std::string_view text, Instruction &instruction) {
  instruction.name = withoutEncoding(take(text, ' '));
  bool isKnown = true;
  while (!text.empty()) {
    std::string_view piece = take(text, ',');
    bool isFirst = true;
    while (!piece.empty()) {
      std::string_view word = take(piece, ' ');
      // Without operands, the first word may be a modifier.
      bool isOperand = isFirst && instruction.count < std::size(instruction.operands);
      isFirst = false;
      if (isOperand) {
        Operand operand = readOperand(word);
        instruction.operands[instruction.count++] = operand;
      } else if (!word.empty() && !readModifier(word, instruction)) {
        isKnown = instruction.name.starts_with("s_");
      }
    }
  }
  findMeaning(instruction);
  if (!isKnown)
    instruction.execute = nullptr;
}

/// Reads an instruction of two operations, which have names of their own: v_dual_mov_b32 is v_mov_b32.
void readDual(const std::string &text, Instruction &instruction) {
  size_t middle = text.find(" :: ");
  auto plain = [](std::string_view part) { return "v_" + std::string(part.substr(sizeof "v_dual_" - 1)); };
  instruction.text = plain(std::string_view(text).substr(0, middle));
  read(instruction.text, instruction);
  auto second = std::make_shared<Instruction>();
  second->text = plain(std::string_view(text).substr(middle + sizeof " :: " - 1));
  read(second->text, *second);
  if (!second->execute)
    instruction.execute = nullptr;
  instruction.second = std::move(second);
}

} // namespace

Target targetOf(std::string_view processor, unsigned wave) {
  std::string_view rest = processor;
  int64_t number = 0;
  if (!skip(rest, "gfx") || rest.size() < 3 || !readInteger(rest.substr(0, rest.size() - 2), number) || number < 9 ||
      number > 12)
    throw Unreadable("code for '" + std::string(processor) + "' is not known here");
  auto major = unsigned(number);
  return {.processor = std::string(processor),
          .major = major,
          .wave = wave,
          .hasArchitectedScratch = major >= 11 || rest.starts_with("94") || rest.starts_with("95"),
          .hasArchitectedNumbers = major >= 12};
}

Code::Code(const unsigned char *start, uint64_t bytes, const Target &target)
    : target(target), start(start), bytes(bytes), decoded(bytes / 4) {
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTargetMC();
  LLVMInitializeAMDGPUDisassembler();
  const char *features = target.major < 10 ? "" : target.wave == 32 ? "+wavefrontsize32" : "+wavefrontsize64";
  disassembler = LLVMCreateDisasmCPUFeatures("amdgcn-amd-amdhsa", target.processor.c_str(), features, nullptr, 0,
                                             nullptr, nullptr);
  if (!disassembler)
    throw Unreadable("LLVM has no disassembler for '" + target.processor + "'");
}

Code::~Code() { LLVMDisasmDispose(disassembler); }

const Instruction *Code::decode(uint64_t place) {
  auto instruction = std::make_unique<Instruction>();
  char text[512];
  size_t size = LLVMDisasmInstruction(disassembler, const_cast<unsigned char *>(start) + 4 * place, bytes - 4 * place,
                                      4 * place, text, sizeof text);
  if (size) {
    std::string_view line = text;
    skip(line, "\t");
    line = line.substr(0, line.find_last_not_of(" \t\n") + 1);
    instruction->text = line;
    instruction->bytes = uint8_t(size);
    if (instruction->text.find(" :: ") == std::string::npos)
      read(instruction->text, *instruction);
    else
      readDual(std::string(instruction->text), *instruction);
  } else {
    instruction->text = "a word that is no instruction";
  }
  return (decoded[place] = std::move(instruction)).get();
}

} // namespace cilk2gpu::test::amd
