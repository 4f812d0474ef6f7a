// Another program to compare with: it gets a map and a scenario and prints `cost us` for each
// query.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/ids.h"
#include "geometry/point.h"
#include "grid/cells/layer.h"

namespace repath::bench {

struct PeerAnswer {
  double length = 0;  // cells; world units on a mesh
  double us = 0;
};

// Relative error of its lengths, because it uses no lattice.
inline constexpr double kPeerNoise = 1e-4;

// Places on a mesh, in world units.
struct PeerQuery {
  Point from;
  Point to;
};

// Reports the failure on stderr and returns the exit status for it.
int report_failed_peer();

// Runs `command` 'MAP' 'SCEN'. Empty if it cannot be run, or ended with another status than 0.
std::optional<std::vector<PeerAnswer>> ask_peer(const std::string& command, const std::string& map,
                                                const std::string& scen);

// A temporary folder for a map and a scenario that change; removed by the destructor.
class PeerFolder {
 public:
  PeerFolder();
  ~PeerFolder();
  PeerFolder(const PeerFolder&) = delete;
  PeerFolder& operator=(const PeerFolder&) = delete;

  // Asks one query on the layer as it is, repeatedly until the peer's caches are warm; returns the
  // best answer.
  std::optional<PeerAnswer> ask(const std::string& command, const GridLayer& layer, NodeId from,
                                NodeId to) const;
  // Asks all queries on the mesh of a file, as a scenario with real coordinates. Also empty if the
  // peer gave another number of answers.
  std::optional<std::vector<PeerAnswer>> ask(const std::string& command, const std::string& mesh,
                                             std::span<const PeerQuery> queries) const;

 private:
  std::string folder_;
};

}  // namespace repath::bench
