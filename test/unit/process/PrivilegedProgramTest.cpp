// Tests that setuid and setgid programs ignore variables that name files or libraries, with a warning. The user of such
// a program must not choose the code that it runs or the files that it writes.
//
// As root, the tests run a setuid-root program as another user. Other users run a setgid program.
#include "Process.h"
#include <fcntl.h>
#include <fstream>
#include <grp.h>
#include <gtest/gtest.h>
#include <regex>
#include <sstream>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

using namespace cilk2gpu::test;

namespace {

std::string readFile(const std::string &path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Returns the variables of docs/environment.md whose values are file names or libraries.
std::vector<std::string> variablesThatNameFiles() {
  std::istringstream page(readFile(CILK2GPU_SOURCE_DIR "/docs/environment.md"));
  std::vector<std::string> result;
  std::regex row("^\\| (`[A-Z][^|]*) \\| [^|]*(file name|library)[^|]*\\|.*"), name("`([A-Z0-9_]+)`");
  for (std::string line; std::getline(page, line);)
    if (std::smatch match; std::regex_match(line, match, row)) {
      std::string names = match[1];
      for (std::sregex_iterator i(names.begin(), names.end(), name), end; i != end; ++i)
        result.push_back((*i)[1]);
    }
  return result;
}

class PrivilegedProgram : public testing::Test {
protected:
  PrivilegedProgram() {
    char name[] = "/tmp/cilk2gpu-XXXXXX";
    directory = mkdtemp(name);
    program = directory + "/probe";
    chmod(directory.c_str(), 0777);
  }
  ~PrivilegedProgram() override { EXPECT_EQ(system(("rm -rf " + directory).c_str()), 0); }

  void SetUp() override {
    if (!copyWithRights(CILK2GPU_PROBE, program))
      GTEST_SKIP() << "this user is in one group only, so no program can be given another one";
    if (geteuid() == 0)
      asUser = "setpriv --reuid=65534 --regid=65534 --clear-groups ";
  }

  /// Copies a program, and makes the copy setuid or setgid. Returns false if the user may do neither.
  static bool copyWithRights(const std::string &from, const std::string &to) {
    EXPECT_EQ(system(("cp '" + from + "' " + to).c_str()), 0);
    if (geteuid() == 0)
      return chmod(to.c_str(), 04755) == 0;
    gid_t groups[64];
    int number = getgroups(64, groups);
    for (int i = 0; i < number; ++i)
      if (groups[i] != getegid() && chown(to.c_str(), uid_t(-1), groups[i]) == 0)
        return chmod(to.c_str(), 02755) == 0;
    return false;
  }

  /// Copies a program without rights.
  std::string copy(const std::string &from) const {
    std::string to = directory + "/ordinary";
    EXPECT_EQ(system(("cp '" + from + "' " + to).c_str()), 0);
    return to;
  }

  std::string secretFile() const {
    std::string path = directory + "/secret";
    std::ofstream(path) << "secret";
    chmod(path.c_str(), 0600);
    return path;
  }

  Outcome run(const std::string &environment, const std::string &path) const {
    return runShell(asUser + "env " + environment + " timeout 60 '" + path + "' fib 10");
  }

  std::string directory, program, asUser;
};

constexpr char kIgnored[] = " is ignored: it names a file or a library, and this program has more rights than its user "
                            "(setuid, setgid or capabilities); unset it, or run a program without such rights\n";

TEST_F(PrivilegedProgram, IgnoresAllVariablesThatNameFiles) {
  std::vector<std::string> variables = variablesThatNameFiles();
  EXPECT_EQ(variables.size(), 9u) << "the page's tables have another form";
  for (const std::string &variable : variables) {
    if (variable.rfind("CILK2GPU_", 0) != 0)
      continue; // programs for other tools read it, see below
    Outcome outcome = run("CILK2GPU_DEVICE=native " + variable + "=" + directory + "/none", program);
    EXPECT_EQ(outcome.status, 0) << variable;
    EXPECT_EQ(outcome.output, "cilk2gpu: warning: " + variable + kIgnored + "55\n");
  }
}

TEST_F(PrivilegedProgram, IsNotRunUnderManySchedules) {
  Outcome outcome = run("CILK2GPU_DEVICE=native CILK2GPU_CHECK=races", program);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output,
            "cilk2gpu: warning: CILK2GPU_CHECK is ignored: it runs the program several times, and this "
            "program has more rights than its user (setuid, setgid or capabilities); unset it, or run a "
            "program without such rights\n55\n");
}

TEST_F(PrivilegedProgram, LeavesFilesOfItsOwnerAlone) {
  std::string victim = secretFile();
  for (const char *variable : {"STATS", "TRACE"}) {
    Outcome outcome = run("CILK2GPU_DEVICE=model CILK2GPU_" + std::string(variable) + "=" + victim, program);
    EXPECT_EQ(outcome.status, 0) << outcome.output;
    EXPECT_EQ(readFile(victim), "secret") << variable;
  }
}

/// The driver that the user names would run with the owner's rights. This one leaves a file.
TEST_F(PrivilegedProgram, LoadsNoLibraryOfItsUser) {
  std::string log = directory + "/log", library = directory + "/libuser.so";
  ASSERT_EQ(system(("cp '" FAKE_CUDA "' " + library).c_str()), 0);
  std::string settings = "CILK2GPU_DEVICE=cuda CILK2GPU_CUDA_LIBRARY=" + library + " FAKE_GPU_PAGEABLE=1 FAKE_GPU_LOG=";
  run(settings + log, program);
  EXPECT_NE(access(log.c_str(), F_OK), 0) << "the user's library ran with the owner's rights";

  Outcome outcome = run(settings + log, copy(CILK2GPU_PROBE));
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_EQ(access(log.c_str(), F_OK), 0) << "the library would not have left the file";
}

/// The report goes to the standard error.
TEST_F(PrivilegedProgram, WritesNoScaleReportToAFile) {
  std::string victim = secretFile(), setting = "CILKSCALE_OUT=" + victim;
  ASSERT_TRUE(copyWithRights(CILK2GPU_SCALE_PROBE, program));
  Outcome outcome = run(setting, program);
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_EQ(outcome.output.find("cilk2gpu: warning: CILKSCALE_OUT" + std::string(kIgnored) + "tag,work"), 0u)
      << outcome.output;
  EXPECT_EQ(readFile(victim), "secret");

  std::string own = directory + "/own.csv";
  outcome = run("CILKSCALE_OUT=" + own, copy(CILK2GPU_SCALE_PROBE));
  EXPECT_EQ(outcome.output, "") << "a program without such rights writes the file";
  EXPECT_EQ(readFile(own).find("tag,work"), 0u);
}

#ifdef CILK2GPU_RACES_PROBE
/// A message about a line of the file would show the line.
TEST_F(PrivilegedProgram, NeitherReadsSuppressionsNorWritesReports) {
  std::string setting = "CILKSAN_OPTIONS=exitcode=5:suppressions=" + secretFile();
  ASSERT_TRUE(copyWithRights(CILK2GPU_RACES_PROBE, program));
  Outcome outcome = run(setting, program);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output, "cilk2gpu: warning: CILKSAN_OPTIONS: suppressions" + std::string(kIgnored));
  outcome = run("CILKSAN_OPTIONS=log_path=" + directory + "/log", program);
  EXPECT_EQ(outcome.output, "cilk2gpu: warning: CILKSAN_OPTIONS: log_path" + std::string(kIgnored));

  std::string own = directory + "/own.txt";
  std::ofstream(own) << "no rule\n";
  outcome = run("CILKSAN_OPTIONS=suppressions=" + own, copy(CILK2GPU_RACES_PROBE));
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.output.find("has the line 'no rule'"), std::string::npos) << outcome.output;
}
#endif

/// Other variables work as they do in ordinary programs.
TEST_F(PrivilegedProgram, ReadsVariablesThatNameNoFile) {
  EXPECT_EQ(run("CILK2GPU_DEVICE=native CILK2GPU_WORKERS=1", program).output, "55\n");
  EXPECT_EQ(run("CILK2GPU_WAVE=0", program).output,
            "cilk2gpu: error: CILK2GPU_WAVE=0 is not valid; allowed: 1 to 64 lanes\n");
}

} // namespace
