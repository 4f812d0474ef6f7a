#include "cli/search_trace.h"

#include <cmath>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace repath::cli {
namespace {

// A number of YAML with all its digits; infinity as YAML writes it.
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
         << " }}\n  scale: 1\n\nevents:\n";
  }

  void event(std::string_view type, std::size_t node) {
    const FilmNode& of = film_.nodes()[node];
    out_ << "  - {type: " << type << ", id: " << node + 1 << ", pId: ";
    of.parent ? out_ << *of.parent + 1 : out_ << "null";
    out_ << ", g: " << number(of.g) << ", h: " << number(of.h) << ", f: " << number(of.f)
         << ", x: " << number(of.x) << ", y: " << number(of.y);
    if (!film_.is_grid()) out_ << ", height: " << number(of.height);
    if (of.id) out_ << ", node: " << *of.id;
    out_ << "}\n";
  }

  // One end of the path, which need not be a node of the search.
  void end(std::string_view type, double x, double y) {
    out_ << "  - {type: " << type << ", id: " << type << ", x: " << number(x)
         << ", y: " << number(y) << "}\n";
  }

 private:
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
};

void write_ends(const v1::ExplainPathResponse& answer, const SearchFilm& film,
                TraceWriter* writer) {
  const v1::Path& path = answer.result().path();
  if (film.is_grid()) {
    if (path.cells_size() < 2) return;
    writer->end("source", path.cells(0), path.cells(1));
    writer->end("destination", path.cells(path.cells_size() - 2),
                path.cells(path.cells_size() - 1));
  } else if (path.positions_size() >= 3) {
    const int last = path.positions_size() - 3;
    writer->end("source", path.positions(0), path.positions(2));
    writer->end("destination", path.positions(last), path.positions(last + 2));
  }
}

}  // namespace

void write_trace(std::ostream& out, const v1::ExplainPathResponse& answer, const SearchFilm& film) {
  std::vector<std::vector<std::size_t>> children(film.nodes().size());
  for (std::size_t i = 0; i < film.nodes().size(); ++i)
    if (film.nodes()[i].parent) children[*film.nodes()[i].parent].push_back(i);
  TraceWriter writer(out, film);
  writer.head();
  write_ends(answer, film, &writer);
  std::vector<bool> is_generated(film.nodes().size(), false);
  for (const std::size_t node : film.expansions()) {
    writer.event("expanding", node);
    for (const std::size_t child : children[node]) {
      if (!is_generated[child]) writer.event("generating", child);
      is_generated[child] = true;
    }
    writer.event("closing", node);
  }
}

}  // namespace repath::cli
