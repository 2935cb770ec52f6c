#pragma once
#include <stddef.h>
#include <stdint.h>

/// libFuzzer's own loop, of its version without `main` (FuzzerInterface.h): parses its options out of the arguments, and
/// calls `one_input` with one input after another.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*one_input)(const uint8_t *data, size_t size));
