// The program: runs the subcommand that was asked for; says which exit status it ends with.

#include <algorithm>
#include <cstdio>

#include "apps/answer.hpp"
#include "apps/command_line.hpp"
#include "apps/exit_status.hpp"
#include "apps/join_ranks.hpp"
#include "apps/parse_error.hpp"
#include "apps/signals.hpp"
#include "apps/standard_streams.hpp"
#include "apps/unknown_word.hpp"
#include "apps/waiting_threads.hpp"
#include "sim/input/child_process.hpp"

namespace {

using wavesim::End;
using wavesim::end_of;
using wavesim::ExitStatus;

const char* word(int status) {
  switch (status) {
    case ExitStatus::bad_input:
      return "bad-input";
    case ExitStatus::solve_failed:
      return "solve-failed";
    case ExitStatus::output_failed:
      return "output-failed";
    case ExitStatus::device_failed:
      return "device-failed";
    default:
      return "unexpected";
  }
}

/// One line on stderr, and the answer that --json asks for.
int complain(const End& failed, bool json) {
  const std::string sentence = wavesim::sentence_of(failed);
  if (json) wavesim::print_failure(word(failed.status), failed.status, sentence);
  std::fflush(stdout);
  std::fprintf(stderr, "wavesim: %s\n", sentence.c_str());
  return failed.status;
}

/// For a result whose file is not as this program writes it: the HDF5 library may die of that.
std::string damaged(const std::string& result, const std::string& why) {
  return result + " cannot be read (" + why +
         "): it is damaged; name another result, or run its config again";
}

/// The status of a program that has printed what it had to print.
int end(int status, bool json) {
  const std::string lost = wavesim::lost_output();
  return status == ExitStatus::done && !lost.empty() ? complain({ExitStatus::output_failed, lost}, json)
                                                     : status;
}

/// `wavesim CONFIG` is `wavesim run CONFIG`.
std::vector<std::string> with_subcommand(int argc, char** argv, const CLI::App& app) {
  std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty()) return words;
  bool own = words.front() == "--help" || words.front() == "-h" || words.front() == "--version";
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
    own = own || sub->get_name() == words.front();
  if (!own) words.insert(words.begin(), "run");
  return words;
}

/// A command that reads an old result, in a child: the HDF5 library may die of a file that is damaged.
End look_up(const wavesim::CommandLine& line, const std::string& result) {
  if (const auto ended = wavesim::go_on_in_child())
    return ended->death.empty() ? End{ended->status}
                                : End{ExitStatus::bad_input, damaged(result, ended->death)};
  const End own = end_of([&] { return End{line.dispatch()}; });
  return own.status == ExitStatus::unexpected ? End{ExitStatus::bad_input, damaged(result, own.words)} : own;
}

/// Where each rank ends: one of them says why, and all have the same status.
int end_on_ranks(wavesim::ProcessRanks& ranks, const End& own, bool json) {
  constexpr double patience = 5;  // seconds
  const wavesim::ProcessRanks::End all = ranks.end(own.status, patience);
  if (all.is_to_say && !own.words.empty()) complain(own, json);
  std::fflush(stdout);
  if (!all.together) ranks.end_all(all.status);
  if (all.status == ExitStatus::output_failed) std::_Exit(all.status);
  return all.status;
}

}  // namespace

// NOLINTNEXTLINE(bugprone-exception-escape): only where there is no memory for the sentence itself
int main(int argc, char** argv) {
  wavesim::prepare_standard_streams();
  wavesim::stop_at_signals();
  wavesim::CommandLine line;
  const bool json = std::find(argv + 1, argv + argc, std::string_view("--json")) != argv + argc;
  std::vector<std::string> words;
  try {
    words = with_subcommand(argc, argv, line.app);
    if (argc > 1)
      if (const std::string meant = wavesim::unknown_subcommand(line.app, argv[1]); !meant.empty())
        return complain({ExitStatus::bad_input, meant}, json);
    if (words.empty())
      return complain(
          {ExitStatus::bad_input, "no config is named; write 'wavesim CONFIG.yaml', or see 'wavesim --help'"},
          json);
    std::vector<std::string> reversed(words.rbegin(), words.rend());  // as CLI11 takes them
    line.app.parse(reversed);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return end(line.app.exit(e), json);
    const std::string meant = wavesim::unknown_option(line.app, words);
    if (!meant.empty()) return complain({ExitStatus::bad_input, meant}, json);
    return complain({ExitStatus::bad_input, wavesim::sentence_of(e, words)}, json);
  }
  if (!line.can_be_stopped()) wavesim::end_at_signals();
  if (!line.looks_up()) wavesim::let_waiting_threads_sleep(argv);
  std::unique_ptr<wavesim::ProcessRanks> ranks;
  const End own = end_of([&]() -> End {
    ranks = wavesim::join_ranks(line.is_for_ranks() ? line.run.processes : 0);
    if (ranks && !line.is_for_ranks())
      throw wavesim::InputError("several ranks share out a run only; start this command as one process");
    line.run.ranks = ranks.get();
    if (const std::string result = line.result(); !result.empty()) return look_up(line, result);
    return {line.dispatch()};
  });
  if (ranks) return end_on_ranks(*ranks, own, json);
  const int status = own.words.empty() ? end(own.status, json) : complain(own, json);
  std::fflush(stdout);
  if (wavesim::output_has_failed) std::_Exit(status);
  return status;
}
