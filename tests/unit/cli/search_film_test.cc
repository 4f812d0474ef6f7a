#include "cli/search_film.h"

#include <gtest/gtest.h>

#include <sstream>

#include "cli/search_trace.h"

namespace repath::cli {
namespace {

// Cells 0,0 to 2,0: the first two are expanded one after the other, the third waits.
v1::ExplainPathResponse row_of_three() {
  v1::ExplainPathResponse answer;
  for (int x = 0; x < 3; ++x) {
    answer.add_cells(x);
    answer.add_cells(0);
    answer.add_g(x);
    answer.add_h(2 - x);
    answer.add_f(2);
    answer.add_closed(x < 2);
    answer.add_parents(static_cast<std::uint32_t>(x));
  }
  answer.add_expansions(0);
  answer.add_expansions(1);
  for (const int coordinate : {0, 0, 2, 0})
    answer.mutable_result()->mutable_path()->add_cells(coordinate);
  return answer;
}

using enum FilmState;

TEST(SearchFilm, ANodeOpensWhenItsParentIsExpanded) {
  const SearchFilm film(row_of_three());
  EXPECT_EQ(film.steps(), 2u);
  EXPECT_EQ(film.states_after(0), (std::vector{kOpen, kUnseen, kUnseen}));
  EXPECT_EQ(film.states_after(1), (std::vector{kClosed, kOpen, kUnseen}));
  EXPECT_EQ(film.states_after(2), (std::vector{kClosed, kClosed, kOpen}));
  EXPECT_EQ(film.states_after(99), film.states_after(2));
  EXPECT_EQ(film.name_of(2), "cell 2,0");
}

TEST(SearchFilm, IgnoresWhatIsNotThere) {
  v1::ExplainPathResponse answer = row_of_three();
  answer.set_parents(0, 77);
  answer.add_expansions(9);
  const SearchFilm film(answer);
  EXPECT_FALSE(film.nodes()[0].parent);
  EXPECT_EQ(film.steps(), 2u);
}

TEST(SearchTrace, ListsTheEventsOfASearchInPosthocsFormat) {
  const v1::ExplainPathResponse answer = row_of_three();
  std::ostringstream out;
  write_trace(out, answer, SearchFilm(answer));
  EXPECT_EQ(out.str(), R"(version: 1.4.0

views:
  main:
    - $: rect
      width: 1
      height: 1
      x: ${{ $.x }}
      y: ${{ $.y }}
      fill: ${{ color[$.type] }}

pivot:
  x: ${{ $.x + 0.5 }}
  y: ${{ $.y + 0.5 }}
  scale: 1

events:
  - {type: source, id: source, x: 0, y: 0}
  - {type: destination, id: destination, x: 2, y: 0}
  - {type: expanding, id: 1, pId: null, g: 0, h: 2, f: 2, x: 0, y: 0}
  - {type: generating, id: 2, pId: 1, g: 1, h: 1, f: 2, x: 1, y: 0}
  - {type: closing, id: 1, pId: null, g: 0, h: 2, f: 2, x: 0, y: 0}
  - {type: expanding, id: 2, pId: 1, g: 1, h: 1, f: 2, x: 1, y: 0}
  - {type: generating, id: 3, pId: 2, g: 2, h: 0, f: 2, x: 2, y: 0}
  - {type: closing, id: 2, pId: 1, g: 1, h: 1, f: 2, x: 1, y: 0}
  - {type: end, id: 3, pId: 2, g: 2, h: 0, f: 2, x: 2, y: 0}
)");
}

// The format asks for a list of events, so "events:" alone would be null and refused.
TEST(SearchTrace, ASearchWithoutNodesHasAnEmptyListOfEvents) {
  std::ostringstream out;
  const v1::ExplainPathResponse nothing;
  write_trace(out, nothing, SearchFilm(nothing));
  EXPECT_TRUE(out.str().ends_with("\n\nevents: []\n")) << out.str();
}

}  // namespace
}  // namespace repath::cli
