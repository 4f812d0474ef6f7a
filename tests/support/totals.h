// The sums over the searches of a golden test.
#pragma once

#include <cstdint>
#include <ostream>

namespace repath::test {

struct Totals {
  std::uint64_t expanded = 0;
  std::uint64_t generated = 0;
  std::uint64_t paths = 0;  // hash
  bool operator==(const Totals&) const = default;
};
inline std::ostream& operator<<(std::ostream& out, const Totals& t) {
  return out << "{" << t.expanded << "u, " << t.generated << "u, " << t.paths << "u}";
}

}  // namespace repath::test
