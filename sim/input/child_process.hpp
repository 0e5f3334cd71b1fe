#pragma once
// Work in a process of its own, which may die of it: libraries that read damaged files may crash, take all memory or never
// end, and nothing but another process survives that.

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>

namespace wavesim {

/// One end of a connection between two processes. Texts may hold any bytes.
class Connection {
 public:
  explicit Connection(int descriptor) : descriptor_(descriptor) {}
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// False: the other process has gone.
  bool send(const std::string& text);
  bool receive(std::string& text);

 private:
  bool send(const void* bytes, std::size_t count);
  bool receive(void* bytes, std::size_t count);
  int descriptor_;
};

/// How a child process ended.
struct ChildEnd {
  int status = 0;     // its exit status
  std::string death;  // of what it died, for a sentence: "Segmentation fault"; empty: it came to its end
  int signal = 0;
  /// Whether what it read made it die; other signals come from outside.
  bool crashed() const;
};

/// A child ends with its work, with this process, or by a signal, also where a piece of its work takes more than 20 seconds
/// of a processor. Memory that is not free is refused to it. It shares no memory with this process but what was mapped so
/// before, and must not use devices.
class ChildProcess {
 public:
  /// `work` is called in the child. Throws InputError where the system starts no process.
  explicit ChildProcess(const std::function<void(Connection&)>& work);
  ~ChildProcess();  // ends it
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// To the child.
  Connection& connection() { return *to_child_; }
  /// Waits for its end.
  ChildEnd end();
  /// To be called in the child where a new piece of work begins.
  static void begin_piece();

 private:
  std::optional<Connection> to_child_;
  pid_t process_ = 0;
};

/// As fork(2): goes on in a child, where it returns nothing, and waits here for how that ended. The child may take as long
/// as it likes.
std::optional<ChildEnd> go_on_in_child();

/// Tries the work in a child process and says of what that died; empty: of nothing. Who does the work then meets what it
/// throws himself.
std::string death_of(const std::function<void()>& work);

}  // namespace wavesim
