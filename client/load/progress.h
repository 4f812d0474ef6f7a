// Progress of a run on stderr: one line that is rewritten on a terminal, elsewhere a line every few
// seconds. Thread rule: one thread.
#pragma once

#include <string>

namespace repath::load {

class Progress {
 public:
  Progress();
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Call once a second. `important`: printed at once everywhere.
  void show(const std::string& line, bool important = false);
  // Takes the line away.
  void clear();

 private:
  bool terminal_;
  bool drawn_ = false;
  int left_out_ = 0;  // lines since one was printed
};

}  // namespace repath::load
