#pragma once

namespace wavesim {

/// The forms of steps in time that passes may take as a whole (FusedStepper). In the first-order form (BlockedStep of
/// kernels/temporal/blocked_sweeps.hpp) A d = M p - delta K u, u_to = u + d, p_to = carry d + (1 - carry) p. Over three
/// levels (BlockedThreeLevelStep) A e = -delta K u - 2 a D p + force, d = p + e, u_to = u + d, p_to = d.
enum class FusedForm { first_order, three_levels };

}  // namespace wavesim
