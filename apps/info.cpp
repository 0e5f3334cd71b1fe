// wavesim info: the devices and what this program was built with.

#include <build_facts.hpp>
#include <cstdio>

#include "apps/commands.hpp"
#include "kernels/backend/device.hpp"
#include "kernels/backend/errors.hpp"
#include "kernels/comm/mpi_ranks.hpp"
#include "output/pictures/vti_writer.hpp"
#include "output/run/result_directory.hpp"
#include "sim/config/tree.hpp"

namespace wavesim {

namespace {

bool has_vtk() {
  try {
    make_vti_writer();
    return true;
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace

int info(bool json) {
  std::vector<DeviceFacts> devices = cuda_facts();
  devices.push_back(cpu_facts());
  const bool vtk = has_vtk(), mpi = mpi_is_built(), nccl = nccl_is_built();
  const std::string cuda = cuda_compiler, no_cuda = why_no_cuda();

  if (json) {
    Tree t = Tree::map(), list = Tree::list();
    t.add("version", Tree::string(version));
    t.add("commit", Tree::string(commit));
    t.add("compiler", Tree::string(compiler));
    t.add("build-type", Tree::string(build_type));
    t.add("cuda-compiler", cuda.empty() ? Tree() : Tree::string(cuda));
    t.add("vtk", Tree::bare(vtk ? "true" : "false"));
    t.add("mpi", Tree::bare(mpi ? "true" : "false"));
    t.add("nccl", Tree::bare(nccl ? "true" : "false"));
    for (const DeviceFacts& d : devices) {
      Tree one = Tree::map();
      one.add("kind", Tree::string(d.kind));
      one.add("name", Tree::string(d.name));
      one.add("detail", Tree::string(d.detail));
      one.add("memory", Tree::bare(std::to_string(d.memory)));
      one.add("free", Tree::bare(std::to_string(d.free)));
      list.items.push_back(std::move(one));
    }
    t.add("devices", std::move(list));
    std::fputs(to_json(t).c_str(), stdout);
    return 0;
  }

  std::printf("wavesim %s, commit %s\n", version, commit);
  std::printf("built with %s (%s), CUDA %s, VTK %s, MPI %s, NCCL %s\n", compiler, build_type,
              cuda.empty() ? "no" : cuda.c_str(), vtk ? "yes" : "no", mpi ? "yes" : "no",
              nccl ? "yes" : "no");
  for (const DeviceFacts& d : devices)
    std::printf("%-5s %s: %s, %s free of %s\n", d.kind.c_str(), d.name.c_str(), d.detail.c_str(),
                human_bytes(double(d.free)).c_str(), human_bytes(double(d.memory)).c_str());
  if (!no_cuda.empty()) std::printf("%s\n", no_cuda.c_str());
  return 0;
}

}  // namespace wavesim
