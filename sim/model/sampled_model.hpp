#pragma once
// Models for what is said before a run: without arrays over the nodes, or with those of some nodes only.

#include "sim/model/model.hpp"

namespace wavesim {

/// The grid of a config and which of its fields will be arrays: one value stands for each. Throws InputError.
Model outline_of(const Config& config);

/// The model with its own grid, edges and layers, and with sources and receivers; where the grid has more nodes than
/// `most_nodes`, arrays over nodes are those of a coarser grid, and `stride` says by how much. 1: the model is whole.
/// A config that is wrong, or has too little on the coarser grid, is built whole. Throws InputError.
struct SampledModel {
  Model model;
  long stride = 1;
};
SampledModel build_sampled_model(const Config& config, double most_nodes = 1e6);

}  // namespace wavesim
