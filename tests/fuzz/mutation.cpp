#include "tests/fuzz/mutation.hpp"

#include <algorithm>
#include <cctype>

namespace wavesim::fuzz {

namespace {

constexpr std::size_t largest = 64 << 10;
const char* const extremes[] = {"0",
                                "-1",
                                "1e308",
                                "-1e308",
                                "1e-320",
                                "nan",
                                "inf",
                                "2147483647",
                                "2147483648",
                                "4294967296",
                                "-2147483649",
                                "9223372036854775807",
                                "9223372036854775808",
                                "99999999999999999999",
                                "1e999",
                                "0x10"};

std::size_t below(std::mt19937_64& g, std::size_t n) { return n ? std::size_t(g() % n) : 0; }

void replace_a_number(std::string& s, std::mt19937_64& g) {
  const auto digit = [&](std::size_t i) { return std::isdigit(static_cast<unsigned char>(s[i])) != 0; };
  std::vector<std::size_t> begins;
  for (std::size_t i = 0; i < s.size(); ++i)
    if (digit(i) && (i == 0 || !digit(i - 1))) begins.push_back(i);
  if (begins.empty()) return;
  const std::size_t begin = begins[below(g, begins.size())];
  std::size_t end = begin;
  while (end < s.size() && digit(end)) ++end;
  s.replace(begin, end - begin, extremes[below(g, std::size(extremes))]);
}

void change(std::string& s, const std::vector<std::string>& corpus, std::mt19937_64& g) {
  const std::size_t at = below(g, s.size()), length = 1 + below(g, std::min<std::size_t>(s.size() - at, 64));
  switch (g() % 7) {
    case 0:
      s[at] = char(s[at] ^ (1 << below(g, 8)));
      break;
    case 1:
      s[at] = char(g());
      break;
    case 2:
      s.erase(at, length);
      break;
    case 3:
      s.resize(at);
      break;
    case 4: {
      const std::string piece = s.substr(at, length);
      for (std::size_t k = below(g, g() % 8 ? 8 : 4000); k > 0 && s.size() < largest; --k)
        s.insert(at, piece);
      break;
    }
    case 5: {
      const std::string& other = corpus[below(g, corpus.size())];
      const std::size_t from = below(g, other.size());
      s.replace(at, length, other, from, 1 + below(g, 256));
      break;
    }
    default:
      replace_a_number(s, g);
  }
}

}  // namespace

std::string mutated(const std::vector<std::string>& corpus, std::mt19937_64& generator) {
  std::string s = corpus[below(generator, corpus.size())];
  for (std::size_t k = 1 + below(generator, 4); k > 0 && !s.empty(); --k) change(s, corpus, generator);
  s.resize(std::min(s.size(), largest));
  return s;
}

}  // namespace wavesim::fuzz
