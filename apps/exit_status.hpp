#pragma once
// With which status the program ends, and with which sentence.

#include <atomic>
#include <filesystem>
#include <new>
#include <string>

#include "kernels/backend/errors.hpp"
#include "sim/run/writer.hpp"

namespace wavesim {

/// After signals it is 129, 130, 143 or 152.
struct ExitStatus {
  enum : int {
    done = 0,
    unexpected = 1,
    bad_input = 2,
    solve_failed = 3,
    output_failed = 4,
    device_failed = 5,
    at_wall_limit = 6
  };
};

/// Set once results could not be written: the HDF5 library would try again when the program ends, and may crash over it, so that
/// the program has to end without that.
extern std::atomic<bool> output_has_failed;

/// How a command ended: its exit status, and why if it failed.
struct End {
  int status = ExitStatus::done;
  std::string words = {};
};

/// What f() returns or, if it throws, what that means.
template <class F>
End end_of(const F& f) {
  try {
    return f();
  } catch (const InputError& e) {
    return {ExitStatus::bad_input, e.what()};
  } catch (const SolveError& e) {
    return {ExitStatus::solve_failed, e.what()};
  } catch (const OutputError& e) {
    output_has_failed = true;
    return {ExitStatus::output_failed, e.what()};
  } catch (const DeviceError& e) {
    return {ExitStatus::device_failed, e.what()};
  } catch (const std::bad_alloc&) {
    return {ExitStatus::device_failed,
            "the computer's memory does not suffice; take fewer cells (see --dry-run) or a smaller matrix"};
  } catch (const std::filesystem::filesystem_error& e) {
    return {ExitStatus::bad_input,
            "cannot use " + (e.path1().empty() ? "the current folder" : "'" + e.path1().string() + "'") +
                ": " + e.code().message() + "; name another path"};
  } catch (const std::exception& e) {
    return {ExitStatus::unexpected, e.what()};
  }
}

/// `words` in one line, whatever they were made of.
std::string sentence_of(const End& end);

/// Of a run that came to this end.
int status_of(const RunSummary& summary);

}  // namespace wavesim
