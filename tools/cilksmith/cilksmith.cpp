// Prints a random fork-join C program: options and sizes. See docs/cilksmith.md.
#include "Program.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

using namespace cilksmith;

namespace {
constexpr const char kVersion[] = "cilksmith 2";
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

struct Options {
  uint64_t seed = 0;
  unsigned programs = 1;
  Size size = kSizes[1].size;
  FeatureSet features = FeatureSet().set();
  Language language = Language::C;
};

[[noreturn]] void fail(const std::string &message) {
  std::fprintf(stderr, "cilksmith: error: %s; see cilksmith --help\n", message.c_str());
  std::exit(2);
}

void help() {
  std::puts("usage: cilksmith [--seed N] [--programs K] [--size small|medium|large] [--language c|c++]\n"
            "                 [--disable F[,F...]]\n\n"
            "Prints a translation unit of random Cilk programs to standard output. The programs are free of\n"
            "determinacy races and of undefined behaviour; each prints a line \"program SEED CHECKSUM COUNTERS\".\n\n"
            "  --seed N          the first program's seed, 0 to 2^64-1 (default 0)\n"
            "  --programs K      programs with the seeds N to N+K-1, 1 to 1000 (default 1)\n"
            "  --size S          size of the programs and of their runs (default medium)\n"
            "  --language L      c (default) or c++\n"
            "  --disable F,...   leave features out\n"
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

Options parse(int argc, char **argv) {
  Options options;
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
    if (option != "--seed" && option != "--programs" && option != "--size" && option != "--language" &&
        option != "--disable")
      fail("unknown argument '" + std::string(argv[i]) + "'");
    if (!joined) {
      if (i + 1 == argc)
        fail(option + " needs a value");
      value = argv[++i];
    }
    if (option == "--seed")
      options.seed = number(option, value);
    else if (option == "--size")
      options.size = sizeNamed(value);
    else if (option == "--language")
      options.language = languageNamed(value);
    else if (option == "--disable")
      disable(options, value);
    else {
      uint64_t programs = number(option, value);
      if (programs < 1 || programs > kMostPrograms)
        fail("--programs takes 1 to " + std::to_string(kMostPrograms) + ", not '" + value + "'");
      options.programs = static_cast<unsigned>(programs);
    }
  }
  return options;
}
} // namespace

int main(int argc, char **argv) {
  Options options = parse(argc, argv);
  std::string text = translationUnit(options.seed, options.programs, options.size, options.features, options.language);
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    std::fprintf(stderr, "cilksmith: error: cannot write: %s\n", std::strerror(errno));
    return 1;
  }
  return 0;
}
