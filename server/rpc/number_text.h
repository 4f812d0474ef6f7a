// Numbers of the text files that worlds are exported as.
#pragma once

#include <array>
#include <charconv>
#include <initializer_list>
#include <string>

namespace repath {

// Appends the shortest text that reads as the same number.
inline void append_number(double number, std::string* out) {
  std::array<char, 32> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), number);
  out->append(text.data(), end);
}

inline void append_numbers(std::initializer_list<double> numbers, const char* between,
                           std::string* out) {
  const char* before = "";
  for (const double number : numbers) {
    *out += before;
    append_number(number, out);
    before = between;
  }
}

}  // namespace repath
