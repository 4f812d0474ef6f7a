// Filter 2 of server/docs/promise.md for routes: what a rival that uses something fallen must cost
// at least. What had been shut after the proof that it is held against was counted as open then.
//
// Borrows ground and changes; not thread-safe. Changes are looked at in groups: most are excluded
// by one test. What straight distances do not exclude is held against what the ground knows besides
// (RouteGround::append_spans), of the origin and the goals once, of a change when first asked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "routes/boxes.h"
#include "routes/route_world.h"

namespace repath {

struct RouteRival {
  Cost cost = kUnreachable;
  const RouteChange* change = nullptr;  // null: nothing fallen leads to anything that cheap
};

class RouteFalls {
 public:
  // The ground as it is after the changes.
  RouteFalls(const RouteGround& ground, std::span<const RouteChange> changes);

  bool empty() const { return falls_.empty(); }
  const RouteChange* first() const { return falls_.empty() ? nullptr : falls_.front(); }

  // Whether anything of it may be news to a proof made at that revision.
  bool concern(Revision proof) const { return !falls_.empty() && all_.shut_at <= proof; }

  // The least that a way from `origin` through a fallen change to `goals` can cost, if less than
  // `limit`, which was proved at revision `proof`. Adds tests to `tests`. O(groups + changes of
  // groups that may matter).
  RouteRival cheapest(const Spot& origin, const RouteBox& goals, Cost limit, Revision proof,
                      std::uint64_t* tests) const;
  // The first fallen change that comes nearer to `at` than `radius`; null: none.
  const RouteChange* near(const Spot& at, double radius) const;

 private:
  struct Group {
    std::size_t first = 0;
    std::size_t end = 0;
    RouteBox from;
    RouteBox to;
    Cost least = kUnreachable;
    Revision shut_at{std::numeric_limits<std::uint64_t>::max()};  // the first of them
  };
  // What is known of a box; `is_known`: anything at all.
  struct Spans {
    bool is_asked = false;
    bool is_known = false;
    std::vector<LandmarkSpan> all;
  };
  struct Ends {  // of the ways of one agent
    Spans origin;
    Spans goals;
  };
  const Spans& ask(const RouteBox& box, Spans* spans, std::uint64_t* tests) const;
  Cost bound_by_spans(const RouteBox& origin, std::size_t fall, const RouteBox& goals, Cost limit,
                      Ends* ends, std::uint64_t* tests) const;
  void add(Group* group, const RouteChange& change) const;
  Cost bound(const RouteBox& origin, const RouteBox& from, Cost least, const RouteBox& to,
             const RouteBox& goals) const;

  const RouteGround& ground_;
  std::vector<const RouteChange*> falls_;
  mutable std::vector<Ends> fall_spans_;  // by fall: of its `from` and its `to`
  std::vector<Group> groups_;
  Group all_;
};

}  // namespace repath
