#include "gateway/gzip.h"

#include <zlib.h>

#include "base/check.h"

namespace repath {

std::string gzip(std::string_view text) {
  constexpr int kGzip = 15 + 16;  // the largest window, and the format
  constexpr int kMemory = 9;      // the most that zlib uses
  z_stream stream{};
  REPATH_CHECK(deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzip, kMemory,
                            Z_DEFAULT_STRATEGY) == Z_OK);
  std::string from(text);  // zlib's input is not const
  std::string to(deflateBound(&stream, from.size()), '\0');
  stream.next_in = static_cast<Bytef*>(static_cast<void*>(from.data()));
  stream.avail_in = static_cast<uInt>(from.size());
  stream.next_out = static_cast<Bytef*>(static_cast<void*>(to.data()));
  stream.avail_out = static_cast<uInt>(to.size());
  REPATH_CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  to.resize(stream.total_out);
  deflateEnd(&stream);
  return to;
}

}  // namespace repath
