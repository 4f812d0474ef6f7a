#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace repath {

void check_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: REPATH_CHECK(%s) failed\n", file, line, condition);
  std::abort();
}

}  // namespace repath
