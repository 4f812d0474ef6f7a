// The pages of the admin port: the console, and the reference of the API at /docs.
//
// Thread rule: answer() from any thread.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "admin/door.h"

namespace repath {

class Pages {
 public:
  // The files that are built into the program.
  static Pages built_in();
  // The reference as built in, and the console's files from a folder, which are read at each
  // request: for work on the console. INVALID_ARGUMENT if there is no such folder.
  static absl::StatusOr<Pages> with_console_of(const std::string& folder);

  // Answers GET and HEAD. 404 for a path that is no page. Built-in texts are sent compressed if the
  // request accepts gzip.
  Door::Response answer(const Door::Request& request) const;

 private:
  // Returns the text of a path, or null. `kept` keeps a text that was read just now.
  const std::string* find(std::string_view path, std::string& kept) const;

  // Returns a text that is built in, compressed: at its first use.
  const std::string& packed(const std::string& text) const;

  // The texts compressed so far, by the text's place in texts_.
  struct Packed {
    std::mutex mutex;
    std::map<const std::string*, std::string> texts;  // guarded by mutex; never erased
  };

  std::map<std::string, std::string, std::less<>> texts_;  // by path: "/docs", "/app.js"
  std::shared_ptr<Packed> packed_ = std::make_shared<Packed>();
  std::string console_folder_;  // empty: built in
};

}  // namespace repath
