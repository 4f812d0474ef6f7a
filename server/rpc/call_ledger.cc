#include "rpc/call_ledger.h"

#include <grpc/grpc.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "runtime/threads.h"

namespace repath {
namespace {

constexpr Micros kLedgerLogUs = 10'000'000;
constexpr Micros kForgetEveryUs = 1'000'000;
constexpr Micros kHurryUs = 1'000'000;
constexpr const char* kTooSlowAtEnd =
    "the server shuts down, and the client did not take the answer";
constexpr const char* kTooSlow = "the client did not take the answer in time (--send-timeout-s)";

absl::Status held_up(std::string_view reason, const std::string& why) {
  return with_fact(make_error(absl::StatusCode::kResourceExhausted, reason, "", why),
                   "retry_delay_ms", "1000");
}

absl::Status calls_max(const std::string& whose, std::uint64_t most) {
  return held_up("CALLS_MAX", whose + " has " + std::to_string(most) +
                                  " calls and streams under way, its limit");
}

absl::Status held_max(const std::string& whose, std::uint64_t most) {
  return held_up("HELD_MAX", "requests and unread answers of " + whose + " hold " +
                                 std::to_string(most) + " bytes, their limit; read the answers");
}

std::uint64_t metadata_bytes(const grpc::ServerContextBase& context) {
  std::uint64_t bytes = 0;
  for (const auto& [key, text] : context.client_metadata()) bytes += key.size() + text.size();
  return bytes;
}

}  // namespace

class CallLedger::Contexts final : public grpc::ContextAllocator {
 public:
  explicit Contexts(CallLedger& ledger) : ledger_(ledger) {}
  ~Contexts() override {
    while (grpc::CallbackServerContext* const left = ledger_.any_of(*this)) ledger_.end(left);
  }
  grpc::CallbackServerContext* NewCallbackServerContext() override { return ledger_.make(*this); }
  // gRPC also gives back contexts that it made itself, for calls of methods that do not exist.
  void Release(grpc::CallbackServerContext* context) override {
    if (auto* const own = dynamic_cast<Context*>(context)) ledger_.end(own);
  }

 private:
  CallLedger& ledger_;
};

std::unique_ptr<grpc::ContextAllocator> CallLedger::contexts() {
  return std::make_unique<Contexts>(*this);
}

grpc::CallbackServerContext* CallLedger::make(const Contexts& maker) {
  auto* const context = new Context;  // NOLINT: gRPC gives it back to end()
  Entry& entry = context->entry_;
  entry.owner = context;
  entry.maker = &maker;
  entry.ledger = this;
  const std::lock_guard lock(mutex_);
  if (all_.after == nullptr) all_.after = all_.before = &all_;
  entry.before = &all_;
  entry.after = all_.after;
  entry.before->after = entry.after->before = &entry;
  return context;
}

grpc::CallbackServerContext* CallLedger::any_of(const Contexts& maker) const {
  const std::lock_guard lock(mutex_);
  for (const Entry* at = all_.after; at != nullptr && at != &all_; at = at->after)
    if (at->maker == &maker) return at->owner;
  return nullptr;
}

void CallLedger::end(grpc::CallbackServerContext* context) {
  const std::unique_ptr<Context> owned(static_cast<Context*>(context));
  Entry& entry = owned->entry_;
  if (entry.connection != nullptr) {
    entry.connection->end_call();
    if (context->IsCancelled()) entry.connection->note_reset();
  }
  const std::lock_guard lock(mutex_);
  entry.before->after = entry.after;
  entry.after->before = entry.before;
  if (entry.client == nullptr) return;
  --calls_;
  count_unread(entry, -entry.unread);
  count_bytes(entry, -entry.bytes);
  --entry.client->calls;
  if (is_over(*entry.client, has_rates() ? now_us() : 0)) clients_.erase(entry.client->name);
}

bool CallLedger::is_over(Client& client, Micros now) {
  return client.calls == 0 && (!client.call_rate || client.call_rate->is_full(now)) &&
         (!client.expansion_rate || client.expansion_rate->is_full(now));
}

std::shared_ptr<CallLedger::Client> CallLedger::client_named(const std::string& name, Micros now) {
  std::shared_ptr<Client>& at = clients_[name];
  if (at == nullptr) {
    at = std::make_shared<Client>();
    at->key = ClientKey{++last_key_};
    at->name = name;
    if (bounds_.calls_per_second != 0) at->call_rate.emplace(bounds_.calls_per_second, now);
    if (bounds_.expansions_per_second != 0)
      at->expansion_rate.emplace(bounds_.expansions_per_second, now);
  }
  return at;
}

absl::Status CallLedger::begin(grpc::ServerContextBase& context, const std::string& caller,
                               const Request& request) {
  std::shared_ptr<Connection> connection = connections_.find(context.peer());
  connection->note_message(request.wire_bytes + metadata_bytes(context));
  connection->begin_call();
  const std::optional<PassedPeer::Peer> by_http =
      connection->is_named() ? std::nullopt : passed_.of(context);
  const std::string address = by_http ? address_of_peer(by_http->address) : connection->address();
  Entry& entry = entry_of(context);
  const Micros now = has_rates() ? now_us() : 0;
  const std::lock_guard lock(mutex_);
  entry.connection = std::move(connection);
  entry.client = client_named(caller.empty() ? address : caller, now);
  entry.bytes = request.bytes;
  entry.is_of_grpc = request.is_of_grpc;
  Client& client = *entry.client;
  absl::Status status;
  if (calls_ >= bounds_.calls_max) {
    status = calls_max("the server", bounds_.calls_max);
  } else if (client.calls >= bounds_.calls_per_client_max) {
    status = calls_max("the client", bounds_.calls_per_client_max);
  } else {
    status = check_held(client);
  }
  if (!status.ok()) {
    ++refused_;
  } else if (!by_http) {
    status = use_call_rate(client, now);
  }
  ++calls_;
  ++client.calls;
  bytes_ += request.bytes;
  client.bytes += request.bytes;
  return status;
}

absl::Status CallLedger::count_ahead(const std::string& client) {
  if (bounds_.calls_per_second == 0) return absl::OkStatus();
  const Micros now = now_us();
  const std::lock_guard lock(mutex_);
  return use_call_rate(*client_named(client, now), now);
}

// Counts a call of this second. Returns CALL_RATE, and does not count it, if there are too many.
absl::Status CallLedger::use_call_rate(Client& client, Micros now) {
  if (!client.call_rate) return absl::OkStatus();
  const Micros wait = client.call_rate->wait(now);
  if (wait != 0) return above_rate(client, /*is_search=*/false, wait, now);
  client.call_rate->use(1, now);
  return absl::OkStatus();
}

// Returns HELD_MAX if the client, or all together, hold as much as they may.
absl::Status CallLedger::check_held(const Client& client) const {
  if (bytes_ + *held_ >= bounds_.bytes_max) return held_max("all clients", bounds_.bytes_max);
  if (client.bytes + client.held >= bounds_.bytes_per_client_max)
    return held_max("the client", bounds_.bytes_per_client_max);
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<CallLedger::Held>> CallLedger::hold(
    const grpc::ServerContextBase& context, std::uint64_t bytes) {
  const Entry& entry = static_cast<const Context&>(context).entry_;
  CallLedger& ledger = *entry.ledger;
  const std::lock_guard lock(ledger.mutex_);
  if (absl::Status full = ledger.check_held(*entry.client); !full.ok()) {
    ++ledger.refused_;
    return full;
  }
  return std::make_shared<Held>(entry.client, ledger.held_, bytes);
}

// Counts a refusal, and logs it now and then.
absl::Status CallLedger::above_rate(const Client& client, bool is_search, Micros wait, Micros now) {
  const char* const what = is_search ? "expands more nodes" : "makes more calls";
  const char* const flag = is_search ? "--expansions-per-second-max" : "--calls-per-second-max";
  const std::uint64_t most = is_search ? bounds_.expansions_per_second : bounds_.calls_per_second;
  ++above_rate_[is_search ? 1 : 0];
  if (now >= rate_log_after_) {
    const std::uint64_t sum = above_rate_[0] + above_rate_[1];
    spdlog::warn("calls refused count={} client=\"{}\" reason=\"it {} in a second than {} allows\"",
                 sum - above_rate_in_log_, client.name, what, flag);
    above_rate_in_log_ = sum;
    rate_log_after_ = now + kLedgerLogUs;
  }
  return with_fact(
      make_error(absl::StatusCode::kResourceExhausted, is_search ? "EXPANSION_RATE" : "CALL_RATE",
                 "",
                 std::string("the client ") + what + " in a second than its limit of " +
                     std::to_string(most) + " (" + flag + "); try again later"),
      "retry_delay_ms", std::to_string(wait / 1000 + 1));
}

absl::Status CallLedger::check_search(grpc::ServerContextBase& context) {
  const Entry& entry = entry_of(context);
  CallLedger& ledger = *entry.ledger;
  if (ledger.bounds_.expansions_per_second == 0) return absl::OkStatus();
  const Micros now = now_us();
  const std::lock_guard lock(ledger.mutex_);
  if (entry.client == nullptr) return absl::OkStatus();
  const Micros wait = entry.client->expansion_rate->wait(now);
  return wait == 0 ? absl::OkStatus() : ledger.above_rate(*entry.client, true, wait, now);
}

void CallLedger::note_search(grpc::ServerContextBase& context, std::uint64_t work) {
  const Entry& entry = entry_of(context);
  CallLedger& ledger = *entry.ledger;
  if (ledger.bounds_.expansions_per_second == 0) return;
  const Micros now = now_us();
  const std::lock_guard lock(ledger.mutex_);
  if (entry.client != nullptr) entry.client->expansion_rate->use(work, now);
}

absl::Status CallLedger::check_unread(const Client& client) const {
  const auto above = [](const std::string& whose, std::uint64_t most) {
    return held_up("HELD_MAX", "unread answers of " + whose + " hold more than " +
                                   std::to_string(most) + " bytes, their limit; read the answers");
  };
  if (unread_ > 2 * bounds_.bytes_max) return above("all clients", 2 * bounds_.bytes_max);
  if (client.unread > 2 * bounds_.bytes_per_client_max)
    return above("the client", 2 * bounds_.bytes_per_client_max);
  return absl::OkStatus();
}

absl::Status CallLedger::sending(grpc::ServerContextBase& context, std::uint64_t bytes) {
  return send(context, bytes, /*small_max=*/0);
}

absl::Status CallLedger::answering(grpc::ServerContextBase& context, std::uint64_t bytes) {
  return send(context, bytes, kSmallAnswerBytes);
}

absl::Status CallLedger::send(grpc::ServerContextBase& context, std::uint64_t bytes,
                              std::uint64_t small_max) {
  Entry& entry = entry_of(context);
  CallLedger& ledger = *entry.ledger;
  const std::lock_guard lock(ledger.mutex_);
  if (entry.client == nullptr || entry.is_cut) return absl::OkStatus();
  entry.sending_since = now_us();
  // Its own size does not count: an answer that is read may be larger than that.
  absl::Status full = ledger.check_unread(*entry.client);
  const bool is_small = bytes != 0 && bytes <= small_max;
  entry.is_hurried = !full.ok() && !is_small;
  if (full.ok() || is_small) {
    ledger.count_unread(entry, bytes);
    return absl::OkStatus();
  } else if (bytes == 0) {
    return absl::OkStatus();  // it adds nothing
  } else {
    ledger.note_cut(1, "the client does not read its answers");
  }
  return full;
}

void CallLedger::sent(grpc::ServerContextBase& context) {
  Entry& entry = entry_of(context);
  const std::lock_guard lock(entry.ledger->mutex_);
  if (entry.client == nullptr || entry.is_cut) return;
  entry.sending_since = 0;
  entry.ledger->count_unread(entry, -entry.unread);
}

// `more` may be negative, modulo 2^64.
void CallLedger::count_bytes(Entry& entry, std::uint64_t more) {
  entry.bytes += more;
  bytes_ += more;
  entry.client->bytes += more;
}

void CallLedger::count_unread(Entry& entry, std::uint64_t more) {
  entry.unread += more;
  unread_ += more;
  entry.client->unread += more;
  count_bytes(entry, more);
}

// The bytes of the call count no longer, because gRPC frees them soon.
grpc_call* CallLedger::cut_out(Entry& entry) {
  count_unread(entry, -entry.unread);
  count_bytes(entry, -entry.bytes);
  entry.is_cut = true;
  grpc_call* const call = entry.owner->c_call();
  grpc_call_ref(call);
  return call;
}

void CallLedger::received(const grpc::ServerContextBase& context, std::uint64_t bytes) {
  // Set before the first message comes in, and constant from then on.
  const Entry& entry = static_cast<const Context&>(context).entry_;
  if (entry.connection != nullptr) entry.connection->note_message(bytes);
}

ClientKey CallLedger::client_of(const grpc::ServerContextBase& context) {
  const Entry& entry = static_cast<const Context&>(context).entry_;
  return entry.client == nullptr ? ClientKey{} : entry.client->key;
}

std::string CallLedger::client_name(const grpc::ServerContextBase& context) {
  const Entry& entry = static_cast<const Context&>(context).entry_;
  return entry.client == nullptr ? std::string() : entry.client->name;
}

void CallLedger::sweep(Micros now) {
  const Micros most = bounds_.send_timeout_us;
  const Micros hurried = std::min(kHurryUs, most);
  std::vector<grpc_call*> slow;
  std::vector<grpc_call*> left;
  {
    const std::lock_guard lock(mutex_);
    for (Entry* at = all_.after; at != nullptr && at != &all_; at = at->after) {
      if (at->is_cut) continue;
      if (at->sending_since == 0) {
        if (hurries_ && at->is_of_grpc) left.push_back(cut_out(*at));
      } else if (now >= at->sending_since + (hurries_ || at->is_hurried ? hurried : most)) {
        slow.push_back(cut_out(*at));
      }
    }
    if (has_rates() && now >= forget_after_) {
      forget_after_ = now + kForgetEveryUs;
      absl::erase_if(clients_, [now](const auto& entry) { return is_over(*entry.second, now); });
    }
    if (!slow.empty()) note_cut(slow.size(), hurries_ ? kTooSlowAtEnd : kTooSlow);
  }
  cancel(slow, GRPC_STATUS_RESOURCE_EXHAUSTED, kTooSlow);
  cancel(left, GRPC_STATUS_UNAVAILABLE, "the server shuts down");
}

// Outside of the lock, because gRPC may end a call within this. The call's last message is in the
// way of a status with details; this status overtakes it, and has none.
void CallLedger::cancel(const std::vector<grpc_call*>& calls, grpc_status_code code,
                        const char* why) {
  for (grpc_call* const call : calls) {
    grpc_call_cancel_with_status(call, code, why, nullptr);
    grpc_call_unref(call);
  }
}

void CallLedger::note_cut(std::uint64_t calls, const char* why) {
  cut_ += calls;
  const Micros now = now_us();
  if (now < log_after_) return;
  log_after_ = now + kLedgerLogUs;
  spdlog::warn("calls ended count={} reason=\"{}\"", cut_ - cut_in_log_, why);
  cut_in_log_ = cut_;
}

std::string CallLedger::metrics_text() const {
  const auto one = [](const std::string& name, const std::string& help, const std::string& type,
                      std::uint64_t value) {
    return "# HELP " + name + " " + help + "\n# TYPE " + name + " " + type + "\n" + name + " " +
           std::to_string(value) + "\n";
  };
  const std::lock_guard lock(mutex_);
  return one("repath_calls", "Calls and streams under way.", "gauge", calls_) +
         one("repath_calls_held_bytes", "Bytes of requests and unread answers under way.", "gauge",
             bytes_ + *held_) +
         one("repath_clients", "Clients with calls under way, or above a rate of late.", "gauge",
             clients_.size()) +
         one("repath_calls_refused_total", "Calls refused because too many were under way.",
             "counter", refused_) +
         one("repath_calls_above_rate_total",
             "Calls refused because their client begins too many in a second.", "counter",
             above_rate_[0]) +
         one("repath_queries_above_rate_total",
             "Queries refused because those of their client expand too many nodes in a second.",
             "counter", above_rate_[1]) +
         one("repath_calls_cut_total", "Calls and streams ended because their client did not read.",
             "counter", cut_);
}

}  // namespace repath
