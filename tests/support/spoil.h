// Input that was cut short or has flipped bytes, for importers. They must neither crash nor hang
// nor allocate memory for content that is not there.
#pragma once

#include <cstddef>
#include <string>

#include "base/random.h"

namespace repath::test {

// Calls read(text) with `good` cut at `times` places and with 1 to 4 bytes changed `times` times.
template <class Read>
void for_each_spoiled(const std::string& good, int times, Random* random, Read&& read) {
  for (int i = 0; i < times; ++i) {
    read(good.substr(0, random->below(static_cast<std::uint32_t>(good.size()))));
    std::string text = good;
    for (std::uint32_t n = 1 + random->below(4); n > 0; --n)
      text[random->below(static_cast<std::uint32_t>(text.size()))] =
          random->below(2) == 0 ? static_cast<char>(random->below(256))
                                : "0123456789-. \n"[random->below(14)];
    read(text);
  }
}

}  // namespace repath::test
