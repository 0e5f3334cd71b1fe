#pragma once
// All plain values of a Section as one function template: a visitor says what it does with a value of any
// type.

#include "sim/config/section.hpp"

namespace wavesim {

/// Derived has  template <class T> void value(std::string_view key, T& v, const Rule& rule).
template <class Derived>
class Visitor : public Section {
 public:
  using Section::operator();
  void operator()(std::string_view k, double& v, const Rule& r) override { call(k, v, r); }
  void operator()(std::string_view k, long& v, const Rule& r) override { call(k, v, r); }
  void operator()(std::string_view k, bool& v, const Rule& r) override { call(k, v, r); }
  void operator()(std::string_view k, std::string& v, const Rule& r) override { call(k, v, r); }
  void operator()(std::string_view k, FilePath& v, const Rule& r) override { call(k, v, r); }
  void operator()(std::string_view k, std::optional<Place>& v, const Rule& r) override { call(k, v, r); }
  void operator()(std::string_view k, Parameters& v, const Rule& r) override { call(k, v, r); }
  void operator()(std::string_view k, std::optional<double>& v, const Rule& r) override { call(k, v, r); }
  void operator()(std::string_view k, std::optional<long>& v, const Rule& r) override { call(k, v, r); }
  void operator()(std::string_view k, std::optional<bool>& v, const Rule& r) override { call(k, v, r); }
  void operator()(std::string_view k, std::optional<std::string>& v, const Rule& r) override {
    call(k, v, r);
  }
  void operator()(std::string_view k, std::array<double, 2>& v, const Rule& r) override { call(k, v, r); }
  void operator()(std::string_view k, std::array<long, 2>& v, const Rule& r) override { call(k, v, r); }
  void operator()(std::string_view k, std::optional<std::array<double, 2>>& v, const Rule& r) override {
    call(k, v, r);
  }
  void operator()(std::string_view k, std::optional<std::array<double, 3>>& v, const Rule& r) override {
    call(k, v, r);
  }
  void operator()(std::string_view k, std::optional<std::array<double, 4>>& v, const Rule& r) override {
    call(k, v, r);
  }
  void operator()(std::string_view k, std::vector<double>& v, const Rule& r) override { call(k, v, r); }
  void operator()(std::string_view k, std::vector<long>& v, const Rule& r) override { call(k, v, r); }
  void operator()(std::string_view k, std::vector<std::string>& v, const Rule& r) override { call(k, v, r); }
  void operator()(std::string_view k, std::vector<std::array<double, 2>>& v, const Rule& r) override {
    call(k, v, r);
  }
  void operator()(std::string_view k, std::vector<std::array<double, 4>>& v, const Rule& r) override {
    call(k, v, r);
  }

 private:
  template <class T>
  void call(std::string_view k, T& v, const Rule& r) {
    static_cast<Derived*>(this)->value(k, v, r);
  }
};

}  // namespace wavesim
