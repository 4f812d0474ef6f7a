// Where the tables of records and requests ended when they were flushed last, in the table meta.
//
// Belongs to the store's thread. Errors are remembered by the connection.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "store/sql.h"

namespace repath {

struct LogEnds {
  std::uint64_t log = 0;      // row of the newest record that a mark of its world leads to; 0: none
  std::uint64_t request = 0;  // the same of requests and tallies
  std::uint64_t rows = 0;     // number of records up to `log`
  std::uint64_t dead = 0;     // number of records that no world needs
};

class EndsTable {
 public:
  explicit EndsTable(Sql& sql);

  // Returns what was put last. If that is damaged, returns zeros, from which every end can be found
  // by reading all rows.
  LogEnds get();
  void put(const LogEnds& ends);

 private:
  std::optional<std::uint64_t> number(std::string_view name);

  Statement get_, set_;
};

}  // namespace repath
