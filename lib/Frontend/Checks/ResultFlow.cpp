// Decides, on Clang's control-flow graph, which uses of spawned results come before a sync. The state at a point
// consists of three sets of sites:
// - current: the site's spawn may be outstanding, and the variables in its indices have not changed since the spawn;
// - stale: the site's spawn may be outstanding, and a variable in its indices may have changed;
// - must: a spawn to exactly the site's object is outstanding on every path.
#include "Frontend/Syntax/Diagnostics.h"
#include "ResultSites.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Analysis/Analyses/PostOrderCFGView.h"
#include "clang/Analysis/CFG.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SetVector.h"

using namespace clang;
using llvm::BitVector;

namespace cilk2gpu {

namespace {

struct FlowState {
  BitVector current, stale, must;
  bool isReached = false;

  explicit FlowState(unsigned count) : current(count), stale(count), must(count) {}

  void kill(unsigned site) {
    current.reset(site);
    stale.reset(site);
    must.reset(site);
  }
  /// Adds the state of another path. Returns true if anything changed.
  bool join(const FlowState &other) {
    FlowState old = *this;
    current |= other.current;
    stale |= other.stale;
    if (isReached)
      must &= other.must;
    else
      must = other.must;
    isReached = true;
    return !old.isReached || old.current != current || old.stale != stale || old.must != must;
  }
};

class ResultFlow {
public:
  ResultFlow(const ResultSites &results, const CFG &cfg, const Stmt *body, ASTContext &context)
      : results(results), cfg(cfg), body(body), context(context) {}

  std::vector<Finding> run();

private:
  unsigned count() const { return results.sites.size(); }
  FlowState transfer(const CFGBlock *block, FlowState state, std::vector<Finding> *findings);
  void visitStmt(const Stmt *stmt, FlowState &state, std::vector<Finding> *findings);
  void endLifetime(const CFGLifetimeEnds &end, FlowState &state, std::vector<Finding> *findings);
  void leaveRegions(const WaitingRegion *now, FlowState &state);
  void waitFor(const WaitingRegion *region, FlowState &state);
  void killAll(FlowState &state);
  void killVariable(const VarDecl *variable, FlowState &state);
  void spawn(unsigned site, FlowState &state, std::vector<Finding> *findings);
  void changeVariable(const VarDecl *variable, FlowState &state);
  void check(const ResultUse &use, const FlowState &state, std::vector<Finding> &findings);
  bool mayConflict(const ResultUse &use, unsigned site, const FlowState &state);
  bool reachesSpawn(const void *from, unsigned site);
  bool isRepeated(unsigned site);

  const ResultSites &results;
  const CFG &cfg;
  const Stmt *body;
  ASTContext &context;
  std::vector<FlowState> entries;
};

} // namespace

static bool isInside(const WaitingRegion *inner, const WaitingRegion *outer) {
  for (; inner; inner = inner->parent)
    if (inner == outer)
      return true;
  return outer == nullptr;
}

void ResultFlow::killAll(FlowState &state) {
  state.current.reset();
  state.stale.reset();
  state.must.reset();
}

void ResultFlow::killVariable(const VarDecl *variable, FlowState &state) {
  for (unsigned site = 0; site != count(); ++site)
    if (results.sites[site].object.variable == variable)
      state.kill(site);
}

// Applies the waits at the ends of regions, before a statement in region `now`. Spawns in regions that do not contain
// the statement are done.
void ResultFlow::leaveRegions(const WaitingRegion *now, FlowState &state) {
  if (results.regions.empty())
    return;
  for (unsigned site = 0; site != count(); ++site)
    if (!isInside(now, results.sites[site].region))
      state.kill(site);
}

void ResultFlow::waitFor(const WaitingRegion *region, FlowState &state) {
  for (unsigned site = 0; site != count(); ++site)
    if (isInside(results.sites[site].region, region))
      state.kill(site);
}

void ResultFlow::changeVariable(const VarDecl *variable, FlowState &state) {
  for (unsigned site = 0; site != count(); ++site) {
    if (!results.sites[site].indexVariables.contains(variable))
      continue;
    if (state.current.test(site))
      state.stale.set(site);
    state.current.reset(site);
    state.must.reset(site);
  }
}

void ResultFlow::spawn(unsigned site, FlowState &state, std::vector<Finding> *findings) {
  const ResultSite &spawned = results.sites[site];
  if (findings && !spawned.isArgument && !spawned.isItem)
    check({ResultUse::Spawn, spawned.object, spawned.at, nullptr, spawned.update, /*isByMember=*/false,
           spawned.isOrdered},
          state, *findings);
  if (!spawned.isArgument)
    changeVariable(spawned.object.variable, state);
  state.current.set(site);
  // Equal sites stand for one object. Where paths join, a spawn of at least one of these sites is outstanding.
  for (unsigned other = 0; other != count(); ++other)
    if (spawned.isArgument == results.sites[other].isArgument &&
        compare(spawned.object, results.sites[other].object, /*isCurrent=*/true, context) == Overlap::Same &&
        spawned.object.steps.size() == results.sites[other].object.steps.size())
      state.must.set(other);
}

static const void *completionKey(const Stmt *stmt) {
  auto *declaration = dyn_cast<DeclStmt>(stmt);
  return declaration && declaration->isSingleDecl() ? static_cast<const void *>(declaration->getSingleDecl()) : stmt;
}

// Returns true if a path without a sync leads from `from` to the site's spawn.
bool ResultFlow::reachesSpawn(const void *from, unsigned site) {
  llvm::SmallPtrSet<const CFGBlock *, 16> seen;
  llvm::SmallVector<const CFGBlock *, 16> work;
  auto scan = [&](const CFGBlock *block, bool isActive) {
    for (const CFGElement &element : *block) {
      auto stmt = element.getAs<CFGStmt>();
      if (!stmt)
        continue;
      const void *key = completionKey(stmt->getStmt());
      if (isActive && results.syncs.contains(stmt->getStmt()))
        return false;
      if (auto it = results.completions.find(key);
          isActive && it != results.completions.end() && llvm::is_contained(it->second, site))
        return true;
      isActive |= key == from;
    }
    if (isActive)
      for (const CFGBlock *next : block->succs())
        if (next && seen.insert(next).second)
          work.push_back(next);
    return false;
  };
  for (const CFGBlock *block : cfg)
    if (scan(block, /*isActive=*/false))
      return true;
  while (!work.empty())
    if (scan(work.pop_back_val(), /*isActive=*/true))
      return true;
  return false;
}

// Returns true if several spawns of the site may be outstanding at once.
bool ResultFlow::isRepeated(unsigned site) {
  for (const auto &[completion, completed] : results.completions)
    if (llvm::is_contained(completed, site))
      return reachesSpawn(completion, site);
  return false;
}

// Returns true if a use may conflict with the site's spawn. If indices cannot be compared, it guesses. These uses are
// usually correct, so they count as no conflict:
// - a loop uses one element while it spawns to others;
// - a write;
// - any use, if the spawn is to one element only.
// A read after the loop that spawned is usually too early, so it counts as a conflict.
bool ResultFlow::mayConflict(const ResultUse &use, unsigned site, const FlowState &state) {
  const ResultSite &spawned = results.sites[site];
  bool isCurrent = state.current.test(site);
  Overlap overlap = compare(use.object, spawned.object, isCurrent, context);
  if (overlap != Overlap::Unknown)
    return overlap == Overlap::Same;
  if (use.kind != ResultUse::Read || !spawned.object.hasVariableIndex())
    return false;
  VariableSet variables = use.object.indexVariables();
  bool sharesIndex =
      llvm::any_of(spawned.indexVariables, [&](const VarDecl *variable) { return variables.contains(variable); });
  return !(isCurrent && sharesIndex) && isRepeated(site) && !reachesSpawn(use.stmt, site);
}

void ResultFlow::check(const ResultUse &use, const FlowState &state, std::vector<Finding> &findings) {
  Finding finding;
  finding.use = new (context) ResultUse(use);
  for (unsigned site = 0; site != count(); ++site) {
    if (results.sites[site].isArgument || (!state.current.test(site) && !state.stale.test(site)))
      continue;
    if (use.update && use.update == results.sites[site].update)
      continue;
    if (use.isOrdered && results.sites[site].isOrdered)
      continue;
    if (results.sites[site].isItem && use.kind != ResultUse::Read)
      continue;
    if (!mayConflict(use, site, state))
      continue;
    finding.sites.push_back(site);
    finding.isCertain |= !use.isByMember && state.must.test(site) &&
                         compare(use.object, results.sites[site].object,
                                 /*isCurrent=*/true, context) == Overlap::Same;
  }
  if (!finding.sites.empty())
    findings.push_back(std::move(finding));
}

void ResultFlow::visitStmt(const Stmt *stmt, FlowState &state, std::vector<Finding> *findings) {
  leaveRegions(results.regions.lookup(stmt), state);
  if (isa<ReturnStmt>(stmt) || results.syncs.contains(stmt))
    return killAll(state);
  const void *completion = completionKey(stmt);
  if (auto *declaration = dyn_cast<DeclStmt>(stmt); declaration && declaration->isSingleDecl()) {
    auto *variable = dyn_cast<VarDecl>(declaration->getSingleDecl());
    if (variable && variable->hasLocalStorage()) {
      killVariable(variable, state); // the name now denotes another object
      changeVariable(variable, state);
    }
  }
  if (auto use = results.uses.find(stmt); use != results.uses.end()) {
    if (findings)
      check(use->second, state, *findings);
    if (use->second.kind == ResultUse::Write)
      changeVariable(use->second.object.variable, state);
  }
  if (auto completed = results.completions.find(completion); completed != results.completions.end())
    for (unsigned site : completed->second)
      spawn(site, state, findings);
}

void ResultFlow::endLifetime(const CFGLifetimeEnds &end, FlowState &state, std::vector<Finding> *findings) {
  const Stmt *trigger = end.getTriggerStmt();
  // Before a function's variables end, the function syncs. The end of a region and jumps out of a region also wait.
  if (trigger == body || isa_and_nonnull<ReturnStmt>(trigger))
    return killAll(state);
  if (auto it = results.leaving.find(trigger); it != results.leaving.end())
    for (const WaitingRegion *region : it->second)
      waitFor(region, state);
  if (const WaitingRegion *region = results.regions.lookup(trigger); region && region->block == trigger)
    waitFor(region, state);
  if (trigger) // a cilk_for's variable lives longer than its iterations' children
    leaveRegions(results.regions.lookup(trigger), state);
  Finding finding{nullptr, end.getVarDecl(), trigger, false, {}}, pointed = finding;
  for (unsigned site = 0; site != count(); ++site) {
    if (results.sites[site].object.variable != end.getVarDecl() ||
        !(state.current.test(site) || state.stale.test(site)))
      continue;
    if (results.sites[site].isItem) // its address is a number only
      continue;
    // A child that has the address may not use the object. So a use is reported only if the child is outstanding on
    // every path.
    if (results.sites[site].isArgument && !state.must.test(site))
      continue;
    Finding &found = results.sites[site].isArgument ? pointed : finding;
    found.sites.push_back(site);
    found.isCertain |= state.must.test(site);
  }
  killVariable(end.getVarDecl(), state);
  if (findings && !finding.sites.empty())
    findings->push_back(std::move(finding));
  else if (findings && !pointed.sites.empty())
    findings->push_back(std::move(pointed));
}

FlowState ResultFlow::transfer(const CFGBlock *block, FlowState state, std::vector<Finding> *findings) {
  if (const Stmt *label = block->getLabel())
    leaveRegions(results.regions.lookup(label), state);
  for (const CFGElement &element : *block) {
    if (auto stmt = element.getAs<CFGStmt>())
      visitStmt(stmt->getStmt(), state, findings);
    else if (auto end = element.getAs<CFGLifetimeEnds>())
      endLifetime(*end, state, findings);
  }
  if (const Stmt *terminator = block->getTerminatorStmt())
    leaveRegions(results.regions.lookup(terminator), state);
  if (const Stmt *loop = block->getLoopTarget())
    leaveRegions(results.regions.lookup(loop), state);
  return state;
}

std::vector<Finding> ResultFlow::run() {
  entries.assign(cfg.getNumBlockIDs(), FlowState(count()));
  entries[cfg.getEntry().getBlockID()].isReached = true;
  PostOrderCFGView order(&cfg); // entry first
  for (bool hasChanged = true; hasChanged;) {
    hasChanged = false;
    for (const CFGBlock *block : order) {
      if (!entries[block->getBlockID()].isReached)
        continue;
      FlowState state = transfer(block, entries[block->getBlockID()], nullptr);
      for (const CFGBlock *next : block->succs())
        hasChanged |= next && entries[next->getBlockID()].join(state);
    }
  }
  std::vector<Finding> findings;
  for (const CFGBlock *block : order)
    if (entries[block->getBlockID()].isReached)
      transfer(block, entries[block->getBlockID()], &findings);
  return findings;
}

// Returns the structured binding that names the object, or null.
static const BindingDecl *bindingOf(const NamedObject &object) {
  auto *decomposition = dyn_cast<DecompositionDecl>(object.variable);
  if (!decomposition || object.steps.empty())
    return nullptr;
  for (const BindingDecl *binding : decomposition->flat_bindings())
    if (auto *member = dyn_cast_or_null<MemberExpr>(binding->getBinding());
        member && member->getMemberDecl() == object.steps.front().field)
      return binding;
  return nullptr;
}

static std::string spell(const NamedObject &object) {
  const BindingDecl *binding = bindingOf(object);
  std::string text;
  llvm::raw_string_ostream stream(text);
  (binding ? static_cast<const NamedDecl *>(binding) : object.variable)->printName(stream);
  for (const NamedObject::Step &step : llvm::drop_begin(object.steps, binding ? 1 : 0)) {
    if (!step.field)
      text += step.constant ? "[" + std::to_string(*step.constant) + "]" : "[...]";
    else if (!step.field->getName().empty())
      text += "." + step.field->getNameAsString();
  }
  return text;
}

namespace {
class Reporter {
public:
  Reporter(const ResultSites &results, ASTContext &context, Keywords &keywords)
      : results(results), diags(context.getDiagnostics()), sources(context.getSourceManager()), keywords(keywords),
        isReported(results.sites.size()) {}

  void reportAll(std::vector<Finding> &findings);

private:
  SourceLocation locate(const Finding &finding) const;
  void report(const Finding &finding);
  void reportUse(const Finding &finding);
  void reportScope(const Finding &finding);

  const ResultSites &results;
  DiagnosticsEngine &diags;
  const SourceManager &sources;
  Keywords &keywords;
  BitVector isReported; ///< sites that have a report: only the first use of a result is reported
};
} // namespace

SourceLocation Reporter::locate(const Finding &finding) const {
  return finding.use ? finding.use->at : results.sites[finding.sites.front()].at;
}

void Reporter::reportUse(const Finding &finding) {
  if (llvm::all_of(finding.sites, [&](unsigned site) { return results.sites[site].isItem; }))
    cilk2gpu::report(diags, finding.use->at, Message::DependRead)
        << spell(finding.use->object) << unsigned(!finding.isCertain) << keywords.syncSpelling();
  else
    cilk2gpu::report(diags, finding.use->at, finding.isCertain ? Message::ResultUsed : Message::ResultMaybeUsed)
        << spell(finding.use->object) << unsigned(finding.use->kind) << keywords.syncSpelling();
  llvm::SmallSetVector<SourceLocation, 2> places; // an ordered spawn may have several sites
  for (unsigned site : finding.sites)
    places.insert(results.sites[site].at);
  for (SourceLocation at : places)
    cilk2gpu::report(diags, at, Message::SpawnNote);
}

void Reporter::reportScope(const Finding &finding) {
  bool isBlock = isa_and_nonnull<CompoundStmt>(finding.trigger);
  bool isArgument = results.sites[finding.sites.front()].isArgument;
  cilk2gpu::report(diags, locate(finding),
                   isArgument          ? Message::ArgumentEnds
                   : finding.isCertain ? Message::ResultEnds
                                       : Message::ResultMayEnd)
      << finding.variable << keywords.syncSpelling();
  if (!finding.trigger)
    return;
  bool isWhole = isBlock || isa<IfStmt, SwitchStmt, WhileStmt, ForStmt, CXXForRangeStmt>(finding.trigger);
  SourceLocation at = isWhole ? finding.trigger->getEndLoc() : finding.trigger->getBeginLoc(); // the latter: a jump
  DiagnosticBuilder note = cilk2gpu::report(diags, at, Message::ScopeEndNote);
  note << finding.variable;
  if (isBlock && !at.isMacroID())
    note << FixItHint::CreateInsertion(at, keywords.syncSpelling().str() + "; ");
}

void Reporter::report(const Finding &finding) {
  if (llvm::all_of(finding.sites, [&](unsigned site) { return isReported.test(site); }))
    return;
  for (unsigned site : finding.sites)
    isReported.set(site);
  if (!keywords.markReported(locate(finding)))
    return; // in another instantiation
  if (finding.use)
    reportUse(finding);
  else
    reportScope(finding);
}

void Reporter::reportAll(std::vector<Finding> &findings) {
  // Sorts certain findings first, then uses before ends of scopes, because only the first finding of a site is
  // reported.
  llvm::sort(findings, [&](const Finding &a, const Finding &b) {
    if (a.isCertain != b.isCertain)
      return a.isCertain;
    if (!a.use != !b.use)
      return a.use != nullptr;
    return sources.isBeforeInTranslationUnit(locate(a), locate(b));
  });
  for (const Finding &finding : findings)
    report(finding);
}

ResultCheck::ResultCheck(Stmt *body, const Decl *function, ASTContext &context, const Keywords &keywords,
                         const VarDecl *syncVariable)
    : results(context, keywords, syncVariable), context(context) {
  if (!results.collect(body))
    return;
  CFG::BuildOptions options;
  options.setAllAlwaysAdd();
  options.AddLifetime = true;
  options.AddEHEdges = results.hasHandlers; // without these edges, nothing leads to the handlers
  if (std::unique_ptr<CFG> cfg = CFG::buildCFG(function, body, &context, options))
    findings = ResultFlow(results, *cfg, body, context).run();
}

ResultCheck::~ResultCheck() = default;

void ResultCheck::report(Keywords &keywords) { Reporter(results, context, keywords).reportAll(findings); }

} // namespace cilk2gpu
