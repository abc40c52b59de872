// See LaunchThread.h.
#include "executors/gpu/LaunchThread.h"
#include "process/Message.h"

#include <string.h>

namespace cilk2gpu::device {

/// Makes the launch. First makes the device current, because each thread has its own current device.
Status LaunchThread::run() const {
  Status status = driver.makeCurrent();
  if (!status.code)
    status = next();
  return status.code ? status : driver.synchronise();
}

void *LaunchThread::main(void *context) {
  auto &self = *static_cast<LaunchThread *>(context);
  pthread_mutex_lock(&self.mutex);
  for (;;) {
    while (self.ended == self.begun)
      pthread_cond_wait(&self.wake, &self.mutex);
    pthread_mutex_unlock(&self.mutex);
    self.outcome = self.run();
    pthread_mutex_lock(&self.mutex);
    __atomic_store_n(&self.ended, self.begun, __ATOMIC_RELEASE); // pairs with hasEnded()
  }
}

void LaunchThread::begin(const Launch &launch) {
  pthread_mutex_lock(&mutex);
  next = launch;
  ++begun;
  pthread_cond_signal(&wake);
  pthread_mutex_unlock(&mutex);
  if (isThere)
    return;
  if (int error = pthread_create(&thread, nullptr, main, this))
    rt::fatal("the thread that launches kernels could not be created: %s; unset the variable that has launches "
              "wait for their kernels",
              strerror(error));
  isThere = true;
}

bool LaunchThread::hasEnded(Status &status) {
  if (__atomic_load_n(&ended, __ATOMIC_ACQUIRE) != begun) // pairs with the thread's store
    return false;
  status = outcome;
  return true;
}

} // namespace cilk2gpu::device
