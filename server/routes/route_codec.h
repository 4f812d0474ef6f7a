// A RouteBatch as bytes, for the world log: little-endian, doubles by their bits, first a version
// byte.
//
// decode(encode(b)) == b, bit for bit. Pure functions, safe on any thread.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "routes/route_batch.h"

namespace repath {

// O(size of the batch).
std::string encode_route_batch(const RouteBatch& batch);

// Takes any bytes; allocates in proportion to them. DATA_LOSS with reason BATCH_DAMAGED, or
// UNIMPLEMENTED with reason BATCH_VERSION for a version this code does not know. What is decoded
// may still be refused by RouteWorld::apply.
absl::StatusOr<RouteBatch> decode_route_batch(std::string_view bytes);

}  // namespace repath
