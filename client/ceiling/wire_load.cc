#include "ceiling/wire_load.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/proto_buffer_reader.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>

#include "ceiling/elapsed.h"

namespace repath::ceiling {
namespace {

constexpr auto kPatience = std::chrono::seconds(30);  // for one answer or stream

grpc::ByteBuffer to_buffer(const std::string& bytes) {
  const grpc::Slice slice(bytes);
  return grpc::ByteBuffer(&slice, 1);
}

// Returns how many fields of this number the message has; -1 if the bytes are not a message.
std::int64_t count_fields(grpc::ByteBuffer& message, int number) {
  using google::protobuf::internal::WireFormatLite;
  grpc::ProtoBufferReader reader(&message);
  google::protobuf::io::CodedInputStream input(&reader);
  std::int64_t count = 0;
  while (const std::uint32_t tag = input.ReadTag()) {
    if (WireFormatLite::GetTagFieldNumber(tag) == number) ++count;
    if (!WireFormatLite::SkipField(&input, tag)) return -1;
  }
  return input.ConsumedEntireMessage() ? count : -1;
}

// Counts the calls under way. The last one to end wakes the waiting thread.
class Latch {
 public:
  explicit Latch(int count) : count_(count) {}
  void leave() {
    const std::lock_guard lock(mutex_);
    if (--count_ == 0) all_left_.notify_all();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    all_left_.wait(lock, [&] { return count_ == 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable all_left_;
  int count_;
};

// A place for one call: when it is answered, the next one is sent.
class CallSlot {
 public:
  CallSlot(grpc::GenericStub& stub, const WireCall& call, Clock::time_point until, Latch& latch)
      : stub_(stub),
        method_(call.method),
        request_(to_buffer(call.request)),
        until_(until),
        latch_(latch) {}

  void begin() {
    context_.emplace();
    context_->set_deadline(std::chrono::system_clock::now() + kPatience);
    stub_.UnaryCall(&*context_, method_, {}, &request_, &answer_,
                    [this](const grpc::Status& status) { end(status); });
  }

  std::uint64_t answered = 0;
  std::uint64_t failed = 0;
  std::size_t answer_bytes = 0;

 private:
  void end(const grpc::Status& status) {
    const std::size_t length = answer_.Length();
    if (answer_bytes == 0) answer_bytes = length;
    status.ok() && length == answer_bytes ? ++answered : ++failed;
    if (failed > 100 || Clock::now() >= until_) return latch_.leave();
    begin();
  }

  grpc::GenericStub& stub_;
  const std::string method_;
  const grpc::ByteBuffer request_;
  const Clock::time_point until_;
  Latch& latch_;
  std::optional<grpc::ClientContext> context_;
  grpc::ByteBuffer answer_;
};

// Reads one stream until it has its items, then cancels it.
class PushReader final : public grpc::ClientBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer> {
 public:
  PushReader(grpc::GenericStub& stub, const WireCall& call, int item_field, std::uint64_t items)
      : request_(to_buffer(call.request)), item_field_(item_field), wanted_(items) {
    context_.set_deadline(std::chrono::system_clock::now() + kPatience);
    stub.PrepareBidiStreamingCall(&context_, call.method, {}, this);
    StartWriteLast(&request_, {});
    StartRead(&message_);
    StartCall();
  }

  void OnReadDone(bool ok) override {
    if (!ok) return;
    const std::int64_t items = count_fields(message_, item_field_);
    if (items < 0) return context_.TryCancel();
    tally_.items += static_cast<std::uint64_t>(items);
    tally_.bytes += message_.Length();
    ++tally_.messages;
    if (tally_.items >= wanted_) {
      tally_.seconds = seconds_since(begun_);
      return context_.TryCancel();
    }
    StartRead(&message_);
  }
  void OnDone(const grpc::Status& /*status*/) override { done_.leave(); }

  PushTally finish() {
    done_.wait();
    tally_.complete = tally_.items >= wanted_;
    return tally_;
  }

 private:
  const grpc::ByteBuffer request_;
  const int item_field_;
  const std::uint64_t wanted_;
  const Clock::time_point begun_ = Clock::now();
  grpc::ClientContext context_;
  grpc::ByteBuffer message_;
  PushTally tally_;
  Latch done_{1};
};

}  // namespace

UnaryTally call_over_and_over(const std::shared_ptr<grpc::Channel>& channel, const WireCall& call,
                              int concurrency, std::chrono::milliseconds time) {
  grpc::GenericStub stub(channel);
  Latch latch(concurrency);
  const Clock::time_point begun = Clock::now();
  std::deque<CallSlot> slots;
  for (int i = 0; i < concurrency; ++i) slots.emplace_back(stub, call, begun + time, latch);
  for (CallSlot& slot : slots) slot.begin();
  latch.wait();
  UnaryTally tally;
  tally.seconds = seconds_since(begun);
  for (const CallSlot& slot : slots) {
    tally.calls += slot.answered;
    tally.failed += slot.failed;
    tally.answer_bytes = slot.answer_bytes;
  }
  return tally;
}

PushTally read_over_and_over(const std::shared_ptr<grpc::Channel>& channel, const WireCall& call,
                             int item_field, std::uint64_t items, std::chrono::milliseconds time,
                             const std::function<bool()>& before) {
  grpc::GenericStub stub(channel);
  const Clock::time_point until = Clock::now() + time;
  PushTally sum;
  do {
    if (before && !before()) {
      sum.complete = false;
      break;
    }
    PushReader reader(stub, call, item_field, items);
    const PushTally one = reader.finish();
    sum.items += one.items;
    sum.messages += one.messages;
    sum.bytes += one.bytes;
    sum.seconds += one.seconds;
    sum.complete = sum.complete && one.complete;
  } while (sum.complete && Clock::now() < until);
  return sum;
}

}  // namespace repath::ceiling
