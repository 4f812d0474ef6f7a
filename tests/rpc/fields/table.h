// The table of tests/rpc/fields/table.txt and worlds.txt: for each field of each request the
// difference that it must make. The first file says how the lines are written.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace repath::test {

// A line of the table: its word, and what stands between the bars.
struct FieldLine {
  std::string word;
  std::vector<std::string> parts;
  int number = 0;  // in the file, from 1
  const std::string& key() const { return parts[0]; }
  std::string part(std::size_t i) const { return i < parts.size() ? parts[i] : std::string(); }
};

// Where a field stands: the method, the fields from the request on, and the message that has it.
struct FieldPlace {
  std::string method;
  std::string path;   // "options.weight"
  std::string owner;  // "QueryOptions.weight": the message, without its package, and the field
  std::string full() const { return method + "." + path; }
};

class FieldTable {
 public:
  static const FieldTable& get() {
    static const FieldTable table;
    return table;
  }

  // Returns the line with this word whose key fits the place best: the longest end of method and
  // path, else the owner. A `suffix` such as "=ALGORITHM_ASTAR" belongs to the key. Null if none
  // does.
  const FieldLine* find(const std::string& word, const FieldPlace& place,
                        const std::string& suffix = "") const {
    const auto lines = lines_.find(word);
    if (lines == lines_.end()) return nullptr;
    const std::string full = "." + place.full() + suffix;
    for (std::size_t at = 0; at != std::string::npos; at = full.find('.', at + 1))
      if (const auto found = lines->second.find(full.substr(at + 1)); found != lines->second.end())
        return &found->second;
    const auto found = lines->second.find(place.owner + suffix);
    return found == lines->second.end() ? nullptr : &found->second;
  }
  // As above; lines for the kind of world alone ("row-g") come first.
  const FieldLine* find_for(char kind, const std::string& word, const FieldPlace& place,
                            const std::string& suffix = "") const {
    const FieldLine* own = find(word + "-" + kind, place, suffix);
    return own != nullptr ? own : find(word, place, suffix);
  }
  // Returns the line with this word and key; null if there is none.
  const FieldLine* exact(const std::string& word, const std::string& key) const {
    const auto lines = lines_.find(word);
    if (lines == lines_.end()) return nullptr;
    const auto found = lines->second.find(key);
    return found == lines->second.end() ? nullptr : &found->second;
  }
  // The lines with this word, in the order of the file.
  std::vector<const FieldLine*> all(const std::string& word) const {
    std::map<int, const FieldLine*> sorted;
    if (const auto lines = lines_.find(word); lines != lines_.end())
      for (const auto& [key, line] : lines->second) sorted[line.number] = &line;
    std::vector<const FieldLine*> found;
    for (const auto& [number, line] : sorted) found.push_back(line);
    return found;
  }

 private:
  FieldTable() {
    for (const char* name : {"table.txt", "worlds.txt"})
      read(std::string(REPATH_SOURCE_DIR "/tests/rpc/fields/") + name);
  }
  void read(const std::string& file) {
    std::ifstream in(file);
    EXPECT_TRUE(in) << file;
    std::string text;
    std::string more;
    for (int number = 1; std::getline(in, more); ++number) {
      if (more.empty() || more[0] == '#') continue;
      const bool goes_on = more[0] == ' ';
      if (!goes_on && !text.empty()) add(text, number - 1);
      text = goes_on ? text + more : more;
    }
    if (!text.empty()) add(text, 0);
  }

  static std::string trimmed(const std::string& text) {
    const std::size_t first = text.find_first_not_of(' ');
    if (first == std::string::npos) return "";
    return text.substr(first, text.find_last_not_of(' ') - first + 1);
  }
  void add(const std::string& text, int number) {
    FieldLine line;
    line.number = number;
    const std::size_t word_end = text.find(' ');
    line.word = text.substr(0, word_end);
    std::istringstream rest(text.substr(word_end + 1));
    for (std::string part; std::getline(rest, part, '|');) line.parts.push_back(trimmed(part));
    const bool is_new = lines_[line.word].emplace(line.key(), line).second;
    EXPECT_TRUE(is_new) << "twice in the table: " << text;
  }

  std::map<std::string, std::map<std::string, FieldLine>> lines_;
};

}  // namespace repath::test
