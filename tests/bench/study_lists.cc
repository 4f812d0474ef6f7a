// The study of open lists: the same A* with a heap and with a list that is kept sorted.
#include <algorithm>
#include <list>
#include <queue>
#include <string>
#include <vector>

#include "base/check.h"
#include "bench/ground.h"
#include "bench/samples.h"
#include "bench/studies_bench.h"
#include "bench/study_maps.h"

namespace repath::bench {
namespace {

// The least f first, then the larger g, then the least id.
struct Waiting {
  Cost f = 0;
  Cost g = 0;
  NodeId node{};
  bool operator<(const Waiting& other) const {
    if (f != other.f) return f < other.f;
    return g != other.g ? g > other.g : node < other.node;
  }
};

class Heap {
 public:
  void push(const Waiting& entry) { entries_.push(entry); }
  Waiting pop() {
    const Waiting first = entries_.top();
    entries_.pop();
    return first;
  }
  bool empty() const { return entries_.empty(); }

 private:
  struct Later {
    bool operator()(const Waiting& a, const Waiting& b) const { return b < a; }
  };
  std::priority_queue<Waiting, std::vector<Waiting>, Later> entries_;
};

// As textbooks have it: a new entry is put in its place from the front on.
class SortedList {
 public:
  void push(const Waiting& entry) {
    entries_.insert(std::ranges::find_if(entries_, [&](const Waiting& e) { return entry < e; }),
                    entry);
  }
  Waiting pop() {
    const Waiting first = entries_.front();
    entries_.pop_front();
    return first;
  }
  bool empty() const { return entries_.empty(); }

 private:
  std::list<Waiting> entries_;
};

struct Walked {
  Cost cost = kUnreachable;
  std::uint64_t expanded = 0;
  double us = 0;
};

// A* as in the textbook; an entry that was overtaken is passed over when its turn comes.
template <class Open>
Walked a_star(const GridGraph& graph, NodeId from, NodeId to) {
  const OnceStopwatch watch;
  Walked walked;
  std::vector<Cost> g(graph.node_count(), kUnreachable);
  Open open;
  g[index(from)] = 0;
  open.push({graph.heuristic(from, to), 0, from});
  while (!open.empty()) {
    const Waiting next = open.pop();
    if (next.g != g[index(next.node)]) continue;
    ++walked.expanded;
    if (next.node == to) {
      walked.cost = next.g;
      break;
    }
    graph.for_each_successor(next.node, [&](NodeId node, Cost step) {
      const Cost there = next.g + step;
      if (there >= g[index(node)]) return;
      g[index(node)] = there;
      open.push({there + graph.heuristic(node, to), there, node});
    });
  }
  walked.us = watch.us();
  return walked;
}

template <class Open>
Walked best_of(const GridGraph& graph, NodeId from, NodeId to, int passes) {
  Walked best = a_star<Open>(graph, from, to);
  for (int pass = 1; pass < passes; ++pass)
    best.us = std::min(best.us, a_star<Open>(graph, from, to).us);
  return best;
}

}  // namespace

void study_lists(const StudiesOptions& options, StudyReport* report) {
  report->begin(
      "lists",
      "The same A* with a heap and with a sorted list as its open list, from a corner to "
      "the middle of the far side. Squares with a\npillar in every third cell of every third row. "
      "Times in us.");
  std::vector<double> ratios;
  for (std::int32_t side = options.list_side / 16; side <= options.list_side; side *= 2) {
    const Snapshot ground = ground_of(pillars(side));
    const GridGraph graph = ground.graph();
    const NodeId from = ground.layer.node_at(0, 0);
    const NodeId to = ground.layer.node_at(side - 3, side / 2 / 3 * 3);
    const Walked heap = best_of<Heap>(graph, from, to, options.passes);
    const Walked list = best_of<SortedList>(graph, from, to, options.passes);
    report->result(heap.cost, heap.cost == list.cost && heap.expanded == list.expanded);
    ratios.push_back(list.us / heap.us);
    report->row({{"side", side},
                 {"length", cells_from_cost(heap.cost)},
                 {"nodes", heap.expanded},
                 {"heap_us", heap.us},
                 {"sorted_list_us", list.us},
                 {"times_as_fast", ratios.back()}});
  }
  const auto text = [](double ratio) { return std::to_string(static_cast<int>(ratio + 0.5)); };
  report->claim("a heap is 2 to 3 times as fast as a sorted list",
                text(ratios.front()) + " times on the shortest path", ratios.front() >= 2);
  report->claim("and 10 times on long paths", text(ratios.back()) + " times on the longest path",
                ratios.back() >= 10);
  report->end();
}

}  // namespace repath::bench
