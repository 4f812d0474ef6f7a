// Tells ThreadSanitizer how Debian's gRPC and Abseil, which are built without it, order one thread
// after another. Their locks, queues and reference counts are futexes and atomics that it does not
// see. Without this file every message that one gRPC thread passes to another looks like a race.
//
// Each function below replaces the library's own function of that name, calls it, and states what
// it guarantees: everything that happened before a release of an address is known to the thread
// that acquires that address later. Only edges that the library really has are stated, each at its
// own address, so a race in a handler is still found (tests/rpc/planted).
//
// Part of every test program of the tsan preset, and of no other program. Written for gRPC 1.51 and
// Abseil 20220623.
#include <absl/status/status.h>
#include <absl/synchronization/mutex.h>
#include <dlfcn.h>
#include <grpcpp/support/server_callback.h>
#include <sanitizer/tsan_interface.h>
#include <spdlog/spdlog.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace {

// Returns the library's own function of that name.
template <class Function>
Function* original(const char* symbol) {
  void* found = dlsym(RTLD_NEXT, symbol);
  if (found == nullptr) {
    std::fprintf(stderr, "no library has %s: see tests/support/tsan_edges.cc\n", symbol);
    std::abort();
  }
  return reinterpret_cast<Function*>(found);
}

// spdlog is not instrumented either. It makes its registry at the first use, behind a lock that
// ThreadSanitizer does not see. Made here, the registry is there before any thread is.
[[maybe_unused]] const spdlog::logger* const kMadeBeforeThreads = spdlog::default_logger_raw();

}  // namespace

namespace absl {

void Mutex::Lock() {
  static const auto lock = original<void(Mutex*)>("_ZN4absl7debian35Mutex4LockEv");
  lock(this);
  __tsan_acquire(this);
}

bool Mutex::TryLock() {
  static const auto try_lock = original<bool(Mutex*)>("_ZN4absl7debian35Mutex7TryLockEv");
  const bool locked = try_lock(this);
  if (locked) __tsan_acquire(this);
  return locked;
}

void Mutex::Unlock() {
  static const auto unlock = original<void(Mutex*)>("_ZN4absl7debian35Mutex6UnlockEv");
  __tsan_release(this);
  unlock(this);
}

void ReleasableMutexLock::Release() {
  static const auto release =
      original<void(ReleasableMutexLock*)>("_ZN4absl7debian319ReleasableMutexLock7ReleaseEv");
  __tsan_release(mu_);
  release(this);
}

void CondVar::Wait(Mutex* mutex) {
  static const auto wait =
      original<void(CondVar*, Mutex*)>("_ZN4absl7debian37CondVar4WaitEPNS0_5MutexE");
  __tsan_release(mutex);
  wait(this, mutex);
  __tsan_acquire(mutex);
}

bool CondVar::WaitWithTimeout(Mutex* mutex, Duration timeout) {
  static const auto wait = original<bool(CondVar*, Mutex*, Duration)>(
      "_ZN4absl7debian37CondVar15WaitWithTimeoutEPNS0_5MutexENS0_8DurationE");
  __tsan_release(mutex);
  const bool late = wait(this, mutex, timeout);
  __tsan_acquire(mutex);
  return late;
}

bool CondVar::WaitWithDeadline(Mutex* mutex, Time deadline) {
  static const auto wait = original<bool(CondVar*, Mutex*, Time)>(
      "_ZN4absl7debian37CondVar16WaitWithDeadlineEPNS0_5MutexENS0_4TimeE");
  __tsan_release(mutex);
  const bool late = wait(this, mutex, deadline);
  __tsan_acquire(mutex);
  return late;
}

// Counts one reference less; the last one deletes the object, after all others were released.
void Status::UnrefNonInlined(std::uintptr_t rep) {
  static const auto unref =
      original<void(std::uintptr_t)>("_ZN4absl7debian36Status15UnrefNonInlinedEm");
  void* const count = reinterpret_cast<void*>(rep & ~std::uintptr_t{3});
  __tsan_release(count);
  __tsan_acquire(count);
  unref(rep);
}

}  // namespace absl

namespace {

// A private member may be named in an explicit instantiation.
std::atomic_int grpc::internal::ServerCallbackCall::*outstanding();
template <auto Member>
struct Outstanding {
  friend auto outstanding() -> std::atomic_int grpc::internal::ServerCallbackCall::* {
    return Member;
  }
};
template struct Outstanding<&grpc::internal::ServerCallbackCall::callbacks_outstanding_>;

}  // namespace

namespace grpc::internal {

// Called by the thread that ends the last of a call's reactions, in gRPC's code or in a header
// compiled here; all other reactions are over.
void ServerCallbackCall::ScheduleOnDone(bool at_once) {
  static const auto schedule = original<void(ServerCallbackCall*, bool)>(
      "_ZN4grpc8internal18ServerCallbackCall14ScheduleOnDoneEb");
  __tsan_acquire(&(this->*outstanding()));
  schedule(this, at_once);
}

}  // namespace grpc::internal

struct grpc_closure;

// As gRPC declares them in headers that are not installed.
namespace grpc_core {

// Everything done before a node was put in is known to the thread that takes it out.
class MultiProducerSingleConsumerQueue {
 public:
  struct Node;
  bool Push(Node* node);
  Node* Pop();
  Node* PopAndCheckEnd(bool* empty);
};

bool MultiProducerSingleConsumerQueue::Push(Node* node) {
  static const auto push = original<bool(MultiProducerSingleConsumerQueue*, Node*)>(
      "_ZN9grpc_core32MultiProducerSingleConsumerQueue4PushEPNS0_4NodeE");
  __tsan_release(node);
  return push(this, node);
}

MultiProducerSingleConsumerQueue::Node* MultiProducerSingleConsumerQueue::Pop() {
  static const auto pop = original<Node*(MultiProducerSingleConsumerQueue*)>(
      "_ZN9grpc_core32MultiProducerSingleConsumerQueue3PopEv");
  Node* const node = pop(this);
  if (node != nullptr) __tsan_acquire(node);
  return node;
}

MultiProducerSingleConsumerQueue::Node* MultiProducerSingleConsumerQueue::PopAndCheckEnd(
    bool* empty) {
  static const auto pop = original<Node*(MultiProducerSingleConsumerQueue*, bool*)>(
      "_ZN9grpc_core32MultiProducerSingleConsumerQueue14PopAndCheckEndEPb");
  Node* const node = pop(this, empty);
  if (node != nullptr) __tsan_acquire(node);
  return node;
}

// A call's work is done by one thread at a time, each after the last.
class CallCombiner {
 public:
  void Start(grpc_closure* closure, absl::Status error, const char* file, int line,
             const char* reason);
  void Stop(const char* file, int line, const char* reason);
};

void CallCombiner::Start(grpc_closure* closure, absl::Status error, const char* file, int line,
                         const char* reason) {
  static const auto start =
      original<void(CallCombiner*, grpc_closure*, absl::Status, const char*, int, const char*)>(
          "_ZN9grpc_core12CallCombiner5StartEP12grpc_closureN4absl7debian36StatusEPKciS7_");
  start(this, closure, std::move(error), file, line, reason);
  __tsan_acquire(this);
}

void CallCombiner::Stop(const char* file, int line, const char* reason) {
  static const auto stop = original<void(CallCombiner*, const char*, int, const char*)>(
      "_ZN9grpc_core12CallCombiner4StopEPKciS2_");
  __tsan_release(this);
  stop(this, file, line, reason);
}

}  // namespace grpc_core
