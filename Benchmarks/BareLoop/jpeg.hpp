// Converts JPEG files to YCbCr pixels and back with libjpeg-turbo. Errors end the program, because it is only a benchmark.
#pragma once

#include <cstddef>
#include <vector>

struct Pixels {
    int width = 0;
    int height = 0;
    // Y, Cb and Cr of each pixel, row by row.
    std::vector<unsigned char> samples;
};

// Decodes at `eighths` of the file's size, 1, 2, 4 or 8. Grey files get a neutral chroma.
Pixels decode(const std::vector<unsigned char> &file, int eighths);

// Encodes with Headroom's default settings: quality 82, 4:2:0, optimised Huffman tables.
std::vector<unsigned char> encode(const Pixels &pixels);
