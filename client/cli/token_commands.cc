#include <algorithm>
#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "cli/token_lines.h"

namespace repath::cli {
namespace {

struct TokenOptions {
  std::string file;
  std::string id;
  std::string scopes;
  std::string worlds;
};

// Lets CLI11 refuse text with the reason that `wrong` gives.
template <class Wrong>
CLI::Validator checked_by(Wrong wrong) {
  return CLI::Validator([wrong](const std::string& text) { return wrong(text); }, "");
}

// Adds the token's line to the file.
client::Result<bool> add_line(const TokenOptions& options, const NewToken& made) {
  const auto add = [&](std::vector<std::string>& lines) -> client::Result<bool> {
    for (const std::string& line : lines) {
      const TokenLine known = read_token_line(line);
      if (known.kind == "token" && known.name == options.id)
        return client::Error{client::Code::kAlreadyExists, "TOKEN_EXISTS", "",
                             "the file has a token " + options.id + "; choose another --id"};
    }
    lines.push_back("token " + options.id + " " + options.scopes + " " + options.worlds + " " +
                    made.sha256);
    return true;
  };
  return change_lines(options.file, /*may_be_missing=*/true, add);
}

// Removes the token's line again: its secret could not be printed, so no caller can use it.
void take_back(CommandContext& context, const std::string& file, const NewToken& made) {
  const auto remove = [&](std::vector<std::string>& lines) -> client::Result<bool> {
    remove_token(lines, made.sha256);
    return true;
  };
  const auto done = change_lines(file, /*may_be_missing=*/false, remove);
  if (!done.ok()) return context.file_refused(done.error());
  std::cerr << "repath: the token could not be printed, so it was removed again" << std::endl;
}

void create(CommandContext& context, TokenOptions options) {
  const NewToken made = make_token();
  if (made.secret.empty())
    return context.check_failed("the system has no random bytes; no token was made");
  if (options.id.empty()) options.id = "t" + made.sha256.substr(0, 10);
  if (auto done = add_line(options, made); !done.ok()) return context.file_refused(done.error());
  const std::string token = options.id + "." + made.secret;
  if (context.json) {
    context.print_json({{"id", options.id},
                        {"token", token},
                        {"scopes", options.scopes},
                        {"worlds", options.worlds}});
  } else {
    std::cout << token << std::endl;
  }
  if (!std::cout) return take_back(context, options.file, made);
  if (context.json) return;
  std::cerr << "This is the only time that the secret is shown. A running server needs SIGHUP."
            << std::endl;
}

void list(CommandContext& context, const TokenOptions& options) {
  const auto lines = read_lines(options.file, /*may_be_missing=*/false);
  if (!lines.ok()) return context.file_refused(lines.error());
  Json rows = Json::array();
  for (const std::string& line : *lines) {
    const TokenLine known = read_token_line(line);
    if (known.kind.empty()) continue;
    rows.push_back({{"kind", known.kind},
                    {"id", known.name},
                    {"scopes", known.scopes},
                    {"worlds", known.worlds}});
    if (!context.json)
      std::cout << known.kind << "  " << known.name << "  " << known.scopes << "  " << known.worlds
                << '\n';
  }
  if (context.json) context.print_json({{"results", rows}});
}

void revoke(CommandContext& context, const TokenOptions& options) {
  std::size_t removed = 0;
  const auto remove = [&](std::vector<std::string>& lines) -> client::Result<bool> {
    removed = remove_lines(lines, options.id);
    if (removed > 0) return true;
    return client::Error{client::Code::kNotFound, "TOKEN_UNKNOWN", "",
                         options.file + " has no token or certificate " + options.id};
  };
  const auto done = change_lines(options.file, /*may_be_missing=*/false, remove);
  if (!done.ok()) return context.file_refused(done.error());
  if (context.json) {
    context.print_json({{"id", options.id}, {"revoked", removed}});
  } else {
    std::cout << "revoked " << options.id << std::endl;
    std::cerr << "A running server needs SIGHUP; it then ends the token's streams." << std::endl;
  }
}

}  // namespace

void add_token_commands(CLI::App& token, CommandContext& context) {
  auto options = std::make_shared<TokenOptions>();
  CLI::App* made = add_command(
      token, context, "create",
      "Make a token, print it once, and add its SHA-256 to the file that repathd --tokens reads",
      "repath token create tokens --scopes read,agents --worlds 'arena-*'");
  made->add_option("FILE", options->file, "Token file; made if it is not there")->required();
  made->add_option("--scopes", options->scopes,
                   "Scopes of the token: some of read,write,agents,admin")
      ->required()
      ->check(checked_by(wrong_scopes));
  made->add_option("--worlds", options->worlds,
                   "Names of the worlds it may use, separated by commas; * stands for any "
                   "characters")
      ->required()
      ->check(checked_by(wrong_worlds));
  made->add_option("--id", options->id, "Name of the token in lists and logs (default: made up)")
      ->check(checked_by(wrong_token_id));
  made->callback([&context, options] { create(context, *options); });

  CLI::App* listed = add_command(token, context, "list", "List the lines of a token file",
                                 "repath token list tokens");
  listed->add_option("FILE", options->file, "Token file")->required();
  listed->callback([&context, options] { list(context, *options); });

  CLI::App* revoked =
      add_command(token, context, "revoke", "Remove a token or certificate from a token file",
                  "repath token revoke tokens game-1");
  revoked->add_option("FILE", options->file, "Token file")->required();
  revoked->add_option("ID", options->id, "Id of the token, or name of the certificate")->required();
  revoked->callback([&context, options] { revoke(context, *options); });
}

}  // namespace repath::cli
