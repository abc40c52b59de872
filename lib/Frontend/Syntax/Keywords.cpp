// Installs the keywords. Macros would be lost on preprocessed input and would show up in -g3. So the keywords are token
// kinds, except for cilk_sync, which is a name that Sema looks up (CilkConsumer.cpp). The few macros that remain have
// no text, and the preprocessor's callbacks do not see them.
#include "Keywords.h"
#include "Diagnostics.h"
#include "Pragmas.h"
#include "ReducerType.h"
#include "ScopeAttribute.h"
#include "cilk2gpu/Support/PedigreeMarks.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace cilk2gpu {

namespace {
// Tells the keywords if the lexer is in a system header (<unistd.h> declares a function named sync), and which included
// files are missing.
class FileTracker : public PPCallbacks {
public:
  explicit FileTracker(Keywords &keywords) : keywords(keywords) {}
  void FileChanged(SourceLocation, FileChangeReason, SrcMgr::CharacteristicKind kind, FileID) override {
    keywords.enterFile(SrcMgr::isSystem(kind));
  }
  bool FileNotFound(StringRef name) override { return Keywords::isKnownHeader(name); }
  void InclusionDirective(SourceLocation, const Token &, StringRef name, bool, CharSourceRange range,
                          OptionalFileEntryRef file, StringRef, StringRef, const Module *, bool,
                          SrcMgr::CharacteristicKind) override {
    if (!file)
      keywords.refuseHeader(name, range.getBegin());
  }

private:
  Keywords &keywords;
};

// Reads the token watcher that is already set (Clang's coverage mapping has one), so that our watcher can call it.
// Preprocessor has no function to read it, but an explicit instantiation may name a private member.
using TokenWatcher = llvm::unique_function<void(const Token &)>;
template <TokenWatcher Preprocessor::*Member> struct WatcherAccess {
  friend TokenWatcher takeWatcher(Preprocessor &pp) { return std::move(pp.*Member); }
};
TokenWatcher takeWatcher(Preprocessor &pp);
template struct WatcherAccess<&Preprocessor::OnToken>;
} // namespace

bool mentionsCilk(const SourceManager &sources, const LangOptions &options) {
  FileID file = sources.getMainFileID();
  std::optional<llvm::MemoryBufferRef> buffer = sources.getBufferOrNone(file);
  if (!buffer)
    return false;
  Lexer lexer(file, *buffer, sources, options);
  for (Token token; !lexer.LexFromRawLexer(token);)
    if (token.is(tok::raw_identifier) &&
        (token.getRawIdentifier().starts_with("cilk") || token.getRawIdentifier().starts_with("_Cilk") ||
         token.getRawIdentifier() == "__WF__"))
      return true;
  return false;
}

Keywords::Keywords(Preprocessor &pp, const FrontendOptions &options) : pp(pp), options(options) {}

bool Keywords::throwsFromTasks() const {
  return options.throwsFromTasks && pp.getLangOpts().CPlusPlus && pp.getLangOpts().CXXExceptions;
}

/// Returns the macros by which a program asks how it is compiled, and their values.
static SmallVector<std::pair<StringRef, StringRef>> predefinedNames(const FrontendOptions &options) {
  SmallVector<std::pair<StringRef, StringRef>> names;
  if (options.serialElision)
    names = {{"__cilk2gpu_elision__", "1"}};
  else // the pragmas doacross and depend order tasks
    names = {{"__cilk2gpu__", "1"}, {"__cilk", "300"}, {"__cilk2gpu_depend__", "1"}};
  if (options.pedigrees)
    names.push_back({kPedigreeMacro, "1"});
  return names;
}

void Keywords::install() {
  for (auto [name, value] : predefinedNames(options))
    define(name, value);
  bool elides = options.serialElision && !options.pedigrees;
  if (elides)
    installElision();
  else
    installKeywords();
  pp.addPPCallbacks(std::make_unique<FileTracker>(*this));
  addPragmas(pp, elides ? nullptr : this);
  if (options.mitDialect)
    installMitDialect();
  defineReducerKeywords(pp);
  // In preprocessed text, Clang expands no macros, so the macros made here are the only ones.
  pp.SetEnableMacroExpansion();
}

void Keywords::installKeywords() {
  IdentifierTable &table = pp.getIdentifierTable();
  auto both = [&](IdentifierInfo *(&pair)[2], StringRef name, tok::TokenKind kind) {
    pair[0] = &table.get(("cilk_" + name).str(), kind);
    pair[1] = &table.get(("_Cilk_" + name).str(), kind);
  };
  both(spawns, "spawn", tok::kw___extension__);
  both(fors, "for", tok::kw_for);
  both(syncs, "sync", tok::identifier);
  both(scopes, "scope", kScopeToken);
  blockSpawn = &table.get(kSpawnedBlockName, kScopeToken);
  reducers[0] = &table.get("cilk_reducer");
  reducers[1] = &table.get("_Hyperobject");
  pp.setTokenWatcher([this, next = takeWatcher(pp)](const Token &token) mutable {
    watch(token);
    if (next)
      next(token);
  });
}

void Keywords::installElision() {
  for (StringRef prefix : {"cilk_", "_Cilk_"}) {
    for (StringRef name : {"spawn", "sync", "scope"})
      define((prefix + name).str(), "");
    pp.getIdentifierTable().get((prefix + "for").str(), tok::kw_for);
  }
}

void Keywords::installMitDialect() {
  IdentifierTable &table = pp.getIdentifierTable();
  bool elide = options.serialElision && !options.pedigrees;
  shortForms.push_back({&table.get("cilk"), makeMacro("")});
  shortForms.push_back({&table.get("cilk_main"), makeMacro("main")}); // the name in early versions of Cilk 5
  shortForms.push_back({&table.get("sync"), makeMacro(elide ? "" : "cilk_sync")});
  shortForms.push_back({&table.get("shared"), makeMacro("")}); // a mark of variables: all are shared
  // SYNCHED asks whether certainly no child is outstanding. The answer 0 is always correct, on every schedule.
  shortForms.push_back({&table.get("SYNCHED"), makeMacro("0")});
  // MIT's sources use these before they include a header.
  pp.setPredefines(pp.getPredefines() + "#define FILE_IDENTITY(name, text) struct name\n"
                                        "#define USE_UNUSED(name) ((void)(name))\n");
  if (elide) {
    shortForms.push_back({&table.get("spawn"), makeMacro("")});
  } else {
    shortSpawn = &table.get("spawn");
    inlet = &table.get("inlet");
    abortName = &table.get("abort");
  }
}

void Keywords::enterFile(bool isSystem) {
  if (inUserFile == !isSystem)
    return;
  inUserFile = !isSystem;
  if (shortSpawn && inUserFile)
    shortSpawn->revertIdentifierToTokenID(tok::kw___extension__);
  else if (shortSpawn)
    shortSpawn->revertTokenIDToIdentifier();
  for (auto [name, meaning] : shortForms) {
    const MacroInfo *current = pp.getMacroInfo(name);
    // If the user has defined a macro of this name, it stays.
    if (inUserFile && !current)
      pp.appendDefMacroDirective(name, meaning);
    else if (!inUserFile && current == meaning)
      pp.appendMacroDirective(name,
                              new (pp.getPreprocessorAllocator()) UndefMacroDirective(meaning->getDefinitionLoc()));
  }
}

// Makes a macro that expands to one token, or to none if `token` is empty.
MacroInfo *Keywords::makeMacro(StringRef token) {
  Token body;
  body.startToken();
  bool isNumber = !token.empty() && isdigit(token.front());
  body.setKind(isNumber ? tok::numeric_constant : tok::raw_identifier);
  pp.CreateString(token.empty() ? " " : token, body); // gives the token a location
  MacroInfo *macro = pp.AllocateMacroInfo(body.getLocation());
  macro->setDefinitionEndLoc(body.getLocation());
  macro->setIsAllowRedefinitionsWithoutWarning(true);
  if (token.empty())
    return macro;
  if (!isNumber)
    pp.LookUpIdentifierInfo(body);
  macro->setTokens({body}, pp.getPreprocessorAllocator());
  return macro;
}

void Keywords::define(StringRef name, StringRef token) {
  pp.appendDefMacroDirective(&pp.getIdentifierTable().get(name), makeMacro(token));
}

bool Keywords::isSyncName(const IdentifierInfo *name) const { return name && (name == syncs[0] || name == syncs[1]); }

// Sees every token that reaches the parser, once or several times, and the raw tokens of skipped text. With
// -fcoverage-mapping, also sees tokens of macro definitions and arguments, which Clang does not count.
void Keywords::watch(const Token &token) {
  unsigned count = pp.getTokenCount();
  if (count == numTokens)
    return;
  numTokens = count;
  if (token.isAnnotation() || token.is(tok::raw_identifier))
    return;
  const IdentifierInfo *name = token.getIdentifierInfo();
  if (options.mitDialect)
    watchMit(token, name);
  watchNext(token, name);
  bool followsExtension = wasExtension;
  wasExtension = name && token.is(tok::kw___extension__) && name->getName() == "__extension__";
  if (!name)
    return;
  if (name == reducers[0] || name == reducers[1])
    report(pp.getDiagnostics(), token.getLocation(), Message::ReducerForm) << name->getName();
  SourceLocation location = token.getLocation();
  bool isSpawn = token.is(tok::kw___extension__) && name->getName() != "__extension__";
  bool isFor = name == fors[0] || name == fors[1];
  bool isScope = name == scopes[0] || name == scopes[1];
  if (isSpawn || isFor || isScope || isSyncName(name))
    found.insert({location, {name, false}});
  if (isSpawn && followsExtension)
    behindExtension.insert(location);
  if (isScope)
    lastScope = location;
  // For the parser, `cilk_spawn { ... }` is a block with an attribute. The watcher gets the parser's own token, which
  // is not constant. The token also gets another name, because the parser keeps tokens of member functions for later,
  // and their names then decide about their kinds.
  if (isSpawn && startsStatement(token)) {
    const_cast<Token &>(token).setIdentifierInfo(blockSpawn);
    const_cast<Token &>(token).setKind(kScopeToken);
  }
}

// Returns true if a block, or another statement that begins with a keyword, follows the spawn. The lexer must not go on
// here, so this looks at the text: behind the macro if the keyword ends the macro's expansion, else behind the keyword.
bool Keywords::startsStatement(const Token &spawn) const {
  const SourceManager &sources = pp.getSourceManager();
  SourceLocation at = spawn.getLocation();
  if (at.isMacroID() && !Lexer::isAtEndOfMacroExpansion(at, sources, pp.getLangOpts(), &at))
    at = sources.getSpellingLoc(at);
  std::optional<Token> next = Lexer::findNextToken(at, sources, pp.getLangOpts());
  if (!next)
    return false;
  if (next->is(tok::l_brace))
    return true;
  return next->is(tok::raw_identifier) &&
         (isForName(next->getRawIdentifier()) ||
          llvm::is_contained({"for", "while", "do", "if", "switch"}, next->getRawIdentifier()));
}

// Checks the token after a cilk_scope or a pragma of a loop, because the parser's own message would not mention the
// keyword.
void Keywords::watchNext(const Token &token, const IdentifierInfo *name) {
  if (lastScope.isValid() && token.getLocation() != lastScope && !token.is(tok::l_brace))
    report(pp.getDiagnostics(), lastScope, Message::ScopeWithoutBlock);
  lastScope = SourceLocation();
  if (pendingPragma.isInvalid())
    return;
  if (token.getLocation() == pragmaEnd) {
    pragmaEnded = true;
  } else if (pragmaEnded) {
    if (name == nullptr || (name != fors[0] && name != fors[1]))
      refusePragma();
    pendingPragma = SourceLocation();
  }
}

bool Keywords::isForName(StringRef name) const {
  return llvm::any_of(fors, [&](const IdentifierInfo *keyword) { return keyword->getName() == name; });
}

void Keywords::refusePragma() {
  report(pp.getDiagnostics(), pendingPragma, withoutLoop);
  markReported(pendingPragma);
}

void Keywords::expectLoop(SourceLocation location, SourceLocation end, Message message) {
  if (pendingPragma.isValid()) // two pragmas in a row
    refusePragma();
  pendingPragma = location;
  pragmaEnd = end;
  pragmaEnded = false;
  withoutLoop = message;
}

void Keywords::addGrain(SourceLocation location, SourceLocation end) {
  grains.insert(location);
  expectLoop(location, end, Message::GrainWithoutLoop);
}

void Keywords::addDoacross(DoacrossPragma pragma, SourceLocation end) {
  SourceLocation at = pragma.at;
  doacrosses[at] = std::move(pragma);
  expectLoop(at, end, Message::DoacrossWithoutLoop);
}

const DoacrossPragma *Keywords::doacross(const SwitchStmt *stmt) const {
  auto it = doacrosses.find(stmt->getSwitchLoc());
  return it == doacrosses.end() ? nullptr : &it->second;
}

SourceLocation Keywords::scopeLocation(const AttributedStmt *stmt) const {
  for (const Attr *attribute : stmt->getAttrs())
    if (isScopeAttribute(attribute) && found.contains(attribute->getLocation()))
      return attribute->getLocation();
  return SourceLocation();
}

SourceLocation Keywords::spawnedLocation(const AttributedStmt *stmt) const {
  for (const Attr *attribute : stmt->getAttrs())
    if (isSpawnAttribute(attribute) && found.contains(attribute->getLocation()))
      return attribute->getLocation();
  return SourceLocation();
}

// Refuses inlets and the statement `abort;` that the expansion of inlets has not seen (Inlets.h).
void Keywords::watchMit(const Token &token, const IdentifierInfo *name) {
  DiagnosticsEngine &diags = pp.getDiagnostics();
  if (lastAbort.isValid() && token.is(tok::semi))
    report(diags, lastAbort, Message::MitAbort);
  lastAbort = SourceLocation();
  if (!name || !inUserFile)
    return;
  if (name == inlet)
    report(diags, token.getLocation(), Message::MitInlet) << 5;
  else if (name == abortName)
    lastAbort = token.getLocation();
}

bool Keywords::isKnownHeader(StringRef name) { return name.starts_with("cilk/"); }

void Keywords::refuseHeader(StringRef name, SourceLocation at) {
  if (isKnownHeader(name))
    report(pp.getDiagnostics(), at, Message::NoHeader) << name;
}

void Keywords::account(SourceLocation location) {
  if (auto *it = found.find(location); it != found.end())
    it->second.accounted = true;
}

void Keywords::endRegion(bool hasErrors) {
  if (hasErrors)
    for (auto &[location, occurrence] : llvm::drop_begin(found, regionBegin))
      occurrence.accounted = true;
  regionBegin = found.size();
}

SmallVector<std::pair<SourceLocation, StringRef>, 0> Keywords::unaccounted() const {
  SmallVector<std::pair<SourceLocation, StringRef>, 0> result;
  for (const auto &[location, occurrence] : found)
    if (!occurrence.accounted)
      result.push_back({location, occurrence.name->getName()});
  return result;
}

} // namespace cilk2gpu
