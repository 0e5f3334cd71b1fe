#include "kernels/comm/socket_messages.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <string>
#include <thread>
#include <utility>

#include "kernels/backend/errors.hpp"

namespace wavesim {

namespace {

/// The process that started this one sees it too, says why, and ends this one.
[[noreturn]] void lost() {
  std::this_thread::sleep_for(std::chrono::seconds(30));
  std::_Exit(1);
}

struct Piece {
  char* at;
  std::size_t left;
  template <class F>
  void move(int fd, F f) {
    const ssize_t n = f(fd, at, left);
    if (n > 0)
      at += n, left -= std::size_t(n);
    else if (n == 0 || (errno != EAGAIN && errno != EINTR))
      lost();
  }
};
/// What is left to go to a rank and to come from it, in its order.
struct Peer {
  std::deque<Piece> out, in;
  void drop_what_is_done() {
    while (!out.empty() && out.front().left == 0) out.pop_front();
    while (!in.empty() && in.front().left == 0) in.pop_front();
  }
};

void to_itself(int rank, const std::vector<Ranks::Message>& sends,
               const std::vector<Ranks::Message>& receives) {
  auto to = receives.begin();
  for (const Ranks::Message& m : sends) {
    if (m.rank != rank) continue;
    to = std::find_if(to, receives.end(), [&](const Ranks::Message& r) { return r.rank == rank; });
    std::memmove(to->at, m.at, m.bytes);
    ++to;
  }
}

}  // namespace

SocketMessages::SocketMessages(int count, Pairs pairs)
    : count_(count), ends_(std::size_t(count) * std::size_t(count), -1) {
  for (int i = 0; i < (pairs == of_all ? count : 1); ++i)
    for (int k = i + 1; k < count; ++k) {
      int pair[2];
      if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair) != 0)
        throw DeviceError(std::string("the system connects no more processes: ") + std::strerror(errno) +
                          "; take fewer ranks");
      at(i, k) = pair[0], at(k, i) = pair[1];
    }
}

void SocketMessages::close_others(int rank) {
  for (int i = 0; i < count_; ++i)
    for (int k = 0; k < count_; ++k)
      if (i != rank && at(i, k) >= 0) close(std::exchange(at(i, k), -1));
}

void SocketMessages::exchange(int rank, const std::vector<Ranks::Message>& sends,
                              const std::vector<Ranks::Message>& receives) {
  std::vector<Peer> peers;
  peers.resize(std::size_t(count_));
  for (const Ranks::Message& m : sends)
    if (m.rank != rank) peers[std::size_t(m.rank)].out.push_back({static_cast<char*>(m.at), m.bytes});
  for (const Ranks::Message& m : receives)
    if (m.rank != rank) peers[std::size_t(m.rank)].in.push_back({static_cast<char*>(m.at), m.bytes});
  to_itself(rank, sends, receives);
  for (;;) {
    std::vector<pollfd> wanted;
    std::vector<Peer*> of;
    for (int k = 0; k < count_; ++k) {
      Peer& peer = peers[std::size_t(k)];
      peer.drop_what_is_done();
      const short events = short((peer.out.empty() ? 0 : POLLOUT) | (peer.in.empty() ? 0 : POLLIN));
      if (events) wanted.push_back({at(rank, k), events, 0}), of.push_back(&peer);
    }
    if (wanted.empty()) return;
    if (poll(wanted.data(), nfds_t(wanted.size()), -1) < 0 && errno != EINTR) lost();
    for (std::size_t n = 0; n < wanted.size(); ++n) {
      if (wanted[n].revents & POLLOUT)
        of[n]->out.front().move(wanted[n].fd, [](int fd, char* at, std::size_t size) {
          return ::send(fd, at, size, MSG_NOSIGNAL);
        });
      if (wanted[n].revents & POLLIN)
        of[n]->in.front().move(wanted[n].fd,
                               [](int fd, char* at, std::size_t size) { return ::recv(fd, at, size, 0); });
      else if (wanted[n].revents & (POLLHUP | POLLERR))
        lost();
    }
  }
}

}  // namespace wavesim
