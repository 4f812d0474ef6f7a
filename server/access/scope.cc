#include "access/scope.h"

namespace repath {

std::optional<Scopes> parse_scopes(std::string_view text) {
  Scopes scopes;
  for (;;) {
    const std::size_t comma = text.find(',');
    const std::string_view name = text.substr(0, comma);
    bool is_known = false;
    for (std::size_t i = 0; i < kScopeNames.size(); ++i) {
      const auto scope = static_cast<Scope>(i);
      if (name != kScopeNames[i] || scopes.has(scope)) continue;
      scopes.add(scope);
      is_known = true;
    }
    if (!is_known) return std::nullopt;
    if (comma == std::string_view::npos) return scopes;
    text.remove_prefix(comma + 1);
  }
}

std::string to_text(Scopes scopes) {
  std::string text;
  for (std::size_t i = 0; i < kScopeNames.size(); ++i) {
    if (!scopes.has(static_cast<Scope>(i))) continue;
    if (!text.empty()) text += ',';
    text += kScopeNames[i];
  }
  return text;
}

}  // namespace repath
