// The methods of the public API, found by the path under which HTTP calls them.
//
// Thread rule: immutable.
#pragma once

#include <google/protobuf/descriptor.h>

#include <string>
#include <string_view>
#include <vector>

namespace repath {

// Returns the services of the package repath.v1 in ascending order of their names.
const std::vector<const google::protobuf::ServiceDescriptor*>& api_services();

// Returns the method that "/repath.v1.WorldService/GetWorld" names; null if there is none.
const google::protobuf::MethodDescriptor* find_api_method(std::string_view path);

// Returns the path of a method.
std::string path_of(const google::protobuf::MethodDescriptor& method);

}  // namespace repath
