#include "apps/answer.hpp"

#include <cstdio>

namespace wavesim {

namespace {
bool answered = false;
}

void print_answer(const Tree& answer) {
  std::fputs(to_json(answer).c_str(), stdout);
  answered = true;
}

void print_failure(std::string_view status, int exit_status, std::string_view sentence) {
  if (answered) return;
  Tree t = Tree::map();
  t.add("status", Tree::string(status));
  t.add("exit-status", Tree::bare(std::to_string(exit_status)));
  t.add("sentence", Tree::string(sentence));
  print_answer(t);
}

}  // namespace wavesim
