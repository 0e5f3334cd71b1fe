#pragma once
namespace wavesim {

/// Whether the sums of a backend are compensated, during its life. A solve within a solve has a choice of its own.
template <class B>
class Compensation {
 public:
  Compensation(B& backend, bool on) : be_(backend), before_(backend.compensate(on)) {}
  Compensation(const Compensation&) = delete;
  ~Compensation() { be_.compensate(before_); }

 private:
  B& be_;
  bool before_;
};

}  // namespace wavesim
