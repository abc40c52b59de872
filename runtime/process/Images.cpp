// Images may be registered before the runtime's own state exists, so this file does not use that state.
#include "process/Images.h"
#include "process/Message.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

namespace cilk2gpu::rt {
namespace {

struct Node {
  const abi::ImageRecord *image;
  Node *next;
};

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
Node *head = nullptr, **tail = &head; // nodes are never freed or changed, apart from `next` of the last one
uint64_t count = 0;
NameList refused; // only grows; several libraries may name an architecture

void check(const abi::ImageRecord &image) {
  if (image.magic != abi::kMagic)
    fatal("a device image has the wrong magic number %#x; compile the program again", image.magic);
  if (image.version != abi::kAbiVersion)
    failOnHost(nullptr, {FailureKind::BadVersion, "the image for", image.arch, image.version});
  if (image.waveSize < 1 || image.waveSize > abi::kMaxWave)
    fatal("the image for '%s' is not valid: wavefronts have 1 to %u lanes, but %u was found; compile the program again",
          image.arch, abi::kMaxWave, image.waveSize);
}

} // namespace

const NameList &refusedArchitectures() { return refused; }

uint64_t imageCount() {
  pthread_mutex_lock(&mutex);
  uint64_t result = count;
  pthread_mutex_unlock(&mutex);
  return result;
}

const abi::ImageRecord &image(uint64_t index) {
  pthread_mutex_lock(&mutex);
  const Node *node = head;
  for (; index; --index)
    node = node->next;
  pthread_mutex_unlock(&mutex);
  return *node->image;
}

} // namespace cilk2gpu::rt

using namespace cilk2gpu;
using namespace cilk2gpu::rt;

extern "C" void __cilk2gpu_register_image(const abi::ImageRecord *image) {
  check(*image);
  pthread_mutex_lock(&mutex);
  if (!image->size) {
    refused.add(image->arch);
    pthread_mutex_unlock(&mutex);
    return;
  }
  const Node *known = head;
  while (known && known->image != image)
    known = known->next;
  if (!known) {
    Node *node = static_cast<Node *>(malloc(sizeof(Node)));
    if (!node)
      fatal("out of memory: %zu bytes for a device image's entry could not be allocated", sizeof(Node));
    *node = {image, nullptr};
    *tail = node;
    tail = &node->next;
    ++count;
  }
  pthread_mutex_unlock(&mutex);
}
