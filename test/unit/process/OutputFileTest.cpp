// Tests of how output files are written: the mode and the owner of old files, links, and what a failure leaves.
#include "process/OutputFile.h"
#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

using namespace cilk2gpu::rt;

namespace {

class OutputFile : public testing::Test {
protected:
  OutputFile() {
    char name[] = "/tmp/cilk2gpu-XXXXXX";
    directory = mkdtemp(name);
    file = directory + "/s.txt";
  }
  ~OutputFile() override { EXPECT_EQ(system(("rm -rf " + directory).c_str()), 0); }

  static bool writeText(const std::string &path, const char *text) {
    return writeOutput(
        path.c_str(), [](FILE *out, const void *text) { fputs(static_cast<const char *>(text), out); }, text);
  }
  static std::string contents(const std::string &path) {
    std::ifstream in(path);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
  }
  static struct stat status(const std::string &path) {
    struct stat result = {};
    EXPECT_EQ(lstat(path.c_str(), &result), 0) << path;
    return result;
  }
  unsigned numEntries() const {
    unsigned count = 0;
    DIR *folder = opendir(directory.c_str());
    while (dirent *entry = readdir(folder))
      count += entry->d_name[0] != '.' || entry->d_name[1] == 'c'; // not "." and "..", but temporary files
    closedir(folder);
    return count;
  }

  std::string directory, file;
};

TEST_F(OutputFile, NewFilesHaveTheModeThatTheMaskAllows) {
  mode_t mask = umask(027);
  EXPECT_TRUE(writeText(file, "new"));
  umask(mask);
  EXPECT_EQ(contents(file), "new");
  EXPECT_EQ(status(file).st_mode & 07777, 0640u);
  EXPECT_EQ(numEntries(), 1u);
}

TEST_F(OutputFile, OldFilesKeepTheirMode) {
  for (mode_t mode : {0600u, 0640u, 0666u}) {
    std::ofstream(file) << "old";
    chmod(file.c_str(), mode);
    EXPECT_TRUE(writeText(file, "new"));
    EXPECT_EQ(contents(file), "new");
    EXPECT_EQ(status(file).st_mode & 07777, mode);
  }
  EXPECT_EQ(numEntries(), 1u);
}

/// Root gives the file to another user first. Other users may not, so their file keeps their own name.
TEST_F(OutputFile, OldFilesKeepTheirOwner) {
  std::ofstream(file) << "old";
  EXPECT_EQ(chown(file.c_str(), 65534, 65534) == 0, geteuid() == 0);
  struct stat before = status(file);
  EXPECT_TRUE(writeText(file, "new"));
  EXPECT_EQ(contents(file), "new");
  EXPECT_EQ(status(file).st_uid, before.st_uid);
  EXPECT_EQ(status(file).st_gid, before.st_gid);
}

TEST_F(OutputFile, LinksStayAndTheirTargetsAreReplaced) {
  std::string link = directory + "/link", first = directory + "/first";
  std::ofstream(file) << "old";
  chmod(file.c_str(), 0600);
  ASSERT_EQ(symlink("s.txt", first.c_str()), 0);
  ASSERT_EQ(symlink("first", link.c_str()), 0);
  EXPECT_TRUE(writeText(link, "new"));
  EXPECT_TRUE(S_ISLNK(status(link).st_mode));
  EXPECT_TRUE(S_ISLNK(status(first).st_mode));
  EXPECT_EQ(contents(file), "new");
  EXPECT_EQ(status(file).st_mode & 07777, 0600u);
  EXPECT_EQ(numEntries(), 3u);
}

TEST_F(OutputFile, LinksToNoFileCreateTheTarget) {
  std::string link = directory + "/link";
  ASSERT_EQ(symlink("s.txt", link.c_str()), 0);
  EXPECT_TRUE(writeText(link, "new"));
  EXPECT_TRUE(S_ISLNK(status(link).st_mode));
  EXPECT_EQ(contents(file), "new");
}

TEST_F(OutputFile, AllNamesOfAFileSeeTheOutput) {
  std::string other = directory + "/other";
  std::ofstream(file) << "old";
  ASSERT_EQ(::link(file.c_str(), other.c_str()), 0);
  EXPECT_TRUE(writeText(file, "new"));
  EXPECT_EQ(contents(other), "new");
  EXPECT_EQ(status(file).st_ino, status(other).st_ino);
}

TEST_F(OutputFile, ReadersSeeTheOldFileUntilTheNewOneIsComplete) {
  std::ofstream(file) << "old";
  std::string seen;
  struct Look {
    const std::string &file;
    std::string &seen;
  } look = {file, seen};
  auto write = [](FILE *out, const void *context) {
    fputs("new", out);
    fflush(out);
    const Look &look = *static_cast<const Look *>(context);
    look.seen = contents(look.file);
  };
  EXPECT_TRUE(writeOutput(file.c_str(), write, &look));
  EXPECT_EQ(seen, "old");
  EXPECT_EQ(contents(file), "new");
}

/// Earlier versions wrote to "FILE.PID.tmp", where another user could put a link to a victim.
TEST_F(OutputFile, NoOtherFileIsWritten) {
  std::string victim = directory + "/victim", guess = file + "." + std::to_string(getpid()) + ".tmp";
  std::ofstream(victim) << "victim";
  ASSERT_EQ(symlink("victim", guess.c_str()), 0);
  EXPECT_TRUE(writeText(file, "new"));
  EXPECT_EQ(contents(victim), "victim");
  EXPECT_EQ(contents(file), "new");
  EXPECT_TRUE(S_ISLNK(status(guess).st_mode));
  EXPECT_TRUE(S_ISREG(status(file).st_mode));
}

/// Writes as another user if this process is root's, because root may write all files.
TEST_F(OutputFile, FilesThatMayNotBeWrittenStay) {
  std::ofstream(file) << "old";
  chmod(file.c_str(), 0444);
  chmod(directory.c_str(), 0777);
  bool isRoot = geteuid() == 0;
  if (isRoot)
    ASSERT_EQ(seteuid(65534), 0);
  EXPECT_FALSE(writeText(file, "new"));
  EXPECT_EQ(errno, EACCES);
  if (isRoot)
    ASSERT_EQ(seteuid(0), 0);
  EXPECT_EQ(contents(file), "old");
  EXPECT_EQ(numEntries(), 1u);
}

/// The folder does not let the process create files, so the file that it may write is written in place.
TEST_F(OutputFile, FilesInLockedFoldersAreWrittenInPlace) {
  std::ofstream(file) << "a long old text";
  chmod(file.c_str(), 0666);
  chmod(directory.c_str(), 0555);
  bool isRoot = geteuid() == 0;
  if (isRoot)
    ASSERT_EQ(seteuid(65534), 0);
  ino_t before = status(file).st_ino;
  EXPECT_TRUE(writeText(file, "new"));
  if (isRoot)
    ASSERT_EQ(seteuid(0), 0);
  chmod(directory.c_str(), 0755);
  EXPECT_EQ(contents(file), "new");
  EXPECT_EQ(status(file).st_ino, before);
}

} // namespace
