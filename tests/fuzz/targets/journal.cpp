// The journal of a study that goes on, and the page of its rows.

#include <fstream>

#include "output/study/study_journal.hpp"
#include "output/study/study_page.hpp"
#include "tests/fuzz/target.hpp"

using namespace wavesim;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::ofstream(StudyJournal::path_in(fuzz::folder()), std::ios::binary) << fuzz::text_of(data, size);
  return fuzz::refused_or_read([] { study_page({}, StudyJournal::read(fuzz::folder(), "a study")); });
}
