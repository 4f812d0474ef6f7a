// Measures a server with a folder of many worlds, of which few are in use: how soon it is ready,
// how soon a world that lies on the disk answers, and what it holds in memory.
//
// Thread rule: one thread calls; the making uses threads of its own.
#pragma once

#include <grpcpp/support/status.h>

#include <string>

namespace repath::ceiling {

struct ManyWorldsOptions {
  std::string repathd;     // the server's program
  std::string data;        // an empty folder on the disk to measure
  int worlds = 100'000;    // all of them; 64 x 64 cells, but the changed ones
  int in_use = 1000;       // of these
  int changed_worlds = 5;  // 512 x 512 cells, with changes to replay
  int changes = 9'999;     // in each of them; a snapshot would come with 10,000
};

struct ManyWorldsFigures {
  double made_per_s = 0;
  double ready_s = 0;       // from the start of the process to its "ready"
  double ready_bytes = 0;   // resident memory then
  double first_p50_ms = 0;  // of the first GetWorld of a world that is not in memory
  double first_p99_ms = 0;
  double in_use_bytes = 0;     // resident memory with all of `in_use` loaded
  double replayed_p50_ms = 0;  // as first_p50_ms, of the changed worlds
  double replayed_longest_ms = 0;
};

// Fills the folder, ends the server, starts it again and measures. The error of the first refused
// call; UNAVAILABLE if the server does not start.
grpc::Status measure_many_worlds(const ManyWorldsOptions& options, ManyWorldsFigures* figures);

}  // namespace repath::ceiling
