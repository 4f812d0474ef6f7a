// Another program set beside the project's own: told a map and a scenario, it prints `cost us` for
// each query.
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
  double length = 0;  // cells, or world units of a mesh
  double us = 0;
};

inline constexpr double kPeerNoise = 1e-4;  // of its lengths, a share: it knows no lattice

// Places on a mesh, world units.
struct PeerQuery {
  Point from;
  Point to;
};

// Says so on stderr; returns what a program ends with then.
int report_failed_peer();

// Runs `command` 'MAP' 'SCEN'. None: it cannot be run, or ended with another status than 0.
std::optional<std::vector<PeerAnswer>> ask_peer(const std::string& command, const std::string& map,
                                                const std::string& scen);

// A folder of its own for a map and a scenario that change; gone with it.
class PeerFolder {
 public:
  PeerFolder();
  ~PeerFolder();
  PeerFolder(const PeerFolder&) = delete;
  PeerFolder& operator=(const PeerFolder&) = delete;

  // One query on the layer as it is, asked so many times that the peer's caches are warm: the best
  // of them.
  std::optional<PeerAnswer> ask(const std::string& command, const GridLayer& layer, NodeId from,
                                NodeId to) const;
  // All of them on the mesh of a file, as a scenario with coordinates that are not whole. None,
  // too: it gave another number of answers.
  std::optional<std::vector<PeerAnswer>> ask(const std::string& command, const std::string& mesh,
                                             std::span<const PeerQuery> queries) const;

 private:
  std::string folder_;
};

}  // namespace repath::bench
