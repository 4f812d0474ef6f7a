// The reference of the API as pages of HTML, made from the .proto files and their comments.
//
// Thread rule: pure functions.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace repath {

// Returns the pages by path: "/docs", "/docs/WorldService", ..., "/docs/types". `descriptors` is a
// serialized FileDescriptorSet with source information, as protoc writes it.
std::map<std::string, std::string, std::less<>> make_reference(std::string_view descriptors);

}  // namespace repath
