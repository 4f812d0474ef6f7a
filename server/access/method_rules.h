// Which scope each method of the API needs, and what it may make grow. A method without a rule is
// refused, and a test fails that walks all services: a new method cannot be forgotten.
//
// Thread rule: constant data.
#pragma once

#include <span>
#include <string_view>

#include "access/scope.h"
#include "base/load.h"

namespace repath {

struct MethodRule {
  std::string_view method;  // "repath.v1.WorldService.GetWorld", as descriptors name it
  Scope scope;
  // Dotted path of the request's field that names the world: the caller's patterns must match it.
  // Empty: the call concerns no world, or (ListWorlds) shows only worlds that match.
  std::string_view world_field;
  Load load = Load::kGrow;  // decides when the call is refused for lack of memory
  // For a method that also reads a second world: the field that names that world, and the scope
  // that the caller also needs for it. Empty: there is none.
  std::string_view source_field = {};
  Scope source_scope = Scope::kRead;
};

std::span<const MethodRule> method_rules();
// Returns the rule of the method; null if it has none.
const MethodRule* rule_of(std::string_view method);

}  // namespace repath
