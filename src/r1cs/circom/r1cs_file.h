/// Circuits of circom: .r1cs files, read and compiled.
///
/// A file has nWires wires: wire 0 is ONE, then outputs, public inputs, private inputs and what lies between; outputs and
/// public inputs are the statement. Constraints are a * b = c over wires. Sections: 1 the numbers, 2 the constraints, 3 the
/// wires' labels, of which only the length is looked at; 4 and 5, custom gates, are PLONK's and must be empty.
/// Wire w <= publics becomes input w of the Circuit, the others auxiliary variables in their order. A wire that occurs
/// nowhere gets a constraint w * 0 = 0 behind the file's own: without one a key would have no point for it.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "r1cs/circuit.h"

namespace cuzk::r1cs {

/// What a file says of itself.
struct CircomNumbers {
  u32 wires = 1;  ///< ONE included
  u32 outputs = 0, public_inputs = 0, private_inputs = 0;
  u32 constraints = 0;

  u32 publics() const { return outputs + public_inputs; }  ///< ONE not counted
};

struct CircomCircuit {
  CircomNumbers numbers;
  Circuit circuit;
};

/// Compiles a file's bytes. Constraints stand in blocks, each a template of its own, so that threads share them. Memory: a
/// few times the file. Throws Error{invalid_input} naming `source`, the section, the constraint, found and expected.
CircomCircuit compile_r1cs(std::span<const u8> file, const std::string& source);

/// The same of a file; not_found when there is none.
CircomCircuit read_r1cs(const std::filesystem::path& path);

}  // namespace cuzk::r1cs
