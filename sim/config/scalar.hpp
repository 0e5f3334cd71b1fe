#pragma once
// Numbers, words and lists of them out of a Tree, with a sentence for each way they can be wrong.

#include <array>

#include "sim/config/tree.hpp"

namespace wavesim {

/// Whether a scalar is meant as a number: it begins like one and is not in quotes.
bool looks_like_number(const Tree&);

// Each throws InputError if the value has another type, is not finite, breaks a bound or is none of the
// choices.
void read_value(const Tree&, double&, const Rule&);
void read_value(const Tree&, long&, const Rule&);
void read_value(const Tree&, bool&, const Rule&);
void read_value(const Tree&, std::string&, const Rule&);
void read_value(const Tree&, std::vector<double>&, const Rule&);       // one bare number is a list of one
void read_value(const Tree&, std::vector<long>&, const Rule&);         // likewise
void read_value(const Tree&, std::vector<std::string>&, const Rule&);  // likewise
void read_numbers(const Tree&, double* values, std::size_t count, const Rule&);
void read_numbers(const Tree&, long* values, std::size_t count, const Rule&);

/// "must be a number in m greater than 0": what a value has to be, for a sentence.
std::string wanted(std::string_view type, const Rule&);

/// The value as the user wrote it, cut to a readable length.
std::string quote(const Tree&);

}  // namespace wavesim
