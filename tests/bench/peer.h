// Another program set beside the project's own: told a map and a scenario, it prints `cost us` for
// each query.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/ids.h"
#include "grid/layer.h"

namespace repath::bench {

struct PeerAnswer {
  double length = 0;  // cells
  double us = 0;
};

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

 private:
  std::string folder_;
};

}  // namespace repath::bench
