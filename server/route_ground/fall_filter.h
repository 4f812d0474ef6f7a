// Filter 2 of server/docs/promise.md for routes: the least cost of a rival that uses something
// fallen. A proof has counted ground as open that was shut after it, so the opening of such ground
// is no news to that proof.
//
// Borrows ground and changes; not thread-safe. Changes are looked at in groups: one test excludes
// most of them. A change that straight distances do not exclude is compared with the further bounds
// of the ground (RouteGround::append_spans). The ground is asked for these once for the origin and
// the goals, and for a change when it is first needed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "routes/boxes.h"
#include "routes/route_world.h"

namespace repath {

// Returns the box around all changes, from and to.
RouteBox box_of(std::span<const RouteChange> changes);
// Returns whether something rose there.
bool rises_at(std::span<const RouteChange> changes, const RouteBox& place);

struct RouteRival {
  Cost cost = kUnreachable;
  const RouteChange* change = nullptr;  // null: nothing fallen leads to anything that cheap
};

class RouteFalls {
 public:
  // `ground`: the ground as it is after the changes.
  RouteFalls(const RouteGround& ground, std::span<const RouteChange> changes);

  bool empty() const { return falls_.empty(); }
  const RouteChange* first() const { return falls_.empty() ? nullptr : falls_.front(); }

  // Returns whether any of the falls may be news to a proof made at that revision.
  bool concern(Revision proof) const { return !falls_.empty() && all_.shut_at <= proof; }

  // Returns the least that a way from `origin` through a fallen change to `goals` can cost, if less
  // than `limit`, which was proved at revision `proof`. Adds tests to `tests`. O(groups + changes
  // of groups that may matter).
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
  // Distances that the ground knows of a box; `is_known`: it knows any.
  struct Spans {
    bool is_asked = false;
    bool is_known = false;
    std::vector<LandmarkSpan> all;
  };
  struct Ends {  // distances at both ends of one agent's ways
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
