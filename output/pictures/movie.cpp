#include "output/pictures/movie.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <utility>
#include <vector>

#include "kernels/backend/errors.hpp"
#include "output/run/partial_file.hpp"

#ifdef WAVESIM_HAVE_VTK
#include <vtkErrorCode.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkOggTheoraWriter.h>
#endif

namespace wavesim {

namespace fs = std::filesystem;

namespace {

/// The program's path; empty if there is none in PATH.
std::string find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string program = (folder.empty() ? "." : folder) + "/" + name;
    if (access(program.c_str(), X_OK) == 0 && fs::is_regular_file(program)) return program;
  }
  return "";
}

/// Raw pictures into a pipe that ffmpeg reads.
class FfmpegMovie final : public Movie {
 public:
  FfmpegMovie(std::string path, const std::string& format, int rate)
      : path_(std::move(path)), temporary_(path_ + ".partial"), format_(format), rate_(rate) {}

  ~FfmpegMovie() override {
    if (pipe_ >= 0) close(pipe_);
    if (child_ > 0) {
      kill(child_, SIGTERM);
      waitpid(child_, nullptr, 0);
    }
    std::error_code ignored;
    fs::remove(temporary_, ignored);
  }

  void add(const Canvas& picture) override {
    if (child_ == 0) start(picture.width(), picture.height());
    const std::size_t row = 3 * std::size_t(picture.width());
    for (int y = picture.height() - 1; y >= 0; --y) send(picture.rgb().data() + std::size_t(y) * row, row);
  }

  void finish() override {
    if (child_ == 0) return;
    close(std::exchange(pipe_, -1));
    int status = 0;
    waitpid(std::exchange(child_, 0), &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) fail_to_write(path_, "ffmpeg failed");
    rename_file(temporary_, path_);
  }

 private:
  void start(int width, int height) {
    const std::string program = find_program("ffmpeg"),
                      size = std::to_string(width) + "x" + std::to_string(height),
                      rate = std::to_string(rate_);
    std::vector<std::string> words{
        program,    "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24",
        "-s",       size,        "-r",    rate, "-i", "-",        "-vf",      "pad=ceil(iw/2)*2:ceil(ih/2)*2",
        "-pix_fmt", "yuv420p"};
    if (format_ == "webm")
      words.insert(words.end(), {"-c:v", "libvpx-vp9", "-crf", "30", "-b:v", "0", "-f", "webm"});
    else
      words.insert(words.end(), {"-c:v", "libx264", "-crf", "20", "-movflags", "+faststart", "-f", "mp4"});
    words.push_back(temporary_);
    std::vector<char*> arguments;
    for (std::string& w : words) arguments.push_back(w.data());
    arguments.push_back(nullptr);
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) fail_to_write(path_, std::strerror(errno));
    signal(SIGPIPE, SIG_IGN);  // an ffmpeg that ended is a failed write
    child_ = fork();
    if (child_ == 0) {
      dup2(ends[0], STDIN_FILENO);
      execv(program.c_str(), arguments.data());
      _exit(127);
    }
    close(ends[0]);
    pipe_ = ends[1];
    if (child_ < 0) {
      child_ = 0;
      fail_to_write(path_, std::strerror(errno));
    }
  }

  void send(const std::uint8_t* from, std::size_t bytes) {
    while (bytes > 0) {
      const ssize_t sent = write(pipe_, from, bytes);
      if (sent < 0 && errno == EINTR) continue;
      if (sent <= 0) fail_to_write(path_, "ffmpeg ended early");
      from += sent;
      bytes -= std::size_t(sent);
    }
  }

  std::string path_, temporary_, format_;
  int rate_, pipe_ = -1;
  pid_t child_ = 0;
};

#ifdef WAVESIM_HAVE_VTK

class TheoraMovie final : public Movie {
 public:
  TheoraMovie(std::string path, int rate) : path_(std::move(path)), temporary_(path_ + ".partial") {
    vtkObject::GlobalWarningDisplayOff();  // a failure is one sentence of ours
    writer_->SetFileName(temporary_.c_str());
    writer_->SetRate(rate);
    writer_->SetQuality(2);
  }

  ~TheoraMovie() override {
    if (started_) writer_->End();
    std::error_code ignored;
    fs::remove(temporary_, ignored);
  }

  void add(const Canvas& picture) override {
    vtkNew<vtkImageData> image;
    image->SetDimensions(picture.width(), picture.height(), 1);
    image->AllocateScalars(VTK_UNSIGNED_CHAR, 3);
    std::memcpy(image->GetScalarPointer(), picture.rgb().data(), picture.rgb().size());
    writer_->SetInputData(image);
    if (!started_) writer_->Start();
    started_ = true;
    writer_->Write();
    check();
  }

  void finish() override {
    if (!started_) return;
    writer_->End();
    started_ = false;
    check();
    rename_file(temporary_, path_);
  }

 private:
  void check() {
    if (writer_->GetError()) fail_to_write(path_, "the film's frames could not be written");
  }
  std::string path_, temporary_;
  vtkNew<vtkOggTheoraWriter> writer_;
  bool started_ = false;
};

#endif

}  // namespace

std::string movie_format(const std::string& wanted) {
#ifdef WAVESIM_HAVE_VTK
  constexpr bool vtk = true;
#else
  constexpr bool vtk = false;
#endif
  const bool ffmpeg = !find_program("ffmpeg").empty();
  if (wanted == "auto" && !ffmpeg && !vtk)
    throw InputError("--movie needs the program ffmpeg, which is not in PATH; install it and try again");
  if (wanted == "auto") return ffmpeg ? "mp4" : "ogv";
  if (wanted == "mp4" || wanted == "webm") {
    if (!ffmpeg)
      throw InputError("--movie " + wanted + " needs the program ffmpeg, which is not in PATH; install it" +
                       (vtk ? ", or take --movie ogv" : ""));
    return wanted;
  }
  if (wanted == "ogv" && !vtk)
    throw InputError(
        "--movie ogv needs VTK, which this build is without; take mp4, or install libvtk9-dev and build "
        "again");
  if (wanted == "ogv") return wanted;
  throw InputError("there is no film format '" + wanted + "'; choose from auto, mp4, webm, ogv");
}

std::unique_ptr<Movie> make_movie(const std::string& path, const std::string& format, int pictures_a_second) {
#ifdef WAVESIM_HAVE_VTK
  if (format == "ogv") return std::make_unique<TheoraMovie>(path, pictures_a_second);
#endif
  return std::make_unique<FfmpegMovie>(path, format, pictures_a_second);
}

}  // namespace wavesim
