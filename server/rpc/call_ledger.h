// The calls and streams under way: their number and the memory that their requests and unread
// answers hold, for each client and in all.
//
// A client is a token or a certificate, or else an address. A call counts from its beginning until
// gRPC is done with it, so an unread answer counts. The sweep cancels calls whose client
// takes their answer or message too slowly. A client that holds too much begins no more calls.
// Should its answers still exceed twice its share, they are dropped.
//
// gRPC makes a context for each call here, which carries the call's part of the ledger.
//
// Thread rule: any thread. Must outlive the server.
#pragma once

#include <grpcpp/server_context.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "rpc/connection_table.h"
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
  };
  struct Client {
    ClientKey key{};
    std::string name;
    std::uint64_t calls = 0;
    std::uint64_t bytes = 0;
  };
  class Context;
  // A call's part of the ledger.
  struct Entry {
    Context* owner = nullptr;
    CallLedger* ledger = nullptr;
    Entry* before = nullptr;  // in the list of all contexts
    Entry* after = nullptr;
    std::shared_ptr<Client> client;  // null until the call begins
    std::shared_ptr<Connection> connection;
    std::uint64_t bytes = 0;
    Micros sending_since = 0;  // 0: nothing is being sent
    bool is_cut = false;
  };
  // The context that gRPC gives to a handler. Every context of the server is one.
  class Context final : public grpc::CallbackServerContext {
   private:
    friend class CallLedger;
    Entry entry_;
  };

  // Borrows `connections`.
  CallLedger(const Bounds& bounds, const ConnectionTable& connections)
      : bounds_(bounds), connections_(connections) {}

  // Returns the allocator for ServerBuilder. It has the contexts of calls that never began, which
  // gRPC does not give back.
  std::unique_ptr<grpc::ContextAllocator> contexts();

  // Counts a call that begins with a request of so many bytes. `caller` names its token or
  // certificate; empty: there is none. RESOURCE_EXHAUSTED with reason CALLS_MAX or HELD_MAX and the
  // delay after which to try again; the call counts even so, until it is over.
  absl::Status begin(grpc::ServerContextBase& context, const std::string& caller,
                     std::uint64_t bytes);
  // Take note that an answer or a message goes out, that it has gone, and that one has come in.
  void sending(grpc::ServerContextBase& context, std::uint64_t bytes);
  void sent(grpc::ServerContextBase& context, std::uint64_t bytes);
  void received(grpc::ServerContextBase& context);
  // Takes note of an answer that no interceptor sees.
  static void note_answer(grpc::ServerContextBase& context, std::uint64_t bytes) {
    entry_of(context).ledger->sending(context, bytes);
  }
  // Return the client of a call that has begun.
  static ClientKey client_of(const grpc::ServerContextBase& context);
  static std::string client_name(const grpc::ServerContextBase& context);

  // Cancels the calls whose client is too slow.
  void sweep(Micros now);
  // Gives clients only a second from now on.
  void hurry() { hurries_ = true; }
  std::string metrics_text() const;

 private:
  class Contexts;
  static Entry& entry_of(grpc::ServerContextBase& context) {
    return static_cast<Context&>(context).entry_;
  }
  std::shared_ptr<Client> client_named(const std::string& name);
  grpc::CallbackServerContext* make();
  // Returns a context that gRPC has not given back; null if there is none.
  grpc::CallbackServerContext* any() const;
  void end(grpc::CallbackServerContext* context);
  // REQUIRE: the mutex is held.
  void count_bytes(Entry& entry, std::uint64_t more);
  grpc_call* cut_out(Entry& entry);
  // Cancels calls and gives back the references to them that cut_out() took.
  void cancel(const std::vector<grpc_call*>& calls, const char* why);

  const Bounds bounds_;
  const ConnectionTable& connections_;
  std::atomic<bool> hurries_{false};
  mutable std::mutex mutex_;  // guards all members below, and every entry
  absl::flat_hash_map<std::string, std::shared_ptr<Client>> clients_;  // those with calls
  Entry all_;                                                          // ring of all contexts
  std::uint64_t last_key_ = 0;
  std::uint64_t calls_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t refused_ = 0;
  std::uint64_t cut_ = 0;
  std::uint64_t cut_in_log_ = 0;
  Micros log_after_ = 0;
};

}  // namespace repath
