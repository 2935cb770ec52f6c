// Both variants round alike, so that their scores agree to the last digits.
#pragma clang fp contract(off)

#include "DlibHeaders.hpp"

#include "DlibScanner.hpp"

namespace headroom {

std::unique_ptr<Scanner> make_baseline_scanner(const Model &model) { return std::make_unique<DlibScanner>(model); }

}  // namespace headroom
