#pragma once
#include <stddef.h>
#include <stdint.h>

/// Runs the loop of libFuzzer, in its version without `main` (FuzzerInterface.h): parses libFuzzer's options from the
/// arguments, and calls `one_input` for each input.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*one_input)(const uint8_t *data, size_t size));
