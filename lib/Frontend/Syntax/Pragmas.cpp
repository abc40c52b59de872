// Adds the handlers of pragmas. A handler for all other names expands macros, and warns of unknown pragmas.
#include "Pragmas.h"
#include "DependPragma.h"
#include "Diagnostics.h"
#include "DoacrossPragma.h"
#include "GrainPragma.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace cilk2gpu {

/// Make the handlers of the pragmas that may stand behind `cilk`.
static constexpr std::unique_ptr<PragmaHandler> (*kMakers[])(Keywords *) = {makeGrainPragma, makeDoacrossPragma,
                                                                            makeDependPragma};

namespace {
/// The empty name makes this the handler of all names that have none.
class OtherPragma : public PragmaHandler {
public:
  explicit OtherPragma(Keywords *keywords) : PragmaHandler(""), keywords(keywords) {
    for (auto make : kMakers)
      named.push_back(make(keywords));
  }
  void HandlePragma(Preprocessor &pp, PragmaIntroducer introducer, Token &name) override;

private:
  Keywords *keywords;
  SmallVector<std::unique_ptr<PragmaHandler>, 3> named;
};
} // namespace

void OtherPragma::HandlePragma(Preprocessor &pp, PragmaIntroducer introducer, Token &name) {
  if (!keywords)
    return;
  SourceLocation at = name.getLocation();
  std::string text = name.is(tok::eod) ? "" : pp.getSpelling(name);
  if (name.getIdentifierInfo() && pp.isMacroDefined(name.getIdentifierInfo())) {
    pp.EnterTokenStream(name, /*DisableMacroExpansion=*/false, /*IsReinject=*/false);
    pp.Lex(name);
    for (const std::unique_ptr<PragmaHandler> &handler : named)
      if (name.getIdentifierInfo() && name.getIdentifierInfo()->isStr(handler->getName()))
        return handler->HandlePragma(pp, introducer, name);
  }
  report(pp.getDiagnostics(), at, Message::UnknownPragma) << unsigned(!text.empty()) << text;
}

void addPragmas(Preprocessor &pp, Keywords *keywords) {
  for (auto make : kMakers)
    pp.AddPragmaHandler("cilk", make(keywords).release());
  pp.AddPragmaHandler("cilk", new OtherPragma(keywords));
  pp.AddPragmaHandler(makeGrainPragma(keywords).release());
}

} // namespace cilk2gpu
