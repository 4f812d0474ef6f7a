// Every method of every service, called with any bytes. An input is a few calls one after the
// other on small worlds of every kind. A world that a call has changed is made again afterwards, so
// that an input does the same whenever it is fed.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "rpc/fields/worlds.h"
#include "rpc/random/calls.h"
#include "support/fuzz.h"
#include "support/hostile_message.h"

namespace repath {
namespace {

using test::FieldKind;
using test::FieldLine;
using test::FieldTable;
using test::Message;
using test::MethodDescriptor;

Limits small_limits() {
  Limits limits;
  limits.worlds_max = 12;
  limits.agents_per_world_max = 64;
  limits.memory_total_mb = 512;
  limits.world_memory_mb = 64;
  limits.import_mb_max = 1;
  limits.import_work_units = 1'000'000;
  limits.query_expansions_max = 20'000;
  limits.query_memory_mb = 32;
  limits.history_revisions = 100;
  limits.history_mb = 1;
  limits.world_threads = limits.query_threads = limits.writer_threads = 1;
  return limits;
}

// Messages of one method: several only for a stream of them.
struct FuzzedCall {
  const MethodDescriptor* method = nullptr;
  std::vector<std::string> requests;
};

class RequestFuzz : public test::FieldWorlds {
 protected:
  RequestFuzz() : FieldWorlds(small_limits()), methods_(test::all_methods()) {
    std::ranges::sort(methods_, {}, &MethodDescriptor::full_name);
  }
  void SetUp() override {
    Server::SetUp();
    channel_ = server_->channel();
    for (const FieldKind& kind : test::kFieldKinds) make(kind, kind.name);
  }

  // A message in an input: the number of its method, the size of the message, and the message.
  std::string written(const MethodDescriptor& method, const std::string& request) const {
    const auto at = std::ranges::find(methods_, &method) - methods_.begin();
    const std::size_t size = std::min(request.size(), kBytesMax);
    return {std::string{static_cast<char>(at), static_cast<char>(size & 255),
                        static_cast<char>(size >> 8)} +
            request.substr(0, size)};
  }
  std::vector<FuzzedCall> calls_in(std::string_view text) const {
    std::vector<FuzzedCall> calls;
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    for (std::size_t left = kMessagesMax; left > 0 && text.size() >= kHeadBytes; --left) {
      const auto* method = methods_[byte(0) % methods_.size()];
      const std::size_t size = byte(1) | static_cast<std::size_t>(byte(2)) << 8;
      const std::string request(text.substr(kHeadBytes, size));
      text.remove_prefix(std::min(text.size(), kHeadBytes + size));
      const bool goes_on =
          !calls.empty() && calls.back().method == method && method->client_streaming();
      if (!goes_on) calls.push_back({method, {}});
      calls.back().requests.push_back(request);
    }
    return calls;
  }

  absl::Status read(const std::string& text) {
    absl::Status first;
    std::set<std::string> touched;
    for (const FuzzedCall& call : calls_in(text)) {
      const grpc::Status status = make_call(call);
      first.Update(judged(call, status));
      const MethodRule* rule = rule_of(call.method->full_name());
      if (rule->scope != Scope::kRead || call.method->client_streaming())
        touched.insert(world_of(call, std::string(rule->world_field)));
    }
    for (const std::string& name : touched) renew(name);
    return first;
  }

  // The table's calls on a kind of world that the server answers. They are the seeds.
  std::vector<std::string> seeds() {
    std::vector<std::string> all;
    std::set<std::string> answered;
    for (const auto* method : methods_) {
      for (const FieldKind& kind : test::kFieldKinds) {
        const std::string seed = written(*method, base(*method, kind)->SerializeAsString());
        if (!read(seed).ok()) continue;
        all.push_back(seed);
        answered.insert(method->name());
      }
    }
    for (const auto* method : methods_)
      EXPECT_TRUE(answered.contains(method->name()) || method->name() == "Backup" ||
                  method->name() == "CloseSession" || method->client_streaming())
          << method->name() << " has no seed";
    return all;
  }

  std::string hostile(Random* random) {
    std::string text;
    const auto any = [random](const auto& list) {
      return list[random->below(static_cast<std::uint32_t>(std::size(list)))];
    };
    for (std::uint32_t n = 1 + random->below(3); n > 0; --n) {
      const MethodDescriptor& method = *any(methods_);
      const FieldKind kind = any(test::kFieldKinds);
      const test::MessagePtr message = base(method, kind);
      test::HostileMessage(random, kNames).change(message.get());
      text += written(method, message->SerializeAsString());
      if (method.name() == "ImportWorld") {
        v1::ImportWorldRequest chunk;
        chunk.set_chunk(kind.file);
        text += written(method, chunk.SerializeAsString());
      }
    }
    return text;
  }

 private:
  static constexpr std::size_t kHeadBytes = 3;
  static constexpr std::size_t kMessagesMax = 8;
  static constexpr std::size_t kBytesMax = 0xffff;
  static constexpr std::chrono::milliseconds kPatience{20};
  inline static const std::vector<std::string> kNames{
      "square",  "four", "hex", "plan",  "obj", "graph", "other",
      "default", "wide", "s",   "swamp", "car", "auto",  "00000000000000000000000000000000"};

  // The call of the table on this kind.
  test::MessagePtr base(const MethodDescriptor& method, const FieldKind& kind) {
    const FieldTable& table = FieldTable::get();
    const FieldLine* line = table.exact(std::string("base-") + kind.letter, method.name());
    if (line == nullptr) line = table.exact("base", method.name());
    return request_of(method.name(), line == nullptr ? "" : line->part(1), kind.name);
  }

  grpc::Status make_call(const FuzzedCall& call) {
    const bool is_endless = call.method->server_streaming() && call.method->name() != "ExportWorld";
    std::vector<grpc::ByteBuffer> answers;
    return exchange(*call.method, call.requests, is_endless ? 1 : 1000, kPatience, &answers);
  }

  // Returns the call's error with its reason. Only gRPC's own error, about bytes that are no
  // message, has none.
  static absl::Status judged(const FuzzedCall& call, const grpc::Status& status) {
    if (status.ok()) return absl::OkStatus();
    const std::string what = call.method->name() + ": " + status.error_message();
    const auto is_message = [&](const std::string& bytes) {
      return test::new_message(*call.method->input_type())->ParseFromString(bytes);
    };
    if (!std::ranges::all_of(call.requests, is_message))
      return make_error(absl::StatusCode::kInvalidArgument, "PROTO_INVALID", "", what);
    EXPECT_TRUE(test::is_ordinary(status.error_code())) << status.error_code() << " " << what;
    const test::Fault fault = test::fault_of(status);
    EXPECT_EQ(fault.infos, 1) << what;
    EXPECT_NE(fault.reason, "QUARANTINED") << what;
    return make_error(static_cast<absl::StatusCode>(status.error_code()), fault.reason, "", what);
  }

  // Returns the world that a call names: the text at the dotted path.
  static std::string world_of(const FuzzedCall& call, std::string path) {
    if (path.empty()) return "";
    const test::MessagePtr request = test::new_message(*call.method->input_type());
    (void)request->ParseFromString(call.requests.front());
    Message* at = request.get();
    for (std::size_t dot = 0; (dot = path.find('.')) != std::string::npos; path.erase(0, dot + 1))
      at = at->GetReflection()->MutableMessage(
          at, at->GetDescriptor()->FindFieldByName(path.substr(0, dot)));
    return at->GetReflection()->GetString(*at, at->GetDescriptor()->FindFieldByName(path));
  }

  void renew(const std::string& name) {
    for (const FieldKind& kind : test::kFieldKinds)
      if (name == kind.name) return make(kind, name);
    drop(name);
  }

  std::vector<const MethodDescriptor*> methods_;
};

TEST_F(RequestFuzz, EveryMethod) {
  test::feed(
      seeds(), [this](const std::string& text) { return read(text); },
      [this](Random* random) { return hostile(random); });
}

}  // namespace
}  // namespace repath
