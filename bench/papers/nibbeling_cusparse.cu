// The peer: cuSPARSE on the same factors.

#include <cusparse.h>

#include "bench/papers/nibbeling.hpp"
#include "bench/peer.hpp"
#include "bench/timing.hpp"
#include "kernels/backend/backend.hpp"

namespace wavesim::nibbeling {

namespace {

constexpr cudaDataType type = CUDA_R_64F;
constexpr cusparseOperation_t plain = CUSPARSE_OPERATION_NON_TRANSPOSE;

/// U x = b, and y = U b, with right-hand sides one after the other in memory.
class Peer {
 public:
  Peer(Cuda& be, const HostCsr& U, int vectors)
      : be_(be),
        rows_(U.rows),
        vectors_(vectors),
        start_(be, U.start.size()),
        column_(be, U.column.size()),
        value_(be, U.value.size()),
        b_(be, std::size_t(U.rows) * vectors),
        x_(be, std::size_t(U.rows) * vectors) {
    start_.upload(U.start);
    column_.upload(U.column);
    value_.upload(U.value);
    const std::vector<double> one = right_hand_side(rows_);
    for (int n = 0; n < vectors; ++n) be.upload(b_.data() + std::size_t(n) * rows_, one.data(), one.size());
    PEER(cusparseCreate(&sparse_));
    PEER(cusparseSetStream(sparse_, be.stream()));
    PEER(cusparseCreateCsr(&matrix_, rows_, rows_, long(U.value.size()), start_.data(), column_.data(),
                           value_.data(), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                           type));
    // the product takes a descriptor without a fill mode
    PEER(cusparseCreateCsr(&product_, rows_, rows_, long(U.value.size()), start_.data(), column_.data(),
                           value_.data(), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                           type));
    cusparseFillMode_t upper = CUSPARSE_FILL_MODE_UPPER;
    cusparseDiagType_t stored = CUSPARSE_DIAG_TYPE_NON_UNIT;
    PEER(cusparseSpMatSetAttribute(matrix_, CUSPARSE_SPMAT_FILL_MODE, &upper, sizeof upper));
    PEER(cusparseSpMatSetAttribute(matrix_, CUSPARSE_SPMAT_DIAG_TYPE, &stored, sizeof stored));
    PEER(cusparseCreateDnVec(&b1_, rows_, b_.data(), type));
    PEER(cusparseCreateDnVec(&x1_, rows_, x_.data(), type));
    PEER(cusparseCreateDnMat(&bs_, rows_, vectors, rows_, b_.data(), type, CUSPARSE_ORDER_COL));
    PEER(cusparseCreateDnMat(&xs_, rows_, vectors, rows_, x_.data(), type, CUSPARSE_ORDER_COL));
    PEER(cusparseSpSV_createDescr(&one_solve_));
    PEER(cusparseSpSM_createDescr(&many_solves_));
    prepare_product();
    prepare_solve();
  }
  ~Peer() {
    cusparseSpSV_destroyDescr(one_solve_);
    cusparseSpSM_destroyDescr(many_solves_);
    cusparseDestroyDnMat(bs_);
    cusparseDestroyDnMat(xs_);
    cusparseDestroyDnVec(b1_);
    cusparseDestroyDnVec(x1_);
    cusparseDestroySpMat(matrix_);
    cusparseDestroySpMat(product_);
    cusparseDestroy(sparse_);
  }
  Peer(const Peer&) = delete;

  /// x = U b
  void product() {
    if (vectors_ == 1)
      PEER(cusparseSpMV(sparse_, plain, &unit_, product_, b1_, &zero_, x1_, type, CUSPARSE_SPMV_ALG_DEFAULT,
                        product_work_.data()));
    else
      PEER(cusparseSpMM(sparse_, plain, plain, &unit_, product_, bs_, &zero_, xs_, type,
                        CUSPARSE_SPMM_ALG_DEFAULT, product_work_.data()));
  }
  /// A descriptor holds one analysis: each has a new one.
  void forget() {
    PEER(cusparseSpSV_destroyDescr(one_solve_));
    PEER(cusparseSpSM_destroyDescr(many_solves_));
    PEER(cusparseSpSV_createDescr(&one_solve_));
    PEER(cusparseSpSM_createDescr(&many_solves_));
    prepare_solve();
  }
  void analyse() {
    if (vectors_ == 1)
      PEER(cusparseSpSV_analysis(sparse_, plain, &unit_, matrix_, b1_, x1_, type, CUSPARSE_SPSV_ALG_DEFAULT,
                                 one_solve_, solve_work_.data()));
    else
      PEER(cusparseSpSM_analysis(sparse_, plain, plain, &unit_, matrix_, bs_, xs_, type,
                                 CUSPARSE_SPSM_ALG_DEFAULT, many_solves_, solve_work_.data()));
  }
  /// x = U^-1 b
  void solve() {
    if (vectors_ == 1)
      PEER(cusparseSpSV_solve(sparse_, plain, &unit_, matrix_, b1_, x1_, type, CUSPARSE_SPSV_ALG_DEFAULT,
                              one_solve_));
    else
      PEER(cusparseSpSM_solve(sparse_, plain, plain, &unit_, matrix_, bs_, xs_, type,
                              CUSPARSE_SPSM_ALG_DEFAULT, many_solves_));
  }
  std::vector<double> first() const {
    std::vector<double> x(rows_);
    be_.download(x.data(), x_.data(), x.size());
    return x;
  }

 private:
  void prepare_product() {
    std::size_t bytes = 0;
    if (vectors_ == 1)
      PEER(cusparseSpMV_bufferSize(sparse_, plain, &unit_, product_, b1_, &zero_, x1_, type,
                                   CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
    else
      PEER(cusparseSpMM_bufferSize(sparse_, plain, plain, &unit_, product_, bs_, &zero_, xs_, type,
                                   CUSPARSE_SPMM_ALG_DEFAULT, &bytes));
    product_work_ = Buffer<Cuda, char>(be_, bytes);
  }
  void prepare_solve() {
    std::size_t bytes = 0;
    if (vectors_ == 1)
      PEER(cusparseSpSV_bufferSize(sparse_, plain, &unit_, matrix_, b1_, x1_, type, CUSPARSE_SPSV_ALG_DEFAULT,
                                   one_solve_, &bytes));
    else
      PEER(cusparseSpSM_bufferSize(sparse_, plain, plain, &unit_, matrix_, bs_, xs_, type,
                                   CUSPARSE_SPSM_ALG_DEFAULT, many_solves_, &bytes));
    solve_work_ = Buffer<Cuda, char>(be_, bytes);
  }

  Cuda& be_;
  int rows_, vectors_;
  Buffer<Cuda, int> start_, column_;
  Buffer<Cuda, double> value_, b_, x_;
  Buffer<Cuda, char> product_work_, solve_work_;
  cusparseHandle_t sparse_ = nullptr;
  cusparseSpMatDescr_t matrix_ = nullptr, product_ = nullptr;
  cusparseDnVecDescr_t b1_ = nullptr, x1_ = nullptr;
  cusparseDnMatDescr_t bs_ = nullptr, xs_ = nullptr;
  cusparseSpSVDescr_t one_solve_ = nullptr;
  cusparseSpSMDescr_t many_solves_ = nullptr;
  const double unit_ = 1, zero_ = 0;
};

}  // namespace

Result measure_cusparse(const HostCsr& U, const std::vector<int>& vectors, int repetitions) {
  Cuda be;
  Result r;
  for (int count : vectors) {
    Peer peer(be, U, count);
    Times t{count, 0, 0, 0, 0};
    t.product = median_seconds(be, repetitions, [&] { peer.product(); });
    t.analysis = median_wall_seconds(
        be, std::min(repetitions, 5), [&] { peer.analyse(); }, [&] { peer.forget(); });
    t.solve = median_seconds(be, repetitions, [&] { peer.solve(); });
    r.residual = residual_of(U, right_hand_side(U.rows), peer.first());
    r.times.push_back(t);
  }
  return r;
}

}  // namespace wavesim::nibbeling
