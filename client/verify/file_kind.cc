#include "verify/file_kind.h"

namespace repath::verify {

FileKind kind_of_file(std::string_view file) {
  const auto has = [file](std::string_view text) { return file.find(text) != file.npos; };
  if (file.starts_with("RPWORLD1")) return FileKind::kWorld;
  if (file.starts_with("type ")) return FileKind::kGrid;
  for (const std::string_view mesh : {"TESM", "MSET", "mesh\n", "mesh\r\n"})
    if (file.starts_with(mesh)) return FileKind::kMesh;
  const std::size_t first = file.find_first_not_of(" \t\r\n");
  if (first != file.npos && (file[first] == '{' || file[first] == '[')) {
    if (has("\"link_distance\"")) return FileKind::kSight;
    if (has("\"nodes\"")) return FileKind::kGraph;
    return has("\"radius\"") ? FileKind::kVisibility : FileKind::kMesh;
  }
  const bool is_obj = (file.starts_with("v ") || has("\nv ")) && has("\nf ");
  return is_obj ? FileKind::kMesh : FileKind::kGrid;
}

std::string not_taken(const std::string& path, std::string_view file) {
  const auto refuse = [&](const std::string& what) {
    return path + ": holds " + what + "; give a map file of another kind: " + kFilesTaken;
  };
  switch (kind_of_file(file)) {
    case FileKind::kSight:
      return refuse("waypoints that the server links by sight");
    case FileKind::kVisibility:
      return refuse("obstacles whose corners the server links by sight");
    case FileKind::kWorld:
      return refuse("an exported world");
    default:
      return "";
  }
}

}  // namespace repath::verify
