#include "bench/study_report.h"

#include <iostream>
#include <utility>

namespace repath::bench {

void StudyReport::begin(const std::string& name, const std::string& about) {
  name_ = name;
  if (!as_json_) std::cout << name << "\n" << about << "\n";
}

void StudyReport::claim(const std::string& published, const std::string& ours, bool holds) {
  claims_.push_back({{"study", name_},
                     {"published", published},
                     {"ours", ours},
                     {"claim", holds ? "holds" : "does not hold"}});
}

void StudyReport::result(std::uint64_t value, bool is_right) {
  hash_.add(value);
  if (!is_right) ++mismatches_;
}

void StudyReport::end() {
  if (!as_json_) {
    print_rows(rows_);
    std::cout << "\n" << std::flush;
  }
  tables_[name_] = std::exchange(rows_, Json::array());
}

int StudyReport::finish() {
  Json figures;
  figures["results"] = std::move(claims_);
  if (as_json_) figures["tables"] = std::move(tables_);
  figures["mismatches"] = mismatches_;
  figures["hash"] = hex(hash_.value());
  print(std::move(figures), as_json_);
  return mismatches_ == 0 ? 0 : 1;
}

}  // namespace repath::bench
