// Files that CMake puts into the program: the console as built, style and script of the reference,
// and the descriptors of the API with their comments.
#pragma once

#include <string_view>
#include <vector>

namespace repath {

struct EmbeddedFile {
  std::string_view name;  // "console/app.js", "docs/docs.css", "api.pb"
  std::string_view bytes;
};

// Returns all of them. embed.cmake of this room writes this function when the server is built.
const std::vector<EmbeddedFile>& embedded_files();

// Returns the bytes of one; REQUIRES: it is there.
std::string_view embedded(std::string_view name);

}  // namespace repath
