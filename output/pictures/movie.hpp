#pragma once
// Pictures in a row as a film: .mp4 and .webm through ffmpeg, .ogv through VTK.

#include <memory>
#include <string>

#include "output/pictures/canvas.hpp"

namespace wavesim {

class Movie {
 public:
  virtual ~Movie() = default;
  virtual void add(const Canvas& picture) = 0;  // all of one size
  /// The file gets its name now; a film that ends before leaves no file.
  virtual void finish() = 0;
};

/// "mp4", "webm" or "ogv" of "auto": mp4 where ffmpeg is among the programs, else ogv (which a build with VTK makes). Throws InputError for
/// what this computer cannot make.
std::string movie_format(const std::string& wanted);

/// Throws OutputError.
std::unique_ptr<Movie> make_movie(const std::string& path, const std::string& format, int pictures_a_second);

}  // namespace wavesim
