#pragma once
// Receivers as a SEG-Y file, which programs of seismics read: https://library.seg.org/pb-assets/technical-standards.

#include <memory>
#include <string>

#include "output/hdf5/result_reader.hpp"

namespace wavesim {

/// Whether this build has segyio, which writes them.
bool writes_segy();

/// Revision 1, big-endian, 4-byte IEEE floats, one shot after the other, a trace for each receiver in their order: the number
/// of the shot, the place of the receiver and that of the only source in the trace headers, to a millimetre where they fit.
/// Complete or absent.
class SegyWriter {
 public:
  explicit SegyWriter(const std::string& path, long shots = 1);
  ~SegyWriter();
  SegyWriter(const SegyWriter&) = delete;
  SegyWriter& operator=(const SegyWriter&) = delete;

  /// The receivers of one run, as field record `record`. Throws InputError where the result holds less than two samples, more
  /// than 32767, or the time between them is not near a whole number of microseconds from 1 to 32767, or is another one than
  /// that of the shots before; OutputError.
  void add(const ResultReader& result, long record);
  /// Gives the file its name.
  void finish();

 private:
  void begin(const ResultReader& result, const ReceiverSeries& series);
  struct Open;
  std::unique_ptr<Open> open_;
};

/// The file of one run.
void write_segy(const ResultReader& result, const std::string& path);

}  // namespace wavesim
