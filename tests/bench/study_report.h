// The output of `repath-bench studies`: for each study a table, and each of its claims beside what
// we measured. Not thread-safe.
#pragma once

#include <cstdint>
#include <string>

#include "base/hash.h"
#include "bench/output.h"

namespace repath::bench {

class StudyReport {
 public:
  // With `as_json` prints nothing before finish().
  explicit StudyReport(bool as_json) : as_json_(as_json) {}

  // Begins a study; `name` is one word, `about` says what was published and what stands here.
  void begin(const std::string& name, const std::string& about);
  // Adds a row to the study's table; the rows of a study have the same keys.
  void row(Json row) { rows_.push_back(std::move(row)); }
  // States a claim of the study, and whether our figures bear it out.
  void claim(const std::string& published, const std::string& ours, bool holds);
  // Counts a result that does not depend on the machine, and notes whether it is right.
  void result(std::uint64_t value, bool is_right);
  // Prints the study's table.
  void end();
  // Prints the claims, or all as JSON. Returns 0, or 1 if a result was wrong.
  int finish();

 private:
  bool as_json_;
  std::string name_;
  Json rows_ = Json::array();
  Json tables_;
  Json claims_ = Json::array();
  Hasher hash_;
  std::uint64_t mismatches_ = 0;
};

}  // namespace repath::bench
