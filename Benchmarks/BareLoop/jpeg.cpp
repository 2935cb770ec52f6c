#include "jpeg.hpp"

#include <cstdio>
#include <cstdlib>
#include <jpeglib.h>

Pixels decode(const std::vector<unsigned char> &file, int eighths)
{
    jpeg_decompress_struct info;
    jpeg_error_mgr errors;
    info.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&info);
    jpeg_mem_src(&info, file.data(), file.size());
    jpeg_read_header(&info, TRUE);
    const bool grey = info.jpeg_color_space == JCS_GRAYSCALE;
    info.out_color_space = grey ? JCS_GRAYSCALE : JCS_YCbCr;
    info.scale_num = static_cast<unsigned>(eighths);
    info.scale_denom = 8;
    jpeg_start_decompress(&info);
    Pixels pixels;
    pixels.width = static_cast<int>(info.output_width);
    pixels.height = static_cast<int>(info.output_height);
    const std::size_t stride = std::size_t{3} * info.output_width;
    pixels.samples.assign(stride * info.output_height, 128);
    std::vector<unsigned char> line(info.output_width);
    while (info.output_scanline < info.output_height) {
        unsigned char *row = &pixels.samples[stride * info.output_scanline];
        unsigned char *target = grey ? line.data() : row;
        jpeg_read_scanlines(&info, &target, 1);
        if (grey)
            for (std::size_t x = 0; x < line.size(); x++)
                row[3 * x] = line[x];
    }
    jpeg_finish_decompress(&info);
    jpeg_destroy_decompress(&info);
    return pixels;
}

std::vector<unsigned char> encode(const Pixels &pixels)
{
    jpeg_compress_struct info;
    jpeg_error_mgr errors;
    info.err = jpeg_std_error(&errors);
    jpeg_create_compress(&info);
    unsigned char *bytes = nullptr;
    unsigned long count = 0;
    jpeg_mem_dest(&info, &bytes, &count);
    info.image_width = static_cast<unsigned>(pixels.width);
    info.image_height = static_cast<unsigned>(pixels.height);
    info.input_components = 3;
    info.in_color_space = JCS_YCbCr;
    jpeg_set_defaults(&info);
    jpeg_set_quality(&info, 82, TRUE);
    info.optimize_coding = TRUE;
    jpeg_start_compress(&info, TRUE);
    while (info.next_scanline < info.image_height) {
        const std::size_t offset = std::size_t{3} * info.image_width * info.next_scanline;
        auto *row = const_cast<unsigned char *>(&pixels.samples[offset]);
        jpeg_write_scanlines(&info, &row, 1);
    }
    jpeg_finish_compress(&info);
    jpeg_destroy_compress(&info);
    std::vector<unsigned char> file(bytes, bytes + count);
    std::free(bytes);
    return file;
}
