// Reads the clauses of `#pragma cilk depend`, and turns them into a switch whose condition holds the items. Checks the
// items when Sema has built the condition.
#include "DependPragma.h"
#include "Diagnostics.h"
#include "Keywords.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace cilk2gpu {

namespace {

using Tokens = SmallVector<Token, 16>;

/// Reads one pragma. All functions return false after they have reported an error.
class DependReader {
public:
  DependReader(Preprocessor &pp, SourceLocation at) : pp(pp), at(at) {}

  bool read();
  /// Puts the switch in front of the tokens that follow. If a declaration follows, the switch has an empty statement.
  void enter(bool isEmpty);

  SmallVector<DependItemText, 4> items;
  SourceLocation end;

private:
  bool fail(Message message, int problem = 0) {
    report(pp.getDiagnostics(), token.is(tok::eod) ? at : token.getLocation(), message) << problem;
    return false;
  }
  void lex() {
    pp.Lex(token);
    end = token.is(tok::eod) ? end : token.getLocation();
  }
  bool readClause();
  bool readItems(bool writes);
  bool readItem(Tokens item, bool writes);
  size_t readSubscript(ArrayRef<Token> tokens, size_t begin, DependItemText &item, Tokens &object,
                       SmallVectorImpl<Tokens> &lengths);
  void add(ArrayRef<tok::TokenKind> kinds, SourceLocation where);
  void addObject(ArrayRef<Token> object, SourceLocation where);
  void addLength(ArrayRef<Token> length, SourceLocation where);
  Token make(tok::TokenKind kind, SourceLocation where);
  Token zero(SourceLocation where);

  Preprocessor &pp;
  SourceLocation at;
  Token token;
  Tokens condition;
};

class DependPragma : public PragmaHandler {
public:
  explicit DependPragma(Keywords *keywords) : PragmaHandler("depend"), keywords(keywords) {}
  void HandlePragma(Preprocessor &pp, PragmaIntroducer introducer, Token &name) override;

private:
  Keywords *keywords;
};

} // namespace

Token DependReader::make(tok::TokenKind kind, SourceLocation where) {
  Token result;
  result.startToken();
  result.setKind(kind);
  result.setLocation(where);
  if (const char *keyword = tok::getKeywordSpelling(kind))
    result.setIdentifierInfo(pp.getIdentifierInfo(keyword));
  return result;
}

Token DependReader::zero(SourceLocation where) {
  Token result = make(tok::numeric_constant, where);
  pp.CreateString("0", result, where, where);
  return result;
}

static int depthChange(const Token &token) {
  return int(token.isOneOf(tok::l_paren, tok::l_square, tok::l_brace)) -
         int(token.isOneOf(tok::r_paren, tok::r_square, tok::r_brace));
}

void DependReader::add(ArrayRef<tok::TokenKind> kinds, SourceLocation where) {
  for (tok::TokenKind kind : kinds)
    condition.push_back(make(kind, where));
}

// Appends `(void)(object),`. In C++, this would not let a lambda capture the object. So C++ has a reference instead:
// `__extension__ ({ auto &&__cilk2gpu_item __attribute__((unused)) = (object); }),`.
void DependReader::addObject(ArrayRef<Token> object, SourceLocation where) {
  using namespace tok;
  bool isReference = pp.getLangOpts().CPlusPlus11;
  auto addName = [&](StringRef name) {
    condition.push_back(make(identifier, where));
    condition.back().setIdentifierInfo(pp.getIdentifierInfo(name));
  };
  if (isReference) {
    add({kw___extension__, l_paren, l_brace, kw_auto, ampamp}, where);
    addName("__cilk2gpu_item");
    add({kw___attribute, l_paren, l_paren}, where);
    addName("unused");
    add({r_paren, r_paren, equal, l_paren}, where);
  } else {
    add({l_paren, kw_void, r_paren, l_paren}, where);
  }
  condition.append(object.begin(), object.end());
  add({r_paren}, where);
  if (isReference)
    add({semi, r_brace, r_paren}, where);
  add({comma}, where);
}

// Appends `(void)+(length),`. The plus sign reads the value.
void DependReader::addLength(ArrayRef<Token> length, SourceLocation where) {
  using namespace tok;
  add({l_paren, kw_void, r_paren, plus, l_paren}, where);
  condition.append(length.begin(), length.end());
  add({r_paren, comma}, where);
}

// Reads the subscript whose '[' is at `begin`, and returns the index behind its ']'. `[first:length]` becomes
// `[first]`. A subscript without a ':' behind a section has the length 1.
size_t DependReader::readSubscript(ArrayRef<Token> tokens, size_t begin, DependItemText &item, Tokens &object,
                                   SmallVectorImpl<Tokens> &lengths) {
  size_t colon = 0, i = begin;
  int depth = 0, choices = 0;
  do {
    depth += depthChange(tokens[i]);
    choices += depth == 1 && tokens[i].is(tok::question);
    if (depth == 1 && tokens[i].is(tok::colon) && choices-- == 0)
      colon = colon ? colon : i;
    choices = choices < 0 ? 0 : choices;
  } while (++i != tokens.size() && depth != 0);
  const size_t close = i - 1;
  const size_t firstEnd = colon ? colon : close;
  object.append(tokens.begin() + begin, tokens.begin() + firstEnd);
  if (firstEnd == begin + 1)
    object.push_back(zero(tokens[begin].getLocation()));
  object.push_back(tokens[close]);
  if (!colon && item.hasLength.empty())
    return i; // an element
  Tokens length;
  if (colon)
    length.append(tokens.begin() + colon + 1, tokens.begin() + close);
  item.hasLength.push_back(!colon || !length.empty());
  lengths.push_back(length);
  return i;
}

bool DependReader::readItem(Tokens item, bool writes) {
  if (item.empty())
    return fail(Message::DependSyntax);
  DependItemText text = {item.front().getLocation(), writes, {}};
  Tokens object;
  SmallVector<Tokens, 2> lengths;
  for (size_t i = 0; i != item.size();) {
    if (item[i].is(tok::l_square) && i != 0) {
      i = readSubscript(item, i, text, object, lengths);
    } else if (!text.hasLength.empty()) {
      token = item[i];
      return fail(Message::DependSection, 2);
    } else {
      int depth = 0; // a colon in parentheses is no section
      do {
        depth += depthChange(item[i]);
        object.push_back(item[i++]);
      } while (depth > 0 && i != item.size());
    }
  }
  addObject(object, text.at);
  for (auto [length, hasLength] : llvm::zip(lengths, text.hasLength)) {
    Tokens one = {zero(text.at)};
    if (hasLength)
      addLength(length.empty() ? one : length, text.at);
  }
  items.push_back(text);
  return true;
}

// Reads the items up to the ')' of the clause. A comma in brackets of any kind but '<' belongs to an item.
bool DependReader::readItems(bool writes) {
  Tokens item;
  for (int depth = 0;; lex()) {
    if (token.is(tok::eod))
      return fail(Message::DependSyntax);
    if (depth == 0 && token.isOneOf(tok::comma, tok::r_paren)) {
      if (!readItem(item, writes))
        return false;
      item.clear();
      if (token.is(tok::r_paren))
        return true;
      continue;
    }
    depth += depthChange(token);
    if (depth < 0)
      return fail(Message::DependSyntax);
    item.push_back(token);
  }
}

// Reads a clause from its '(' on.
bool DependReader::readClause() {
  lex();
  if (token.isNot(tok::l_paren))
    return fail(Message::DependSyntax);
  pp.LexUnexpandedToken(token);
  StringRef kind = token.getIdentifierInfo() ? token.getIdentifierInfo()->getName() : "";
  if (kind != "in" && kind != "out" && kind != "inout")
    return fail(Message::DependKind);
  lex();
  if (token.isNot(tok::colon))
    return fail(Message::DependSyntax);
  lex();
  return readItems(kind != "in");
}

bool DependReader::read() {
  do {
    if (!readClause())
      return false;
    lex();
    if (token.is(tok::comma))
      lex();
    if (token.isNot(tok::eod) && !(token.getIdentifierInfo() && token.getIdentifierInfo()->isStr("depend"))) {
      report(pp.getDiagnostics(), token.getLocation(), Message::DependClause) << pp.getSpelling(token);
      return false;
    }
  } while (token.isNot(tok::eod));
  return true;
}

void DependReader::enter(bool isEmpty) {
  Tokens tokens = {make(tok::kw_switch, at), make(tok::l_paren, at)};
  tokens.append(condition);
  tokens.push_back(zero(at));
  for (tok::TokenKind kind : {tok::r_paren, tok::kw_default, tok::colon})
    tokens.push_back(make(kind, at));
  if (isEmpty)
    tokens.push_back(make(tok::semi, at));
  auto stream = std::make_unique<Token[]>(tokens.size());
  llvm::copy(tokens, stream.get());
  pp.EnterTokenStream(std::move(stream), tokens.size(), /*DisableMacroExpansion=*/true, /*IsReinject=*/false);
}

// Returns true if the source file shows that no spawn statement follows the pragma. Otherwise, the rewriting checks the
// statement.
static bool isAlone(Preprocessor &pp, SourceLocation end) {
  const SourceManager &sources = pp.getSourceManager();
  end = sources.getExpansionRange(end).getEnd();
  std::optional<Token> next = Lexer::findNextToken(end, sources, pp.getLangOpts());
  if (!next || next->is(tok::eof))
    return true;
  if (next->isOneOf(tok::l_brace, tok::r_brace, tok::semi))
    return true;
  if (next->isNot(tok::raw_identifier) || pp.isMacroDefined(next->getRawIdentifier()))
    return false;
  constexpr StringRef others[] = {
      "if",      "for", "while", "do",       "return",    "switch",    "goto",       "break",      "continue",   "case",
      "default", "try", "else",  "cilk_for", "_Cilk_for", "cilk_sync", "_Cilk_sync", "cilk_scope", "_Cilk_scope"};
  return llvm::is_contained(others, next->getRawIdentifier());
}

// Returns true if these tokens in front of a '=' declare a variable. In front of the '=' of an assignment stands a
// single identifier, or the last identifier follows another operator than '*', '&' and '>'.
static bool declares(ArrayRef<Token> tokens) {
  return tokens.size() > 1 && tokens.front().isOneOf(tok::raw_identifier, tok::coloncolon) &&
         tokens.back().is(tok::raw_identifier) &&
         tokens[tokens.size() - 2].isOneOf(tok::raw_identifier, tok::star, tok::amp, tok::greater);
}

// Returns true if the source file shows that a declaration with a spawn follows the pragma, as `T x = cilk_spawn f();`.
static bool precedesDeclaration(Preprocessor &pp, SourceLocation end) {
  const SourceManager &sources = pp.getSourceManager();
  end = sources.getExpansionRange(end).getEnd();
  constexpr unsigned kMostTokens = 256;
  constexpr StringRef spawns[] = {"cilk_spawn", "_Cilk_spawn", "spawn"};
  Tokens before;
  bool isDeclaration = false;
  for (unsigned i = 0; i < kMostTokens; ++i) {
    std::optional<Token> next = Lexer::findNextToken(end, sources, pp.getLangOpts());
    if (!next || next->isOneOf(tok::eof, tok::semi) ||
        (!isDeclaration && next->isOneOf(tok::l_brace, tok::r_brace, tok::l_paren, tok::hash)))
      return false;
    end = next->getLocation();
    if (isDeclaration && next->is(tok::raw_identifier) && llvm::is_contained(spawns, next->getRawIdentifier()))
      return true;
    if (!isDeclaration && next->is(tok::equal) && !(isDeclaration = declares(before)))
      return false;
    before.push_back(*next);
  }
  return false;
}

void DependPragma::HandlePragma(Preprocessor &pp, PragmaIntroducer introducer, Token &name) {
  if (!keywords)
    return;
  const SourceLocation at = name.getLocation();
  DependReader reader(pp, at);
  if (!reader.read())
    return;
  if (introducer.Kind == PIK_HashPragma && isAlone(pp, reader.end)) {
    report(pp.getDiagnostics(), at, Message::DependWithoutSpawn) << keywords->spawnSpelling();
    return;
  }
  keywords->addDepend(at, std::move(reader.items));
  reader.enter(introducer.Kind == PIK_HashPragma && precedesDeclaration(pp, reader.end));
}

std::unique_ptr<PragmaHandler> makeDependPragma(Keywords *keywords) { return std::make_unique<DependPragma>(keywords); }

Stmt *dependStatement(const SwitchStmt *pragma) {
  auto *label = dyn_cast_or_null<DefaultStmt>(const_cast<Stmt *>(pragma->getBody()));
  return label ? label->getSubStmt() : nullptr;
}

// Returns the operands of the switch's condition without the last one, which is 0.
static SmallVector<Expr *, 8> operandsOf(const SwitchStmt *pragma) {
  SmallVector<Expr *, 8> operands;
  Expr *rest = const_cast<Expr *>(pragma->getCond())->IgnoreImplicit();
  while (auto *comma = dyn_cast<BinaryOperator>(rest)) {
    operands.push_back(comma->getRHS());
    rest = comma->getLHS();
  }
  operands.push_back(rest);
  std::reverse(operands.begin(), operands.end());
  operands.pop_back();
  return operands;
}

// Returns the object of an operand that DependReader::addObject made, without its conversion to a value in C. Returns
// null if Clang has found an error in it.
static Expr *objectOf(Expr *operand) {
  operand = operand->IgnoreImplicit();
  if (auto *extension = dyn_cast<UnaryOperator>(operand)) {
    auto *block = cast<StmtExpr>(extension->getSubExpr()->IgnoreParenImpCasts())->getSubStmt();
    auto *variable = cast<VarDecl>(cast<DeclStmt>(block->body_front())->getSingleDecl());
    return variable->getInit() ? variable->getInit()->IgnoreParens() : nullptr;
  }
  Expr *object = cast<CStyleCastExpr>(operand)->getSubExpr()->IgnoreParens();
  for (auto *implicit = dyn_cast<ImplicitCastExpr>(object);
       implicit && implicit->isPRValue() &&
       (implicit->getSubExpr()->isGLValue() || implicit->getSubExpr()->getType()->isFunctionType());
       implicit = dyn_cast<ImplicitCastExpr>(object))
    object = implicit->getSubExpr()->IgnoreParens();
  return object;
}

// Returns the length of an operand that DependReader::addLength made.
static Expr *lengthOf(Expr *operand) { return cast<CStyleCastExpr>(operand->IgnoreImplicit())->getSubExpr(); }

static bool isInRegister(const Expr *object) {
  object = object->IgnoreParens();
  if (auto *member = dyn_cast<MemberExpr>(object))
    return !member->isArrow() && isInRegister(member->getBase());
  if (auto *element = dyn_cast<ArraySubscriptExpr>(object)) {
    auto *decay = dyn_cast<ImplicitCastExpr>(element->getBase()->IgnoreParens());
    return decay && decay->getCastKind() == CK_ArrayToPointerDecay && isInRegister(decay->getSubExpr());
  }
  auto *ref = dyn_cast<DeclRefExpr>(object);
  auto *variable = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
  bool isRegister = variable && variable->getStorageClass() == SC_Register;
  return isRegister && (variable->hasAttr<AsmLabelAttr>() || !variable->getASTContext().getLangOpts().CPlusPlus);
}

// Returns the number of the problem in Message::DependItem's %select, or -1.
static int problemOf(const Expr *object) {
  auto *ref = dyn_cast<DeclRefExpr>(object);
  QualType type = object->getType();
  if (type->isFunctionType())
    return 3;
  if (!object->isLValue() || isa<StringLiteral>(object) || (ref && !isa<VarDecl, BindingDecl>(ref->getDecl())))
    return 0;
  if (object->refersToBitField() || object->getObjectKind() != OK_Ordinary)
    return 1;
  if (isInRegister(object))
    return 2;
  if (type.getAddressSpace() != LangAS::Default)
    return 4;
  return type->isIncompleteType() ? 5 : -1;
}

static bool isInteger(const Expr *expr, const ASTContext &context) {
  return expr->getType()->isIntegralOrUnscopedEnumerationType() && context.getTypeSize(expr->getType()) <= 64;
}

// Adds the dimensions, of which the last one has `item.object` as its first element. Returns the number of the problem
// in Message::DependSection's %select, or -1.
static int addDimensions(DependItem &item, ArrayRef<Expr *> lengths, const ASTContext &context) {
  Expr *object = item.object;
  for (size_t i = lengths.size(); i-- != 0;) {
    auto *element = dyn_cast<ArraySubscriptExpr>(object->IgnoreParens());
    if (!element)
      return 0;
    object = element->getBase()->IgnoreParenImpCasts();
    bool isArray = object->getType()->isArrayType();
    if (!isArray && (i != 0 || !object->getType()->isPointerType()))
      return 0;
    bool hasEnd = isArray && !object->getType()->isIncompleteArrayType();
    if (!lengths[i] && !hasEnd)
      return 1;
    if (lengths[i] && !isInteger(lengths[i], context))
      return 3;
    item.dimensions.insert(item.dimensions.begin(), {element, lengths[i]});
  }
  return -1;
}

std::optional<SmallVector<DependItem, 4>> dependItems(const SwitchStmt *pragma, const Keywords &keywords,
                                                      ASTContext &context, bool reports) {
  if (pragma->getCond()->containsErrors())
    return std::nullopt;
  SmallVector<Expr *, 8> operands = operandsOf(pragma);
  SmallVector<DependItem, 4> items;
  bool isGood = true;
  auto next = operands.begin();
  for (const DependItemText &text : keywords.dependItems(pragma)) {
    DependItem item = {text.at, text.writes, objectOf(*next++), {}};
    if (!item.object)
      return std::nullopt;
    SmallVector<Expr *, 2> lengths;
    for (bool hasLength : text.hasLength)
      lengths.push_back(hasLength ? lengthOf(*next++) : nullptr);
    int section = addDimensions(item, lengths, context), problem = section < 0 ? problemOf(item.object) : -1;
    if (reports && section >= 0)
      report(context.getDiagnostics(), text.at, Message::DependSection) << section;
    if (reports && problem >= 0)
      report(context.getDiagnostics(), text.at, Message::DependItem) << problem << item.object->getType();
    isGood &= section < 0 && problem < 0;
    items.push_back(std::move(item));
  }
  if (!isGood)
    return std::nullopt;
  return items;
}

} // namespace cilk2gpu
