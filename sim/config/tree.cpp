#include "sim/config/tree.hpp"

#include <utility>

namespace wavesim {

const Tree* Tree::find(std::string_view key) const {
  for (const auto& [k, value] : keys)
    if (k == key) return &value;
  return nullptr;
}

Tree* Tree::find(std::string_view key) { return const_cast<Tree*>(std::as_const(*this).find(key)); }

Tree Tree::made(Is is) {
  Tree t;
  t.is = is;
  return t;
}

Tree Tree::bare(std::string scalar) {
  Tree t = made(Is::scalar);
  t.scalar = std::move(scalar);
  return t;
}

Tree Tree::string(std::string_view scalar) {
  Tree t = bare(std::string(scalar));
  t.text = true;
  return t;
}

Tree& Tree::add(std::string_view key, Tree value) {
  keys.push_back({std::string(key), std::move(value)});
  return keys.back().value;
}

}  // namespace wavesim
