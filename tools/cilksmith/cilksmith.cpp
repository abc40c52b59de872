// Prints a random fork-join C program: options and sizes. See docs/cilksmith.md.
#include "Program.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

using namespace cilksmith;

namespace {
constexpr const char kVersion[] = "cilksmith 3";
constexpr unsigned kMostPrograms = 1000;

struct NamedSize {
  const char *name;
  Size size;
};
// The elision of one program takes at most about 0.2 s.
constexpr NamedSize kSizes[] = {
    {"small", {2, 2, 7, 10, 5000}},
    {"medium", {4, 4, 14, 16, 50000}},
    {"large", {6, 5, 24, 30, 300000}},
};

struct Arguments {
  uint64_t seed = 0;
  unsigned programs = 1;
  Options options = {.size = kSizes[1].size, .races = {}};
};

[[noreturn]] void fail(const std::string &message) {
  std::fprintf(stderr, "cilksmith: error: %s; see cilksmith --help\n", message.c_str());
  std::exit(2);
}

void help() {
  std::puts("usage: cilksmith [--seed N] [--programs K] [--size small|medium|large] [--language c|c++]\n"
            "                 [--disable F[,F...]] [--races 0|1]\n\n"
            "Prints a translation unit of random Cilk programs to standard output. The programs are free of\n"
            "determinacy races and of undefined behaviour; each prints a line \"program SEED CHECKSUM COUNTERS\".\n\n"
            "  --seed N          the first program's seed, 0 to 2^64-1 (default 0)\n"
            "  --programs K      programs with the seeds N to N+K-1, 1 to 1000 (default 1)\n"
            "  --size S          size of the programs and of their runs (default medium)\n"
            "  --language L      c (default) or c++\n"
            "  --disable F,...   leave features out\n"
            "  --races 1         with a race at two lines, which end with \"// race SEED a\" and \"// race SEED b\"\n"
            "  --races 0         the same programs without the race: the second access goes to another element\n"
            "  --list-features   the features' names and meanings\n"
            "  --help, --version");
}

void listFeatures() {
  for (size_t i = 0; i < static_cast<size_t>(Feature::Count); ++i) {
    std::string name(featureName(static_cast<Feature>(i))), meaning(featureMeaning(static_cast<Feature>(i)));
    std::printf("%-18s %s\n", name.c_str(), meaning.c_str());
  }
}

uint64_t number(const std::string &option, const std::string &text) {
  errno = 0;
  char *end = nullptr;
  unsigned long long value = std::strtoull(text.c_str(), &end, 10);
  if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos || errno == ERANGE)
    fail(option + " takes a number, not '" + text + "'");
  return value;
}

Size sizeNamed(const std::string &name) {
  for (const NamedSize &size : kSizes)
    if (name == size.name)
      return size.size;
  fail("--size takes small, medium or large, not '" + name + "'");
}

Language languageNamed(const std::string &name) {
  if (name != "c" && name != "c++")
    fail("--language takes c or c++, not '" + name + "'");
  return name == "c" ? Language::C : Language::Cpp;
}

void disable(Options &options, std::string names) {
  while (!names.empty()) {
    size_t comma = names.find(',');
    std::string name = names.substr(0, comma);
    names = comma == std::string::npos ? "" : names.substr(comma + 1);
    std::optional<Feature> feature = featureNamed(name);
    if (!feature)
      fail("there is no feature '" + name + "'; see cilksmith --list-features");
    options.features[static_cast<size_t>(*feature)] = false;
  }
}

/// Sets an option that has a value.
void set(Arguments &arguments, const std::string &option, const std::string &value) {
  Options &options = arguments.options;
  if (option == "--seed") {
    arguments.seed = number(option, value);
  } else if (option == "--size") {
    options.size = sizeNamed(value);
  } else if (option == "--language") {
    options.language = languageNamed(value);
  } else if (option == "--disable") {
    disable(options, value);
  } else if (option == "--races") {
    if (value != "0" && value != "1")
      fail("--races takes 0 or 1, not '" + value + "'");
    options.races = value == "1";
  } else {
    uint64_t programs = number(option, value);
    if (programs < 1 || programs > kMostPrograms)
      fail("--programs takes 1 to " + std::to_string(kMostPrograms) + ", not '" + value + "'");
    arguments.programs = static_cast<unsigned>(programs);
  }
}

Arguments parse(int argc, char **argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    std::string option = argv[i], value;
    if (option == "--help" || option == "--version" || option == "--list-features") {
      option == "--help" ? help() : option == "--version" ? (void)std::puts(kVersion) : listFeatures();
      std::exit(0);
    }
    size_t equals = option.find('=');
    bool joined = equals != std::string::npos;
    if (joined) {
      value = option.substr(equals + 1);
      option.resize(equals);
    }
    constexpr std::string_view known[] = {"--seed", "--programs", "--size", "--language", "--disable", "--races"};
    if (std::find(std::begin(known), std::end(known), option) == std::end(known))
      fail("unknown argument '" + std::string(argv[i]) + "'");
    if (!joined) {
      if (i + 1 == argc)
        fail(option + " needs a value");
      value = argv[++i];
    }
    set(arguments, option, value);
  }
  return arguments;
}
} // namespace

int main(int argc, char **argv) {
  Arguments arguments = parse(argc, argv);
  std::string text = translationUnit(arguments.seed, arguments.programs, arguments.options);
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    std::fprintf(stderr, "cilksmith: error: cannot write: %s\n", std::strerror(errno));
    return 1;
  }
  return 0;
}
