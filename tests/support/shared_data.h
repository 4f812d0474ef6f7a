// Finds the large test data that is kept beside the project: in the folder that REPATH_SHARED_DATA
// names, otherwise in ../shared/data beside the source tree. Tests skip themselves if it is
// missing.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

namespace repath::test {

// Returns `name` within the folder, for example "grid/arena.map"; empty if there is no such file or
// folder.
inline std::optional<std::filesystem::path> shared_data(const std::string& name) {
  const char* given = std::getenv("REPATH_SHARED_DATA");  // NOLINT(concurrency-mt-unsafe)
  const std::filesystem::path folder =
      given != nullptr ? given
                       : std::filesystem::path(REPATH_SOURCE_DIR) / ".." / "shared" / "data";
  std::filesystem::path file = folder / name;
  if (!std::filesystem::exists(file)) return std::nullopt;
  return file;
}

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// Returns the files of a folder that end in `extension`, sorted.
inline std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder,
                                                   const std::string& extension) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == extension) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace repath::test
