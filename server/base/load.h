// Kinds of calls by what they may make grow, by which the server decides about it when memory is
// short.
#pragma once

#include <cstdint>

namespace repath {

enum class Load : std::uint8_t {
  kGrow,   // keeps something for long: a world, an import, a stream
  kQuery,  // needs memory until its answer is sent
  kEdit,   // changes a world or its agents
  kLook,   // has a small answer that is at hand
  kShed    // gives memory back
};

}  // namespace repath
