#include "limits/descriptors.h"

#include <sys/resource.h>

#include <algorithm>

namespace repath {

std::uint64_t raise_descriptor_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return kReservedDescriptors;
  rlimit raised = limit;
  raised.rlim_cur = limit.rlim_max;
  if (setrlimit(RLIMIT_NOFILE, &raised) != 0) raised = limit;
  return raised.rlim_cur;
}

std::uint64_t connections_within(std::uint64_t descriptors, std::uint64_t most) {
  // A small limit is shared half and half.
  const std::uint64_t reserved = std::min(kReservedDescriptors, descriptors / 2);
  return std::clamp<std::uint64_t>(descriptors - reserved, 1, most);
}

}  // namespace repath
