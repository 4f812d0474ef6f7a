#include "cli/help_format.h"

#include <sstream>

namespace repath::cli {
namespace {

constexpr std::size_t kHelpColumns = 100;

}  // namespace

std::string wrapped(const std::string& text, std::size_t columns) {
  std::istringstream words(text);
  std::string result;
  std::string word;
  std::size_t column = 0;
  while (words >> word) {
    const bool fits = column + 1 + word.size() <= columns;
    if (column > 0) result += fits ? ' ' : '\n';
    column = column > 0 && fits ? column + 1 + word.size() : word.size();
    result += word;
  }
  return result;
}

std::string HelpFormat::make_description(const CLI::App* app) const {
  return wrapped(app->get_description(), kHelpColumns) + "\n";
}

std::string HelpFormat::make_subcommand(const CLI::App* command) const {
  const std::string all = command->get_description();
  std::ostringstream line;
  CLI::detail::format_help(line, command->get_name(),
                           wrapped(all.substr(0, all.find(". ")), kHelpColumns - column_width_),
                           column_width_);
  return line.str();
}

std::string HelpFormat::make_option_desc(const CLI::Option* option) const {
  return wrapped(option->get_description(), kHelpColumns - column_width_);
}

}  // namespace repath::cli
