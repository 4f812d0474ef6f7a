// What things cost a server in memory: worlds, agents, goals, streams, each put into a server of
// its own until they outweigh all else, and what its process grew by divided by their number.
//
// Thread rule: one thread.
#pragma once

#include <grpcpp/support/status.h>

#include <string>
#include <vector>

namespace repath::ceiling {

struct Weight {
  std::string key;   // as in the JSON object
  std::string what;  // as in the table
  int things = 0;
  double bytes = 0;  // of the server's resident memory, for each
};

// Starts and ends `repathd`, at this path, once for each row. `percent`, [1, 100], of the usual
// numbers: with few of a thing all else weighs, too. UNAVAILABLE if it does not start, or what a
// call was refused with.
grpc::Status weigh(const std::string& repathd, int percent, std::vector<Weight>& weights);

}  // namespace repath::ceiling
