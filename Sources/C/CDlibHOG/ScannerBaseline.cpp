// Both variants round in the same way, so that their scores agree except for the last digits.
#pragma clang fp contract(off)

#include "DlibHeaders.hpp"

#include "DlibScanner.hpp"

namespace headroom {

std::unique_ptr<Scanner> make_baseline_scanner(const Model &model) { return std::make_unique<DlibScanner>(model); }

}  // namespace headroom
