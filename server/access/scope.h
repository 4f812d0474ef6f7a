// The scopes of a caller: each allows a part of the API. No scope includes another one.
//
// Thread rule: plain values.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace repath {

enum class Scope : std::uint8_t {
  kRead = 0,    // read worlds, ask for paths, watch
  kWrite = 1,   // change worlds
  kAgents = 2,  // sessions, agents and ticks
  kAdmin = 3,   // make and delete worlds
};

inline constexpr std::array<std::string_view, 4> kScopeNames{"read", "write", "agents", "admin"};

inline std::string_view name_of(Scope scope) {
  return kScopeNames[static_cast<std::size_t>(scope)];
}

class Scopes {
 public:
  static constexpr Scopes all() { return Scopes(0xf); }
  constexpr Scopes() = default;

  constexpr bool has(Scope scope) const { return (bits_ & bit(scope)) != 0; }
  constexpr void add(Scope scope) { bits_ |= bit(scope); }
  constexpr bool is_empty() const { return bits_ == 0; }
  friend constexpr bool operator==(Scopes, Scopes) = default;

 private:
  constexpr explicit Scopes(unsigned bits) : bits_(bits) {}
  static constexpr unsigned bit(Scope scope) { return 1u << static_cast<unsigned>(scope); }
  unsigned bits_ = 0;
};

// Reads "read,agents": names separated by commas, each once. Returns nothing for other text.
std::optional<Scopes> parse_scopes(std::string_view text);
// Writes the names in the order of the enum, separated by commas.
std::string to_text(Scopes scopes);

}  // namespace repath
