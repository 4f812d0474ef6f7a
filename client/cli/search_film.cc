#include "cli/search_film.h"

#include <algorithm>

#include "cli/print.h"

namespace repath::cli {

SearchFilm::SearchFilm(const v1::ExplainPathResponse& answer)
    : is_grid_(answer.positions().empty()) {
  const auto count = static_cast<std::size_t>(answer.closed_size());
  nodes_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const int at = static_cast<int>(i);
    FilmNode& node = nodes_[i];
    if (is_grid_) {
      node.x = answer.cells(2 * at);
      node.y = answer.cells(2 * at + 1);
    } else {
      node.x = answer.positions(3 * at);
      node.height = answer.positions(3 * at + 1);
      node.y = answer.positions(3 * at + 2);
    }
    if (at < answer.nodes_size()) node.id = answer.nodes(at);
    if (at < answer.parents_size() && answer.parents(at) != 0 && answer.parents(at) <= count)
      node.parent = answer.parents(at) - 1;
    node.g = answer.g(at);
    node.h = answer.h(at);
    node.f = answer.f(at);
  }
  expansions_.reserve(static_cast<std::size_t>(answer.expansions_size()));
  for (const std::uint32_t node : answer.expansions())
    if (node < count) expansions_.push_back(node);
}

std::vector<FilmState> SearchFilm::states_after(std::size_t step) const {
  std::vector<FilmState> states(nodes_.size(), FilmState::kUnseen);
  for (std::size_t i = 0; i < std::min(step, steps()); ++i)
    states[expansions_[i]] = FilmState::kClosed;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (states[i] == FilmState::kClosed) continue;
    const std::optional<std::size_t> parent = nodes_[i].parent;
    if (!parent || states[*parent] == FilmState::kClosed) states[i] = FilmState::kOpen;
  }
  return states;
}

std::string SearchFilm::name_of(std::size_t node) const {
  const FilmNode& of = nodes_[node];
  if (is_grid_) {
    return "cell " + std::to_string(static_cast<std::int64_t>(of.x)) + ',' +
           std::to_string(static_cast<std::int64_t>(of.y));
  }
  std::string name = fixed2(of.x) + ',' + fixed2(of.height) + ',' + fixed2(of.y);
  if (of.id) name += " node " + std::to_string(*of.id);
  return name;
}

}  // namespace repath::cli
