// mpirun -n CORES bench_petsc [-size n] [-repetitions n] [-faces A,...]: PETSc's KSP CG to 1e-8 without
// preconditioner on the system of bench_cpu_peers, a process on each core.

#include <petscksp.h>

#include <algorithm>
#include <cstdio>
#include <random>
#include <vector>

namespace {

PetscErrorCode solve(PetscInt n, double a, PetscInt repetitions) {
  PetscFunctionBeginUser;
  Mat A;
  Vec b, x, r;
  KSP ksp;
  PC pc;
  PetscCall(
      MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, n * n, n * n, 5, nullptr, 2, nullptr, &A));
  PetscInt first, last;
  PetscCall(MatGetOwnershipRange(A, &first, &last));
  for (PetscInt i = first; i < last; ++i) {
    const PetscInt row = i / n, col = i % n;
    PetscInt at[5], count = 0;
    PetscScalar v[5];
    const auto add = [&](PetscInt j, double value) { at[count] = j, v[count++] = value; };
    if (row > 0) add(i - n, -a);
    if (col > 0) add(i - 1, -a);
    add(i, 1 + 4 * a);
    if (col < n - 1) add(i + 1, -a);
    if (row < n - 1) add(i + n, -a);
    PetscCall(MatSetValues(A, 1, &i, count, at, v, INSERT_VALUES));
  }
  PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
  PetscCall(MatCreateVecs(A, &x, &b));
  PetscCall(VecDuplicate(b, &r));
  PetscScalar* values;
  PetscCall(VecGetArray(b, &values));
  std::mt19937 random(1);  // of each process: the same sequence as bench_cpu_peers, from its first row on
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (PetscInt i = 0; i < last; ++i) {
    const double v = uniform(random);
    if (i >= first) values[i - first] = v;
  }
  PetscCall(VecRestoreArray(b, &values));

  PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
  PetscCall(KSPSetOperators(ksp, A, A));
  PetscCall(KSPSetType(ksp, KSPCG));
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PCSetType(pc, PCNONE));
  PetscCall(KSPSetNormType(ksp, KSP_NORM_UNPRECONDITIONED));
  PetscCall(KSPSetTolerances(ksp, 1e-8, PETSC_DEFAULT, PETSC_DEFAULT, 10000));
  PetscCall(KSPSetFromOptions(ksp));
  PetscCall(KSPSetUp(ksp));

  std::vector<double> times;
  for (PetscInt k = 0; k <= repetitions; ++k) {
    PetscCall(MPI_Barrier(PETSC_COMM_WORLD));
    const double before = MPI_Wtime();
    PetscCall(KSPSolve(ksp, b, x));
    PetscCall(MPI_Barrier(PETSC_COMM_WORLD));
    if (k > 0) times.push_back(MPI_Wtime() - before);
  }
  std::sort(times.begin(), times.end());
  const double seconds = times[times.size() / 2];
  PetscInt iterations;
  PetscReal size, reference;
  KSPConvergedReason reason;
  PetscCall(KSPGetIterationNumber(ksp, &iterations));
  PetscCall(KSPGetConvergedReason(ksp, &reason));
  PetscCall(MatMult(A, x, r));
  PetscCall(VecAYPX(r, -1, b));
  PetscCall(VecNorm(r, NORM_2, &size));
  PetscCall(VecNorm(b, NORM_2, &reference));
  PetscCall(PetscPrintf(
      PETSC_COMM_WORLD,
      "%5d  a = %-4g %-28s %10.2f ms  %4d iterations, %9.4f ms each, true residual %.2g%s\n", int(n), a,
      "PETSc, assembled", seconds * 1e3, int(iterations), seconds * 1e3 / double(iterations),
      double(size / reference), reason > 0 ? "" : ", NOT CONVERGED"));
  PetscCall(KSPDestroy(&ksp));
  PetscCall(VecDestroy(&r));
  PetscCall(VecDestroy(&x));
  PetscCall(VecDestroy(&b));
  PetscCall(MatDestroy(&A));
  PetscFunctionReturn(PetscErrorCode(0));
}

}  // namespace

int main(int argc, char** argv) {
  PetscCall(PetscInitialize(&argc, &argv, nullptr, nullptr));
  PetscInt n = 4095, repetitions = 5;
  PetscCall(PetscOptionsGetInt(nullptr, nullptr, "-size", &n, nullptr));
  PetscCall(PetscOptionsGetInt(nullptr, nullptr, "-repetitions", &repetitions, nullptr));
  PetscMPIInt processes;
  PetscCall(MPI_Comm_size(PETSC_COMM_WORLD, &processes));
  PetscCall(PetscPrintf(PETSC_COMM_WORLD, "PETSc %d.%d.%d, %d processes of MPI\n", PETSC_VERSION_MAJOR,
                        PETSC_VERSION_MINOR, PETSC_VERSION_SUBMINOR, int(processes)));
  PetscReal faces[8] = {0.5, 50};
  PetscInt count = 8;
  PetscBool given;
  PetscCall(PetscOptionsGetRealArray(nullptr, nullptr, "-faces", faces, &count, &given));
  if (!given) count = 2;
  for (PetscInt k = 0; k < count; ++k) PetscCall(solve(n, faces[k], repetitions));
  return PetscFinalize();
}
