// Signatures and globals of a program, and the translation unit with its main.
#include "Program.h"
#include "Adders.h"
#include "Function.h"
#include "Races.h"
#include "Reducers.h"

namespace cilksmith {

namespace {
FeatureSet choose(Random &random, const FeatureSet &enabled, Language language) {
  // Each program leaves some features out, so that the other features meet more often.
  FeatureSet chosen = enabled;
  size_t last = language == Language::C ? kFirstCpp : chosen.size();
  for (size_t i = 0; i < chosen.size(); ++i)
    if (i >= last || random.chance(20))
      chosen[i] = false;
  auto has = [&](Feature feature) { return chosen[static_cast<size_t>(feature)]; };
  if (has(Feature::ThrowingTasks) && random.chance(50))
    chosen[static_cast<size_t>(Feature::ThrowingTasks)] = false;
  // Without these features, no exception passes a block of the heap that is to be freed, or a spawn for which the
  // parent has made objects.
  if (has(Feature::ThrowingTasks))
    for (Feature excluded : {Feature::Heap, Feature::Classes, Feature::Lambdas, Feature::MainSpawns})
      chosen[static_cast<size_t>(excluded)] = false;
  return chosen;
}
} // namespace

Program::Program(uint64_t seed, const Options &options)
    : seed(seed), language(options.language), prefix("p" + std::to_string(seed) + "_"), random(seed),
      size(options.size), features(choose(random, options.features, language)), races(options.races),
      types(random, features, language, prefix, random.below(6)) {
  fromMain = has(Feature::MainSpawns, 40);
  numHelpers = random.between(1, size.helpers);
  for (unsigned i = 0; i < numHelpers; ++i)
    functions.push_back(makeSignature(Kind::Helper, i));
  for (unsigned i = 0, count = has(Feature::Bridges) ? random.below(3) : 0; i < count; ++i)
    functions.push_back(makeSignature(Kind::Bridge, i));
  for (unsigned i = 0, count = random.between(1, size.cilkFunctions); i < count; ++i)
    functions.push_back(makeSignature(Kind::Cilk, i));
}

Parameter Program::makeParameter(unsigned number) {
  Parameter parameter{Parameter::Role::Value, "x" + std::to_string(number), types.randomType()};
  if (has(Feature::Reducers, 12)) {
    parameter.role = Parameter::Role::Reducer;
    parameter.reducer = randomReducerKind(random, mostReducers(*this));
    parameter.isReference = has(Feature::References, 60);
  } else if (has(Feature::Pointers, 35)) {
    parameter.role = Parameter::Role::Pointer;
    parameter.count = random.chance(40) ? 1 : random.between(2, 6);
    parameter.readOnly = random.chance(45);
    parameter.restricted = has(Feature::Restrict, 10) && !parameter.readOnly;
    parameter.isReference = parameter.count == 1 && has(Feature::References, 60);
  }
  return parameter;
}

Signature Program::makeSignature(Kind kind, unsigned number) {
  static const char *const stems[] = {"f", "bridge", "helper"};
  Signature signature;
  signature.name = prefix + stems[static_cast<int>(kind)] + std::to_string(number);
  signature.kind = kind;
  if (random.chance(80))
    signature.result = types.randomType();
  for (unsigned i = 0, count = random.below(random.chance(10) ? 12 : 5); i < count; ++i)
    signature.parameters.push_back(makeParameter(i));
  if (kind != Kind::Helper) {
    long at = random.below(static_cast<unsigned>(signature.parameters.size()) + 1);
    Parameter fuel{Parameter::Role::Fuel, "fuel", Type{-1, Scalar::UInt}};
    signature.parameters.insert(signature.parameters.begin() + at, fuel);
  }
  signature.isStatic = random.chance(70);
  signature.noInline = kind != Kind::Cilk && random.chance(25);
  if (language == Language::Cpp)
    makeCpp(signature);
  return signature;
}

void Program::makeCpp(Signature &signature) {
  constexpr Signature::Member members[] = {Signature::Member::Static, Signature::Member::Const,
                                           Signature::Member::Virtual};
  if (has(Feature::Members, 35))
    signature.member = members[random.below(3)];
  else
    signature.isTemplate = has(Feature::Templates, 25);
}

std::string Program::callName(const Signature &signature) const {
  switch (signature.member) {
  case Signature::Member::Static:
    return prefix + "Host::" + signature.name;
  case Signature::Member::Const:
    return prefix + "host." + signature.name;
  case Signature::Member::Virtual:
    return prefix + "host_pointer->" + signature.name;
  case Signature::Member::No:
    break;
  }
  return signature.name + (signature.isTemplate ? "<3>" : "");
}

std::string Program::parameterList(const Signature &signature, bool numbered) const {
  std::string text;
  for (size_t i = 0; i < signature.parameters.size(); ++i) {
    const Parameter &parameter = signature.parameters[i];
    bool isReducer = parameter.role == Parameter::Role::Reducer;
    text += (i ? ", " : "") + (isReducer ? reducerKinds()[parameter.reducer].type : types.spell(parameter.type)) + " ";
    const char *restricted = language == Language::C ? "restrict " : "__restrict ";
    if (isReducer)
      text += parameter.isReference ? "&" : "*";
    else if (parameter.role == Parameter::Role::Pointer)
      text += std::string(parameter.readOnly ? "const " : "") + (parameter.isReference ? "&" : "*") +
              (parameter.restricted ? restricted : "");
    text += numbered ? "a" + std::to_string(i) : parameter.name;
  }
  return text;
}

std::string Program::declaration(const Signature &signature, Form form) const {
  bool isMember = signature.member != Signature::Member::No && form != Form::Pointer, inClass = form == Form::Member;
  std::string text = signature.isTemplate && form != Form::Pointer ? "template <unsigned tag> " : "";
  if (!isMember && (signature.isStatic || form == Form::Pointer))
    text += "UNUSED static ";
  if (inClass && signature.member == Signature::Member::Static)
    text += "static ";
  if (inClass && signature.member == Signature::Member::Virtual)
    text += "virtual ";
  if (signature.noInline && form != Form::Pointer)
    text += "__attribute__((noinline)) ";
  text += resultType(signature) + " ";
  if (form == Form::Pointer)
    text += "(*volatile " + pointerName(signature) + ")";
  else
    text += (isMember && !inClass ? prefix + "Host::" : "") + signature.name;
  std::string parameters = parameterList(signature, /*numbered=*/false);
  text += "(" + (parameters.empty() ? "void" : parameters) + ")";
  return text + (isMember && signature.member != Signature::Member::Static ? " const" : "");
}

/// Returns the class that has some of the program's functions as members, and its only object.
std::string Program::hostClass() const {
  std::string text = "namespace {\nstruct " + prefix + "Host {\n  explicit " + prefix +
                     "Host(u64 base) : base(base) {}\n  virtual ~" + prefix + "Host() = default;\n  u64 base;\n";
  for (const Signature &signature : functions)
    if (signature.member != Signature::Member::No)
      text += "  " + declaration(signature, Form::Member) + ";\n";
  return text + "};\nUNUSED const " + prefix + "Host " + prefix + "host(" + std::to_string(seed) + ");\nUNUSED const " +
         prefix + "Host *volatile " + prefix + "host_pointer = &" + prefix + "host;\n} // namespace\n";
}

/// Returns a function around the call, with one of these: nothing else, a local that is used after the call, an object,
/// another function, a lambda.
std::string Program::forwarder(const Signature &signature) {
  std::string type = resultType(signature), arguments, parameters = parameterList(signature, /*numbered=*/true);
  std::string fuel = "0u";
  for (size_t i = 0; i < signature.parameters.size(); ++i) {
    arguments += (i ? ", a" : "a") + std::to_string(i);
    if (signature.parameters[i].role == Parameter::Role::Fuel)
      fuel = "a" + std::to_string(i);
  }
  parameters = "(" + (parameters.empty() ? "void" : parameters) + ")";
  std::string name = forwarderName(signature), call = callName(signature) + "(" + arguments + ")";
  std::string head = "UNUSED static " + std::string(random.chance(25) ? "__attribute__((noinline)) " : "") + type + " ";
  std::string keep = signature.result ? type + " made = " : "", done = signature.result ? " return made; }\n" : " }\n";
  unsigned form = random.below(language == Language::Cpp ? 5 : 3);
  if (form == 0)
    return head + name + parameters + " { " + (signature.result ? "return " : "") + call + "; }\n";
  if (form == 1)
    return head + name + parameters + " { u64 kept[2] = {" + fuel + ", 1}; u64 *at = kept; " + keep + call +
           "; if (at[0] != " + fuel + ") abort();" + done;
  if (form == 2)
    return head + name + "_inner" + parameters + " { " + (signature.result ? "return " : "") + call + "; }\n" + head +
           name + parameters + " { " + keep + name + "_inner(" + arguments + ");" + done;
  if (form == 3)
    return head + name + parameters + " { SmithOwn kept; kept.ref() = " + fuel + "; " + keep + call +
           "; if (kept.ref() != " + fuel + ") abort();" + done;
  return head + name + parameters + " { auto called = [&]() -> " + type + " { return " + call +
         "; }; return called(); }\n";
}

std::string Program::globals() {
  std::string text = "UNUSED static const u32 " + prefix + "table[" + std::to_string(kTableSize) + "] = {";
  for (unsigned i = 0; i < kTableSize; ++i)
    text += (i ? ", " : "") + std::to_string(static_cast<uint32_t>(random.next() >> random.between(32, 56))) + "u";
  text += "};\n";
  if (has(Feature::Globals))
    text += "UNUSED static u64 " + prefix + "config[" + std::to_string(kConfigSize) + "];\nUNUSED static short " +
            prefix + "global0;\nUNUSED static unsigned long " + prefix + "global1[4];\n";
  if (has(Feature::Reducers))
    text += globalReducers();
  if (has(Feature::ThrowingTasks))
    text += "UNUSED static u64 " + prefix + "log;\n";
  if (has(Feature::Atomics))
    text += "UNUSED static u64 " + prefix + "counter[" + std::to_string(kCounters) + "];\n";
  return text;
}

/// Returns definitions of one to four global reducers: variables, arrays, and members of a struct.
std::string Program::globalReducers() {
  std::string text;
  for (unsigned i = 0, count = random.between(1, 3); i < count; ++i) {
    unsigned kind = randomReducerKind(random, mostReducers(*this)),
             elements = random.chance(25) ? random.between(2, 5) : 1;
    std::string name = prefix + "reducer" + std::to_string(i);
    text += "UNUSED static " + reducerDefinition(kind, name, elements) + "\n";
    reducers.push_back({name, kind, elements});
  }
  if (random.chance(30)) {
    text += "UNUSED static struct smith_stats " + prefix + "stats;\n";
    reducers.push_back({prefix + "stats.weight", reducerNamed("smith_sum"), 1});
    reducers.push_back({prefix + "stats.parts", reducerNamed("smith_chain"), 3});
  }
  const Adders adders = makeAdders(seed, prefix, mostReducers(*this));
  reducers.push_back({adders.reducer, adders.kind, 1});
  adderCall = adders.call;
  return text + adders.text;
}

/// Returns the values of the global reducers as the end of a C expression.
std::string Program::reducerValues() const {
  std::string text;
  for (const GlobalReducer &reducer : reducers)
    for (unsigned i = 0; i < reducer.count; ++i)
      text += " * 3 + " +
              reducerValue(reducer.kind, reducer.name + (reducer.count > 1 ? "[" + std::to_string(i) + "]" : ""));
  return text;
}

std::string Program::counters() const {
  std::string more = (has(Feature::ThrowingTasks) ? " + " + prefix + "log * 9" : "") + reducerValues();
  if (!has(Feature::Atomics))
    return "0" + more;
  return prefix + "counter[0] * 3 + " + prefix + "counter[1] * 5 + " + prefix + "counter[2] * 7" + more;
}

std::string Program::text() {
  std::string text = "// ---- program " + std::to_string(seed) + ":";
  for (size_t i = 0; i < features.size(); ++i)
    if (features[i])
      text += " " + std::string(featureName(static_cast<Feature>(i)));
  text += "\n" + globals() + types.definitions();
  if (has(Feature::Members))
    text += hostClass();
  for (const Signature &signature : functions)
    if (signature.member == Signature::Member::No)
      text += declaration(signature, Form::Declaration) + ";\n";
  for (const Signature &signature : functions)
    if (has(Feature::IndirectCalls) && hasPointer(signature))
      text += declaration(signature, Form::Pointer) + " = " + callName(signature) + ";\n";
  for (const Signature &signature : functions)
    if (has(Feature::Forwarders) && signature.kind == Kind::Cilk)
      text += forwarder(signature);
  for (const Signature &signature : functions)
    text += "\n" + declaration(signature, Form::Definition) + " " + functionBody(*this, signature, /*isRoot=*/false);
  if (races)
    text += "\n" + raceFunctions(*this);
  Signature root;
  root.name = rootName();
  root.kind = Kind::Cilk;
  root.result = Type{-1, Scalar::ULong};
  return text + "\n" + declaration(root, Form::Definition) + " " + functionBody(*this, root, /*isRoot=*/true);
}

std::string translationUnit(uint64_t first, unsigned programs, const Options &options) {
  const FeatureSet &enabled = options.features;
  bool isCpp = options.language == Language::Cpp;
  std::string text =
      "// Generated by cilksmith: seeds " + std::to_string(first) + " to " + std::to_string(first + programs - 1) +
      ". Free of determinacy races and of undefined behaviour: with and\n// without its Cilk keywords it "
      "prints the same.\n#include <stdio.h>\n#include <stdlib.h>\n" +
      (isCpp ? "#include <new>\n" : "") +
      "\ntypedef unsigned long u64;\n"
      "typedef unsigned u32;\n#define UNUSED __attribute__((unused))\n\n";
  if (isCpp)
    text += kCppPrelude;
  if (isCpp && enabled[static_cast<size_t>(Feature::ThrowingTasks)])
    text += kThrowingPrelude;
  if (enabled[static_cast<size_t>(Feature::Reducers)])
    text += kReducerPrelude + std::string(isCpp ? kCppReducerPrelude : "") +
            (isCpp && enabled[static_cast<size_t>(Feature::ReducerClasses)] ? kCilkPlusPrelude : "");
  std::string body, pending;
  for (unsigned i = 0; i < programs; ++i) {
    Program program(first + i, options);
    text += program.text() + "\n";
    std::string index = std::to_string(i), name = std::to_string(program.number());
    std::string print = "  printf(\"program " + name + " %016lx %016lx\\n\", (unsigned long)result[" + index +
                        "], (unsigned long)(" + program.counters() + "));\n  fflush(stdout);\n";
    bool spawned = program.spawnedFromMain();
    if (!spawned && !pending.empty()) {
      body += "  cilk_sync;\n" + pending;
      pending.clear();
    }
    std::string call = "result[" + index + "] = " + (spawned ? "cilk_spawn " : "") + program.rootName() + "();";
    if (program.has(Feature::ThrowingTasks))
      call = "try {\n    " + call + "\n  } catch (const SmithError &error) {\n    result[" + index +
             "] = error.value() * 3;\n  } catch (int error) {\n    result[" + index + "] = (u64)error;\n  }";
    body += "  " + call + "\n";
    if (!program.adderCall.empty())
      body += std::string("  ") + (spawned ? "cilk_spawn " : "") + program.adderCall + "\n";
    (spawned ? pending : body) += print;
  }
  if (!pending.empty())
    body += "  cilk_sync;\n" + pending;
  std::string head = isCpp ? "  const long alive = smithAlive;\n" : "";
  const char *status = isCpp ? "  return smithAlive != alive;\n}\n" : "  return 0;\n}\n";
  return text + "int main(void) {\n" + head + "  unsigned long result[" + std::to_string(programs) + "] = {0};\n" +
         body + status;
}

} // namespace cilksmith
