// Finding the world of a call, which only its caller's patterns open.
//
// Thread rule: any thread.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "access/access.h"
#include "base/error.h"
#include "runtime/registry.h"

namespace repath {

// Returns the world of that name if the caller on this thread may use it. PERMISSION_DENIED, reason
// WORLD_DENIED, or NOT_FOUND, reason WORLD_UNKNOWN, with the field "world".
inline absl::StatusOr<std::shared_ptr<WorldHost>> find_world(Registry& registry,
                                                             const std::string& name) {
  REPATH_RETURN_IF_ERROR(CallAccess::current().check_world(name));
  return registry.find(name);
}

}  // namespace repath
