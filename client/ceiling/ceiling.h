// Measures how much of gRPC's own throughput the server reaches: FindPath beside a bare echo, path
// updates beside a bare stream. Both sides move equal bytes and are measured in turns. Each server
// has one core and the caller another.
//
// Thread rule: one thread.
#pragma once

#include <grpcpp/support/status.h>

#include <cstdint>
#include <string>
#include <vector>

#include "repath/security.h"

namespace repath::ceiling {

struct Plan {
  std::string repathd;  // the two programs
  std::string bare;
  int pairs = 5;         // pairs of measurements; their median counts
  double seconds = 2;    // length of each measurement
  int concurrency = 64;  // calls under way at a time
  int agents = 16'384;   // agents whose paths are pushed
  // Paths of PEM files with which both servers have TLS, and of the token file that repathd asks
  // for; empty: none. The caller has `security` on both sides, so that both get the same bytes.
  std::string tls_certificate;
  std::string tls_key;
  std::string tokens;
  client::Security security;
};

// Medians over the pairs.
struct QuerySide {
  double calls_per_s = 0;
  double cpu_us_per_call = 0;  // of the server
};
struct PushSide {
  double items_per_s = 0;
  double cpu_us_per_item = 0;
};
struct Figures {
  QuerySide query;
  QuerySide echo;
  double query_share = 0;      // median of the pairs' calls per second, query by echo
  double query_cpu_ratio = 0;  // median of the pairs' processor time for a call, query by echo
  std::uint64_t request_bytes = 0;
  std::uint64_t answer_bytes = 0;
  PushSide push;        // to readers that begin one after another at one revision
  PushSide first_push;  // to readers that are each the first after a change
  PushSide stream;
  double push_share = 0;  // median of the pairs' items per second, push by stream
  double first_push_share = 0;
  double item_bytes = 0;
  double items_per_message = 0;
  int cores = 0;  // 1: servers and caller shared one core
};

// Starts both servers on ports of the loopback interface, measures, ends them. Takes about 6 x
// pairs x seconds. UNAVAILABLE if one does not start; else the error of a refused call.
grpc::Status measure(const Plan& plan, Figures& figures);

}  // namespace repath::ceiling
