#include "runtime/random_name.h"

#include <random>

namespace repath {

std::string random_name() {
  constexpr char kDigits[] = "0123456789abcdef";
  std::random_device device;
  std::string name;
  for (int word = 0; word < 4; ++word) {
    for (unsigned bits = device(), digit = 0; digit < 8; ++digit, bits >>= 4)
      name += kDigits[bits & 15u];
  }
  return name;
}

}  // namespace repath
