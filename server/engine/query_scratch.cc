#include "engine/query_scratch.h"

#include <cstddef>

#include "grid/jps/idle_jumps.h"

namespace repath {
namespace {

constexpr std::size_t kBytesMax = std::size_t{1} << 16;  // of one search

}  // namespace

QueryScratch::QueryScratch() : jumps_(std::make_unique<IdleJumps>(kBytesMax)) {}
QueryScratch::~QueryScratch() = default;

}  // namespace repath
