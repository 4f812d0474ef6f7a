#include "cli/search_trace.h"

#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace repath::cli {
namespace {

// Returns a number for YAML with all its digits; infinity as YAML writes it.
std::string number(double value) {
  if (std::isinf(value)) return value > 0 ? ".inf" : "-.inf";
  if (std::isnan(value)) return ".nan";
  char text[32];
  std::snprintf(text, sizeof text, "%.12g", value);
  return text;
}

class TraceWriter {
 public:
  TraceWriter(std::ostream& out, const SearchFilm& film) : out_(out), film_(film) {}

  void head() {
    out_ << "version: 1.4.0\n\nviews:\n  main:\n";
    if (film_.is_grid()) {
      out_ << "    - $: rect\n      width: 1\n      height: 1\n";
    } else {
      out_ << "    - $: circle\n      radius: " << number(dot()) << '\n';
    }
    out_ << "      x: ${{ $.x }}\n      y: ${{ $.y }}\n      fill: ${{ color[$.type] }}\n\n";
    const char* middle = film_.is_grid() ? " + 0.5" : "";
    out_ << "pivot:\n  x: ${{ $.x" << middle << " }}\n  y: ${{ $.y" << middle
         << " }}\n  scale: 1\n\nevents:";
  }

  // After the last event. A list without events is written as such, for nothing would be null.
  void finish() { out_ << (has_events_ ? "\n" : " []\n"); }

  void event(std::string_view type, std::size_t node) {
    const FilmNode& of = film_.nodes()[node];
    begin(type);
    out_ << node + 1 << ", pId: ";
    of.parent ? out_ << *of.parent + 1 : out_ << "null";
    out_ << ", g: " << number(of.g) << ", h: " << number(of.h) << ", f: " << number(of.f)
         << ", x: " << number(of.x) << ", y: " << number(of.y);
    if (!film_.is_grid()) out_ << ", height: " << number(of.height);
    if (of.id) out_ << ", node: " << *of.id;
    out_ << '}';
  }

  // One end of the path, which need not be a node of the search.
  void end(std::string_view type, double x, double y) {
    begin(type);
    out_ << type << ", x: " << number(x) << ", y: " << number(y) << '}';
  }

 private:
  void begin(std::string_view type) {
    out_ << "\n  - {type: " << type << ", id: ";
    has_events_ = true;
  }

  // A fiftieth of what the search covers is well seen.
  double dot() const {
    double least = HUGE_VAL;
    double most = -HUGE_VAL;
    for (const FilmNode& node : film_.nodes()) {
      least = std::min(least, std::min(node.x, node.y));
      most = std::max(most, std::max(node.x, node.y));
    }
    return most > least ? (most - least) / 100 : 0.5;
  }

  std::ostream& out_;
  const SearchFilm& film_;
  bool has_events_ = false;
};

struct PathEnds {
  double from_x, from_y, to_x, to_y;
};

std::optional<PathEnds> ends_of(const v1::Path& path, bool is_grid) {
  if (is_grid) {
    const int last = path.cells_size() - 2;
    if (last < 0) return std::nullopt;
    return PathEnds{static_cast<double>(path.cells(0)), static_cast<double>(path.cells(1)),
                    static_cast<double>(path.cells(last)),
                    static_cast<double>(path.cells(last + 1))};
  }
  const int last = path.positions_size() - 3;
  if (last < 0) return std::nullopt;
  return PathEnds{path.positions(0), path.positions(2), path.positions(last),
                  path.positions(last + 2)};
}

// Returns the node at a place: of several the one expanded last, or else the last one. Returns
// nothing if the search has no node there, or if the order of its expansions is not known.
std::optional<std::size_t> node_at(const SearchFilm& film, double x, double y) {
  if (film.expansions().empty()) return std::nullopt;
  const auto is_there = [&](std::size_t node) {
    return film.nodes()[node].x == x && film.nodes()[node].y == y;
  };
  for (auto node = film.expansions().rbegin(); node != film.expansions().rend(); ++node)
    if (is_there(*node)) return *node;
  for (std::size_t node = film.nodes().size(); node-- > 0;)
    if (is_there(node)) return node;
  return std::nullopt;
}

}  // namespace

void write_trace(std::ostream& out, const v1::ExplainPathResponse& answer, const SearchFilm& film) {
  std::vector<std::vector<std::size_t>> children(film.nodes().size());
  for (std::size_t i = 0; i < film.nodes().size(); ++i)
    if (film.nodes()[i].parent) children[*film.nodes()[i].parent].push_back(i);
  TraceWriter writer(out, film);
  writer.head();
  const auto ends = ends_of(answer.result().path(), film.is_grid());
  if (ends) {
    writer.end("source", ends->from_x, ends->from_y);
    writer.end("destination", ends->to_x, ends->to_y);
  }
  std::vector<bool> is_generated(film.nodes().size(), false);
  for (const std::size_t node : film.expansions()) {
    writer.event("expanding", node);
    for (const std::size_t child : children[node]) {
      if (!is_generated[child]) writer.event("generating", child);
      is_generated[child] = true;
    }
    writer.event("closing", node);
  }
  const auto last = ends ? node_at(film, ends->to_x, ends->to_y) : std::nullopt;
  if (last) writer.event("end", *last);
  writer.finish();
}

}  // namespace repath::cli
