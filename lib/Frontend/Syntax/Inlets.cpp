// Reads the main file as raw tokens, finds the functions with inlets or `abort`, and replaces the text of definitions
// and uses. A replacement has as many line ends as the text that it replaces.
#include "Inlets.h"
#include "Diagnostics.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace clang;
using llvm::SmallVector;
using llvm::StringRef;

namespace cilk2gpu {

namespace {

/// A range of tokens, without its end.
struct Range {
  size_t begin = 0, end = 0;
  bool empty() const { return begin == end; }
};

struct Inlet {
  StringRef name;
  SmallVector<Range, 4> parameters;
  Range body; ///< between the braces
};

class InletExpander {
public:
  InletExpander(CompilerInstance &compiler, FileID file, StringRef text, bool elides);

  /// Returns the new text, or nothing if there is nothing to replace.
  std::optional<std::string> expand();

  std::optional<InletError> error;

private:
  struct Edit {
    unsigned begin, end; ///< offsets in the text
    std::string replacement;
  };

  StringRef spelling(size_t index) const { return text.substr(offset(index), tokens[index].getLength()); }
  bool is(size_t index, StringRef word) const { return index < tokens.size() && spelling(index) == word; }
  bool is(size_t index, tok::TokenKind kind) const { return index < tokens.size() && tokens[index].is(kind); }
  std::string join(Range range) const;
  size_t closing(size_t open) const;
  SmallVector<Range, 4> split(Range range) const;
  bool startsStatement(size_t index) const;
  bool startsDirective(size_t index) const { return is(index, tok::hash) && tokens[index].isAtStartOfLine(); }
  size_t appendDirective(size_t index, std::string &body) const;
  unsigned offset(size_t index) const { return sources.getFileOffset(tokens[index].getLocation()); }
  void refuse(size_t index, unsigned reason);
  void replace(Range range, std::string replacement);

  void expandFunction(Range function);
  size_t readInlet(size_t keyword);
  bool mustBeSerial(Range function) const;
  void expandUse(size_t name, const Inlet &inlet);
  std::string bind(Range argument, std::string &bindings);
  std::string makeResult(Range call, std::string &bindings);
  std::string makeBody(const Inlet &inlet);
  std::string fresh(const char *prefix) { return prefix + std::to_string(numNames++); }

  const SourceManager &sources;
  StringRef text;
  bool elides, serial = false;
  unsigned numNames = 0;
  SmallVector<Token, 0> tokens;
  SmallVector<Inlet, 2> inlets; ///< of the function that is being expanded
  SmallVector<Edit, 0> edits;
};

} // namespace

InletExpander::InletExpander(CompilerInstance &compiler, FileID file, StringRef text, bool elides)
    : sources(compiler.getSourceManager()), text(text), elides(elides) {
  Lexer lexer(file, sources.getBufferOrFake(file), sources, compiler.getLangOpts());
  for (Token token; !lexer.LexFromRawLexer(token);)
    tokens.push_back(token);
}

std::string InletExpander::join(Range range) const {
  std::string joined;
  for (size_t index = range.begin; index != range.end; ++index)
    (joined += spelling(index)) += ' ';
  return joined;
}

// Returns the index of the bracket that closes the one at `open`, or the number of tokens.
size_t InletExpander::closing(size_t open) const {
  int depth = 0;
  for (size_t index = open; index < tokens.size(); ++index) {
    if (tokens[index].isOneOf(tok::l_paren, tok::l_brace, tok::l_square))
      ++depth;
    else if (tokens[index].isOneOf(tok::r_paren, tok::r_brace, tok::r_square) && --depth == 0)
      return index;
  }
  return tokens.size();
}

// Splits a list at its commas.
SmallVector<Range, 4> InletExpander::split(Range range) const {
  SmallVector<Range, 4> parts;
  size_t begin = range.begin;
  for (size_t index = range.begin; index < range.end; ++index) {
    if (tokens[index].isOneOf(tok::l_paren, tok::l_brace, tok::l_square))
      index = closing(index);
    else if (tokens[index].is(tok::comma)) {
      parts.push_back({begin, index});
      begin = index + 1;
    }
  }
  if (!range.empty())
    parts.push_back({begin, range.end});
  return parts;
}

bool InletExpander::startsStatement(size_t index) const {
  return index != 0 && (tokens[index - 1].isOneOf(tok::semi, tok::l_brace, tok::r_brace, tok::r_paren, tok::colon) ||
                        is(index - 1, "else") || is(index - 1, "do"));
}

void InletExpander::refuse(size_t index, unsigned reason) {
  // Later errors would mostly follow from the first one. The source manager must not count the lines, because it would
  // keep them for the new text.
  if (!error)
    error = {unsigned(text.take_front(offset(index)).count('\n')) + 1, reason};
}

void InletExpander::replace(Range range, std::string replacement) {
  unsigned begin = offset(range.begin), end = offset(range.end - 1) + tokens[range.end - 1].getLength();
  size_t before = text.slice(begin, end).count('\n');
  if (StringRef(replacement).contains('\n')) // the directives of a body; what comes next keeps its number
    replacement += "\n#line " + std::to_string(text.take_front(end).count('\n') + 1) + "\n";
  else
    replacement.append(before, '\n');
  edits.push_back({begin, end, std::move(replacement)});
}

// Reads the definition behind the keyword. Returns the index behind it, or behind the keyword after an error.
size_t InletExpander::readInlet(size_t keyword) {
  size_t open = keyword;
  while (open < tokens.size() && !tokens[open].isOneOf(tok::l_paren, tok::semi, tok::l_brace))
    ++open;
  size_t close = is(open, tok::l_paren) ? closing(open) : tokens.size();
  size_t end = is(close + 1, tok::l_brace) ? closing(close + 1) : tokens.size();
  if (end >= tokens.size() || open < keyword + 2 || tokens[open - 1].isNot(tok::raw_identifier))
    return refuse(keyword, 0), keyword + 1;
  Inlet inlet{spelling(open - 1), split({open + 1, close}), {close + 2, end}};
  if (inlet.parameters.size() == 1 && join(inlet.parameters.front()) == "void ")
    inlet.parameters.clear();
  for (size_t index = inlet.body.begin; index != inlet.body.end; ++index) {
    if (is(index, "spawn") || is(index, "sync"))
      refuse(index, 1);
    if (is(index, "return") && !is(index + 1, tok::semi))
      refuse(index, 2);
  }
  inlets.push_back(inlet);
  replace({keyword, end + 1}, ";");
  return end + 1;
}

// Returns true if the function's children are called: it has an `abort`, or `x += spawn f()` beside inlets, which might
// change x at the same time.
bool InletExpander::mustBeSerial(Range function) const {
  bool updates = false, hasInlet = false;
  for (size_t index = function.begin; index != function.end; ++index) {
    if (is(index, "abort") && is(index + 1, tok::semi))
      return true;
    hasInlet |= is(index, "inlet");
    updates |= is(index, tok::equal) && is(index + 1, "spawn") && index != 0 && offset(index - 1) + 1 == offset(index);
    updates |= is(index + 1, "spawn") && llvm::is_contained({"+=", "-=", "&=", "|=", "^="}, spelling(index));
  }
  return hasInlet && updates;
}

// Returns the argument's replacement in the child. A value is kept in a variable, because the parent evaluates it.
std::string InletExpander::bind(Range argument, std::string &bindings) {
  if (argument.end == argument.begin + 1 &&
      (tokens[argument.begin].isOneOf(tok::numeric_constant, tok::string_literal) || is(argument.begin, "NULL")))
    return join(argument);
  std::string name = fresh("__cilk_inlet_value");
  bindings += "__auto_type " + name + " = (" + join(argument) + "); ";
  return name;
}

// Returns the call of `spawn f(a, b)` with the arguments' replacements, or nothing if it is no call.
std::string InletExpander::makeResult(Range call, std::string &bindings) {
  size_t open = call.begin + 1;
  while (open < call.end && !(is(open, tok::l_paren) && closing(open) + 1 == call.end))
    open = is(open, tok::l_paren) ? closing(open) + 1 : open + 1;
  if (open >= call.end)
    return refuse(call.begin, 3), "";
  std::string result = join({call.begin + 1, open}) + "(";
  for (auto [number, argument] : llvm::enumerate(split({open + 1, call.end - 1})))
    result += (number ? ", " : "") + (serial ? join(argument) : bind(argument, bindings));
  return result + ")";
}

// Appends the directive on lines of its own. Returns the index of its last token.
size_t InletExpander::appendDirective(size_t index, std::string &body) const {
  size_t end = index + 1;
  while (end != tokens.size() && !tokens[end].isAtStartOfLine())
    ++end;
  unsigned last = offset(end - 1) + tokens[end - 1].getLength();
  body += '\n' + text.slice(offset(index), last).str() + '\n';
  return end - 1;
}

// Takes the place of `abort`. Clang warns of a condition with an empty statement.
static constexpr const char kNoStatement[] = "(void)0 ";

// Returns the text of the inlet's body. `return` goes to its end.
std::string InletExpander::makeBody(const Inlet &inlet) {
  std::string end, body;
  for (size_t index = inlet.body.begin; index != inlet.body.end; ++index) {
    if (is(index, "abort") && is(index + 1, tok::semi)) {
      body += kNoStatement;
    } else if (startsDirective(index)) {
      index = appendDirective(index, body);
    } else if (is(index, "return")) {
      end = end.empty() ? fresh("__cilk_inlet_end") : end;
      body += "goto " + end + " ";
    } else {
      (body += spelling(index)) += ' ';
    }
  }
  body = "{ " + body + "} ";
  if (!end.empty())
    body += end + ": ; ";
  if (serial || elides)
    return body;
  return "{ extern void __cilk2gpu_begin_inlet(void), __cilk2gpu_end_inlet(void); __cilk2gpu_begin_inlet(); " + body +
         "__cilk2gpu_end_inlet(); } ";
}

// Replaces `name(spawn f(a), b);`.
void InletExpander::expandUse(size_t name, const Inlet &inlet) {
  size_t close = closing(name + 1);
  SmallVector<Range, 4> arguments = split({name + 2, close});
  if (!startsStatement(name) || !is(close + 1, tok::semi) || arguments.size() != inlet.parameters.size())
    return refuse(name, 4);
  std::string bindings, values;
  bool spawns = false;
  for (auto [argument, parameter] : llvm::zip(arguments, inlet.parameters)) {
    bool isSpawn = is(argument.begin, "spawn");
    spawns |= isSpawn;
    values += join(parameter) + "= " + (isSpawn ? makeResult(argument, bindings) : bind(argument, bindings)) + "; ";
  }
  std::string task = "{ " + values + makeBody(inlet) + "} ";
  replace({name, close + 2}, "{ " + bindings + (spawns && !serial ? "cilk_spawn " : "") + task + "}");
}

void InletExpander::expandFunction(Range function) {
  inlets.clear();
  serial = mustBeSerial(function);
  for (size_t index = function.begin; index < function.end;) {
    auto *inlet = llvm::find_if(inlets, [&](const Inlet &each) { return is(index, each.name); });
    if (is(index, "inlet")) {
      index = readInlet(index);
    } else if (inlet != inlets.end() && is(index + 1, tok::l_paren)) {
      expandUse(index, *inlet);
      index = closing(index + 1) + 1;
    } else if (serial && (is(index, "spawn") || (is(index, "abort") && is(index + 1, tok::semi)))) {
      replace({index, index + 1}, is(index, "abort") ? kNoStatement : "");
      ++index;
    } else {
      ++index;
    }
  }
}

std::optional<std::string> InletExpander::expand() {
  for (size_t index = 0; index < tokens.size(); ++index)
    if (is(index, tok::l_brace)) {
      size_t end = closing(index);
      if (index != 0 && is(index - 1, tok::r_paren))
        expandFunction({index, std::min(end, tokens.size())});
      index = end;
    }
  if (edits.empty())
    return std::nullopt;
  std::string result;
  unsigned done = 0;
  for (const Edit &edit : edits) {
    result += text.slice(done, edit.begin);
    result += edit.replacement;
    done = edit.end;
  }
  return result + text.substr(done).str();
}

void reportInlet(InletError error, const SourceManager &sources, DiagnosticsEngine &diags) {
  report(diags, sources.translateLineCol(sources.getMainFileID(), error.line, 1), Message::MitInlet) << error.reason;
}

std::optional<InletError> expandInlets(CompilerInstance &compiler, bool elides) {
  SourceManager &sources = compiler.getSourceManager();
  FileID file = sources.getMainFileID();
  std::optional<llvm::MemoryBufferRef> buffer = sources.getBufferOrNone(file);
  OptionalFileEntryRef entry = sources.getFileEntryRefForID(file);
  if (!buffer || !entry || (!buffer->getBuffer().contains("inlet") && !buffer->getBuffer().contains("abort")))
    return std::nullopt;
  InletExpander expander(compiler, file, buffer->getBuffer(), elides);
  std::optional<std::string> expanded = expander.expand();
  if (!expanded || expander.error)
    return expander.error;
  // The new text is longer, so it needs a file number of its own.
  sources.overrideFileContents(*entry, llvm::MemoryBuffer::getMemBufferCopy(*expanded, buffer->getBufferIdentifier()));
  sources.setMainFileID(sources.createFileID(*entry, SourceLocation(), SrcMgr::C_User));
  return expander.error;
}

} // namespace cilk2gpu
