#pragma once
// Receivers as a SEG-Y file, which programs of seismics read: https://library.seg.org/pb-assets/technical-standards.

#include <string>

#include "output/hdf5/result_reader.hpp"

namespace wavesim {

/// Whether this build has segyio, which writes them.
bool writes_segy();

/// Revision 1, big-endian, 4-byte IEEE floats, a trace for each receiver in their order: their places and that of the only
/// source in the trace headers, to a millimetre where they fit. Complete or absent. Throws InputError where the
/// result holds less than two samples, more than 32767, or the time between them is not near a whole number of microseconds
/// from 1 to 32767; OutputError.
void write_segy(const ResultReader& result, const std::string& path);

}  // namespace wavesim
