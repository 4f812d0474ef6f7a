// Counts the calls and streams under way, and the memory that their requests and unread answers
// hold, for each client and in all. For each client it also counts the calls begun in a second, and
// the nodes that its queries expand.
//
// A client is a token or a certificate, or else an address. A call counts from its beginning until
// gRPC is done with it, so an unread answer counts. A message of a stream counts until gRPC has
// handed it to the connection. The sweep cancels calls whose client takes their answer or message
// too slowly. A client that holds too much begins no more calls. While its unread answers exceed
// twice its share, its calls that would add another one end with an error instead.
//
// gRPC makes a context for each call here, which carries the call's part of the ledger.
//
// Thread rule: any thread. Must outlive the server.
#pragma once

#include <grpc/status.h>
#include <grpcpp/server_context.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "limits/rate_budget.h"
#include "rpc/connection_table.h"
#include "rpc/passed_peer.h"
#include "runtime/query_pool.h"

namespace repath {

class CallLedger {
 public:
  struct Bounds {
    std::uint64_t calls_max = 65'536;
    std::uint64_t calls_per_client_max = 16'384;
    std::uint64_t bytes_max = std::uint64_t{1} << 30;
    std::uint64_t bytes_per_client_max = std::uint64_t{256} << 20;
    Micros send_timeout_us = 60'000'000;
    // Limits for each client; 0: none.
    std::uint64_t calls_per_second = 0;
    std::uint64_t expansions_per_second = 0;
  };
  struct Client {
    ClientKey key{};
    std::string name;
    std::uint64_t calls = 0;
    std::uint64_t bytes = 0;
    std::uint64_t unread = 0;             // of `bytes`: answers and messages on their way
    std::atomic<std::uint64_t> held = 0;  // by Held, beside `bytes`
    // Empty without a limit.
    std::optional<RateBudget> call_rate;
    std::optional<RateBudget> expansion_rate;
  };
  // Memory of a message that counts while this object lives.
  class Held {
   public:
    Held(std::shared_ptr<Client> client, std::shared_ptr<std::atomic<std::uint64_t>> all,
         std::uint64_t bytes)
        : client_(std::move(client)), all_(std::move(all)), bytes_(bytes) {
      client_->held += bytes_;
      *all_ += bytes_;
    }
    ~Held() {
      client_->held -= bytes_;
      *all_ -= bytes_;
    }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;

   private:
    const std::shared_ptr<Client> client_;
    const std::shared_ptr<std::atomic<std::uint64_t>> all_;
    const std::uint64_t bytes_;
  };
  static constexpr std::uint64_t kSmallAnswerBytes = 4096;
  class Context;
  class Contexts;
  // A call's part of the ledger.
  struct Entry {
    Context* owner = nullptr;
    const Contexts* maker = nullptr;
    CallLedger* ledger = nullptr;
    Entry* before = nullptr;  // in the list of all contexts
    Entry* after = nullptr;
    std::shared_ptr<Client> client;  // null until the call begins
    std::shared_ptr<Connection> connection;
    std::uint64_t bytes = 0;
    std::uint64_t unread = 0;  // as Client::unread
    Micros sending_since = 0;  // 0: nothing is being sent
    bool is_hurried = false;   // the client has one second to take it
    bool is_of_grpc = false;
    bool is_cut = false;
  };
  // The context that gRPC gives to a handler. Every context of the server is one.
  class Context final : public grpc::CallbackServerContext {
   private:
    friend class CallLedger;
    Entry entry_;
  };

  // Borrows `connections` and `passed`.
  CallLedger(const Bounds& bounds, const ConnectionTable& connections, const PassedPeer& passed)
      : bounds_(bounds), connections_(connections), passed_(passed) {}

  // Returns the allocator for ServerBuilder. It owns the contexts of calls that never began,
  // because gRPC does not give these back.
  std::unique_ptr<grpc::ContextAllocator> contexts();

  struct Request {
    std::uint64_t wire_bytes = 0;
    std::uint64_t bytes = 0;  // in memory
    bool is_of_grpc = false;  // a method that gRPC serves itself
  };
  // Counts a call that begins with a request. `caller` names its token or certificate; empty: there
  // is none. RESOURCE_EXHAUSTED with reason CALLS_MAX, HELD_MAX or CALL_RATE and the delay after
  // which to try again. A refused call counts too, until it is over.
  absl::Status begin(grpc::ServerContextBase& context, const std::string& caller,
                     const Request& request);
  // Counts a call by HTTP of the client of that name, before its request is read. begin() does not
  // count it a second time. RESOURCE_EXHAUSTED with reason CALL_RATE, as begin().
  absl::Status count_ahead(const std::string& client);
  // Counts memory that a message of the call's stream takes, as long as what is returned lives,
  // which may be longer than the call. RESOURCE_EXHAUSTED with reason HELD_MAX. REQUIRES: the call
  // has begun.
  static absl::StatusOr<std::shared_ptr<Held>> hold(const grpc::ServerContextBase& context,
                                                    std::uint64_t bytes);
  // Takes note that a message of a stream of so many bytes goes out; 0: a status alone. One goes
  // out at a time. RESOURCE_EXHAUSTED with reason HELD_MAX if unread ones hold too much: then this
  // one must not go out, and the call must end with that status.
  static absl::Status sending(grpc::ServerContextBase& context, std::uint64_t bytes);
  // As sending(), of the answer of a call without a stream. One of at most kSmallAnswerBytes always
  // goes out: the call may have taken effect, and its client must learn that.
  static absl::Status answering(grpc::ServerContextBase& context, std::uint64_t bytes);
  // Take note that the message has gone, and that one of so many bytes has come in on a stream.
  static void sent(grpc::ServerContextBase& context);
  static void received(const grpc::ServerContextBase& context, std::uint64_t bytes);
  // Returns RESOURCE_EXHAUSTED with reason EXPANSION_RATE and the delay after which to try again if
  // the queries of the call's client have done too much work of late.
  static absl::Status check_search(grpc::ServerContextBase& context);
  // Takes note that a query of the call has done so much work (QueryLimits::work).
  static void note_search(grpc::ServerContextBase& context, std::uint64_t work);
  // Return the client of a call that has begun.
  static ClientKey client_of(const grpc::ServerContextBase& context);
  static std::string client_name(const grpc::ServerContextBase& context);

  // Cancels the calls whose client is too slow, and forgets clients without calls.
  void sweep(Micros now);
  // Gives clients only a second from now on, and ends the streams of health, which gRPC leaves
  // open.
  void hurry() { hurries_ = true; }
  std::string metrics_text() const;

 private:
  static absl::Status send(grpc::ServerContextBase& context, std::uint64_t bytes,
                           std::uint64_t small_max);
  static Entry& entry_of(grpc::ServerContextBase& context) {
    return static_cast<Context&>(context).entry_;
  }
  std::shared_ptr<Client> client_named(const std::string& name, Micros now);
  grpc::CallbackServerContext* make(const Contexts& maker);
  // Returns a context of this maker that gRPC has not given back; null if there is none.
  grpc::CallbackServerContext* any_of(const Contexts& maker) const;
  void end(grpc::CallbackServerContext* context);
  // REQUIRE: the mutex is held.
  absl::Status use_call_rate(Client& client, Micros now);
  absl::Status check_held(const Client& client) const;
  absl::Status check_unread(const Client& client) const;
  void count_bytes(Entry& entry, std::uint64_t more);
  void count_unread(Entry& entry, std::uint64_t more);
  grpc_call* cut_out(Entry& entry);
  // Returns whether the client has no calls, and a new one would have no more of its rates.
  static bool is_over(Client& client, Micros now);
  bool has_rates() const {
    return bounds_.calls_per_second != 0 || bounds_.expansions_per_second != 0;
  }
  absl::Status above_rate(const Client& client, bool is_search, Micros wait, Micros now);
  // Cancels calls and gives back the references to them that cut_out() took.
  static void cancel(const std::vector<grpc_call*>& calls, grpc_status_code code, const char* why);
  // Counts calls that end because their client does not read, and logs it now and then. REQUIRES:
  // the mutex is held.
  void note_cut(std::uint64_t calls, const char* why);

  const Bounds bounds_;
  const ConnectionTable& connections_;
  const PassedPeer& passed_;
  // The sum of all Held.
  const std::shared_ptr<std::atomic<std::uint64_t>> held_ =
      std::make_shared<std::atomic<std::uint64_t>>(0);
  std::atomic<bool> hurries_{false};
  mutable std::mutex mutex_;  // guards all members below, and every entry
  absl::flat_hash_map<std::string, std::shared_ptr<Client>>
      clients_;  // those with calls now or of late
  Entry all_;    // ring of all contexts
  std::uint64_t last_key_ = 0;
  std::uint64_t calls_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t unread_ = 0;
  std::uint64_t refused_ = 0;
  std::uint64_t cut_ = 0;
  std::uint64_t cut_in_log_ = 0;
  Micros log_after_ = 0;
  std::array<std::uint64_t, 2> above_rate_{};  // refused calls, and refused queries
  std::uint64_t above_rate_in_log_ = 0;
  Micros rate_log_after_ = 0;
  Micros forget_after_ = 0;
};

}  // namespace repath
