/// The file that makes a key reproducible: JSON {"alpha","beta","gamma","delta","tau"}, each 32 bytes little-endian hex.
#pragma once

#include <string>

#include "groth16/setup.h"

namespace cuzk::apps {

/// Unknown keys are passed over. Throws Error naming the file and the scalar.
groth16::ToxicWaste read_toxic_waste(const std::string& path);

}  // namespace cuzk::apps
