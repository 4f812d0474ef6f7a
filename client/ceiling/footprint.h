// Measures how much memory worlds, agents, goals and streams cost. Each row fills a server of its
// own with one kind of thing until it outweighs everything else. The growth of its process is
// divided by their number.
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
  double bytes = 0;  // resident memory of the server for each
};

// Starts and ends `repathd`, at this path, once for each row. `percent` is the share of the usual
// numbers, [1, 100]; with few things the rest of the process weighs too. UNAVAILABLE if it does not
// start; else the error of a refused call.
grpc::Status weigh(const std::string& repathd, int percent, std::vector<Weight>& weights);

}  // namespace repath::ceiling
