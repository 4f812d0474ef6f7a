// How --help looks: lines of at most 100 characters, and in a list of commands the first sentence
// of each.
//
// Thread rule: none; it has no state of its own.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace repath::cli {

// Returns `text` with line ends in place of spaces, so that no line is longer than `columns`,
// unless a single word is.
std::string wrapped(const std::string& text, std::size_t columns);

class HelpFormat : public CLI::Formatter {
 public:
  std::string make_description(const CLI::App* app) const override;
  std::string make_subcommand(const CLI::App* command) const override;
  std::string make_option_desc(const CLI::Option* option) const override;
};

}  // namespace repath::cli
