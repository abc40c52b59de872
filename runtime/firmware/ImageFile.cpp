// The file is not trusted, so every offset in it is checked before use.
#include "firmware/ImageFile.h"
#include "cilk2gpu/abi/Firmware.h"
#include "cilk2gpu/abi/Records.h"
#include "firmware/Shared.h"
#include "process/Message.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

namespace cilk2gpu::rt {

/// More bytes than an image can have: the core takes some 30 KB, and a task some 500 bytes.
static constexpr uint64_t kMostBytes = uint64_t(256) << 20;

static constexpr uint64_t kPageMask = 4095;

[[noreturn]] static void refuse(const char *path, const char *what) {
  fatal("CILK2GPU_FIRMWARE=%s is no firmware for an aggregator: %s; make one with cilk2gpu --emit=firmware", path,
        what);
}

template <typename T> const T *ImageFile::at(uint64_t offset, uint64_t count) const {
  if (offset > length || (length - offset) / sizeof(T) < count || offset % alignof(T))
    refuse(path, "it is cut off, or its headers contradict each other");
  return reinterpret_cast<const T *>(contents + offset);
}

void ImageFile::read() {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (file < 0 || fstat(file, &status) != 0)
    fatal("CILK2GPU_FIRMWARE=%s cannot be read: %s", path, strerror(errno));
  if (!S_ISREG(status.st_mode) || uint64_t(status.st_size) > kMostBytes)
    refuse(path, "it is no regular file, or too large");
  contents = static_cast<unsigned char *>(malloc(uint64_t(status.st_size) + 1));
  if (!contents)
    fatal("out of memory: %lld bytes for CILK2GPU_FIRMWARE could not be allocated", (long long)status.st_size);
  while (length < uint64_t(status.st_size)) {
    ssize_t got = ::read(file, contents + length, uint64_t(status.st_size) - length);
    if (got < 0)
      fatal("CILK2GPU_FIRMWARE=%s cannot be read: %s", path, strerror(errno));
    if (got == 0)
      break;
    length += uint64_t(got);
  }
  close(file);
}

void ImageFile::check() {
  if (length < sizeof(Elf64_Ehdr) || memcmp(contents, ELFMAG, SELFMAG))
    refuse(path, "it is no ELF file");
  const Elf64_Ehdr &header = *at<Elf64_Ehdr>(0);
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_machine != EM_RISCV)
    refuse(path, "it is not for riscv64");
  if (header.e_type != ET_DYN || header.e_phentsize != sizeof(Elf64_Phdr))
    refuse(path, "it is no position-independent program");
  const Elf64_Phdr *segments = at<Elf64_Phdr>(header.e_phoff, header.e_phnum);
  first = ~uint64_t(0);
  uint64_t end = 0;
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    const Elf64_Phdr &segment = segments[i];
    if (segment.p_type != PT_LOAD)
      continue;
    at<char>(segment.p_offset, segment.p_filesz);
    uint64_t segmentEnd;
    if (segment.p_filesz > segment.p_memsz || __builtin_add_overflow(segment.p_vaddr, segment.p_memsz, &segmentEnd))
      refuse(path, "it is cut off, or its headers contradict each other");
    first = segment.p_vaddr < first ? segment.p_vaddr : first;
    end = segmentEnd > end ? segmentEnd : end;
    if (!(segment.p_flags & PF_X))
      continue;
    code[0] = segment.p_vaddr < code[0] ? segment.p_vaddr : code[0];
    code[1] = segmentEnd > code[1] ? segmentEnd : code[1];
  }
  first &= ~kPageMask;
  if (end <= first || end - first > kMostBytes)
    refuse(path, "it is empty, or too large");
  size = ((end + kPageMask) & ~kPageMask) - first;
  entry = header.e_entry;
  if (entry < code[0] || entry >= code[1])
    refuse(path, "it has no entry");
  code[0] = (code[0] & ~kPageMask) - first;
  code[1] = ((code[1] + kPageMask) & ~kPageMask) - first;
}

void ImageFile::checkNote() {
  const Elf64_Ehdr &header = *at<Elf64_Ehdr>(0);
  const Elf64_Phdr *segments = at<Elf64_Phdr>(header.e_phoff, header.e_phnum);
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    if (segments[i].p_type != PT_NOTE || segments[i].p_filesz < sizeof(abi::FirmwareNote))
      continue;
    const abi::FirmwareNote &note = *at<abi::FirmwareNote>(segments[i].p_offset);
    if (note.type != abi::kFirmwareNoteType || memcmp(note.name, abi::kFirmwareNote, sizeof abi::kFirmwareNote))
      continue;
    if (note.abiVersion != abi::kAbiVersion || note.firmwareVersion != abi::kFirmwareVersion)
      fatal("CILK2GPU_FIRMWARE=%s is of version %u.%u, but this runtime has version %u.%u; make it again with "
            "cilk2gpu --emit=firmware",
            path, note.abiVersion, note.firmwareVersion, abi::kAbiVersion, abi::kFirmwareVersion);
    if (note.layout != sharedLayout())
      fatal("CILK2GPU_FIRMWARE=%s was made by another build of cilk2gpu than this program; make both again", path);
    return;
  }
  refuse(path, "it has no note of cilk2gpu");
}

ImageFile::ImageFile(const char *path) : path(path) {
  read();
  check();
  checkNote();
}

ImageFile::~ImageFile() { free(contents); }

uint64_t ImageFile::load(void *memory) const {
  const Elf64_Ehdr &header = *at<Elf64_Ehdr>(0);
  const Elf64_Phdr *segments = at<Elf64_Phdr>(header.e_phoff, header.e_phnum);
  memset(memory, 0, size);
  for (unsigned i = 0; i < header.e_phnum; ++i)
    if (segments[i].p_type == PT_LOAD)
      memcpy(static_cast<char *>(memory) + (segments[i].p_vaddr - first), contents + segments[i].p_offset,
             segments[i].p_filesz);
  return reinterpret_cast<uint64_t>(memory) + (entry - first);
}

} // namespace cilk2gpu::rt
