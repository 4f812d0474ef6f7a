// REPATH_CHECK(condition): a programmer's error stops the process, in release too, with the place
// and the condition. Never for input: input gets an absl::Status (see error.h).
#pragma once

namespace repath {
[[noreturn]] void check_failed(const char* condition, const char* file, int line);
}  // namespace repath

#define REPATH_CHECK(condition) \
  (static_cast<bool>(condition) ? void(0) : ::repath::check_failed(#condition, __FILE__, __LINE__))
