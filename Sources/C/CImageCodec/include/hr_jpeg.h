#pragma once

#include "hr_types.h"

enum { HR_JPEG_MAX_COMPONENTS = 4 };

/// The colour space of the components, according to the JFIF and Adobe markers. Inks are inverted, with 0 for full ink,
/// as in Adobe's files. Like all other decoders, this applies to files without Adobe's marker too.
typedef enum hr_jpeg_color { HR_JPEG_GRAY, HR_JPEG_YCC, HR_JPEG_RGB, HR_JPEG_CMYK, HR_JPEG_YCCK } hr_jpeg_color;

typedef struct hr_jpeg_info {
    int width;
    int height;
    int components;
    hr_jpeg_color color;
    bool progressive;
    int h_samp[HR_JPEG_MAX_COMPONENTS];
    int v_samp[HR_JPEG_MAX_COMPONENTS];
    /// Memory of a copy of the file, which is needed if its frame header lacks a height.
    size_t copied_bytes;
    /// Memory of all coefficients of the image, and of one more bit for each.
    int64_t coefficient_bytes;
    /// Whether the library keeps all coefficients during decoding, because the file has several scans.
    bool holds_coefficients;
    /// Whether the header contains `tables`, as in nearly all files.
    bool has_tables;
    /// The quantisation tables of each component, row by row, for the stored image.
    uint16_t tables[HR_JPEG_MAX_COMPONENTS][64];
    /// Memory of the planes of all components at n/8 of the size, at index n - 1.
    int64_t plane_bytes[8];
    /// The TIFF structure of the first Exif segment; lives as long as the decoder.
    const uint8_t *_Nullable exif;
    size_t exif_count;
    /// The assembled ICC profile; lives as long as the decoder.
    const uint8_t *_Nullable icc;
    size_t icc_count;
} hr_jpeg_info;

/// The plane for the output of a component. It covers the image with h_num / h_den samples for each pixel across.
typedef struct hr_jpeg_component {
    int width;
    int height;
    size_t min_stride;  ///< Whole blocks are written, so rows must be this long.
    int h_num, h_den;
    int v_num, v_den;
} hr_jpeg_component;

typedef struct hr_jpeg_layout {
    int width;
    int height;     ///< The number of decoded rows.
    int first_row;  ///< The first decoded row; earlier rows of the image are skipped.
    int components;
    hr_jpeg_component component[HR_JPEG_MAX_COMPONENTS];
} hr_jpeg_layout;

typedef struct hr_jpeg_limits {
    int max_scans;
    int64_t max_memory;  ///< Bytes of coefficients.
    bool whole;          ///< Whether every damage is an error.
} hr_jpeg_limits;

typedef struct hr_jpeg_decoder hr_jpeg_decoder;

/// Reads the header.
hr_status hr_jpeg_open(const uint8_t *_Nonnull bytes, size_t count, hr_jpeg_limits limits,
                       hr_jpeg_decoder *_Nullable *_Nonnull out, hr_jpeg_info *_Nonnull info, hr_error *_Nonnull error);

/// Rows of the stored image at the requested scale.
typedef struct hr_jpeg_rows {
    int first;
    int end;  ///< One more than the last row; a value beyond the image selects all later rows.
} hr_jpeg_rows;

/// Selects n/8 of the size, all components or only the first one, and the rows. Decoding extends them to whole MCUs.
hr_status hr_jpeg_prepare(hr_jpeg_decoder *_Nonnull decoder, int eighths, bool first_only, hr_jpeg_rows rows,
                          hr_jpeg_layout *_Nonnull layout, hr_error *_Nonnull error);

/// Decodes into one plane for each component of the layout. If the data end early or are damaged, and at most half of
/// the image is lost, the lost part is undefined (usually grey) and the call succeeds, unless the limits require a
/// whole image.
hr_status hr_jpeg_decode(hr_jpeg_decoder *_Nonnull decoder, const hr_target *_Nonnull planes, hr_error *_Nonnull error);

/// Whether some of the decoded rows are damaged.
bool hr_jpeg_is_damaged(const hr_jpeg_decoder *_Nonnull decoder);

void hr_jpeg_close(hr_jpeg_decoder *_Nullable decoder);

typedef struct hr_jpeg_options {
    hr_jpeg_color color;
    int h_samp[HR_JPEG_MAX_COMPONENTS];
    int v_samp[HR_JPEG_MAX_COMPONENTS];
    int width;
    int height;
    int quality;  ///< 1 to 100
    /// 64 values for each component, row by row, instead of the tables for `quality`.
    const uint16_t *_Nullable tables;
    bool progressive;
    bool arithmetic;
    const uint8_t *_Nullable icc;
    size_t icc_count;
} hr_jpeg_options;

/// Encodes a JPEG file from planes, one for each component, with sides of ceil(side * samp / max samp). It uses the
/// Huffman tables of the standard; with `tables`, it uses tables that are optimised for the image.
hr_status hr_jpeg_encode(const hr_plane *_Nonnull planes, const hr_jpeg_options *_Nonnull options,
                         hr_buffer *_Nonnull out, hr_error *_Nonnull error);

/// The part for hr_jpeg_crop: a rectangle of the upright image. Its left and top edge must lie on MCU boundaries of
/// the stored image.
typedef struct hr_jpeg_part {
    int x, y, width, height;
    int orientation;  ///< EXIF, 1 to 8: the transformation of the stored image to upright.
    const uint8_t *_Nullable icc;
    size_t icc_count;
} hr_jpeg_part;

/// The size of an MCU in pixels of the stored image.
void hr_jpeg_mcu(const hr_jpeg_info *_Nonnull info, int *_Nonnull width, int *_Nonnull height);

/// Writes a part of the image, rotated upright, from its coefficients: no sample changes. The decoder must be newly
/// opened by hr_jpeg_open, and cannot be used afterwards. The profile is the only metadata that is kept.
hr_status hr_jpeg_crop(hr_jpeg_decoder *_Nonnull decoder, const hr_jpeg_part *_Nonnull part, hr_buffer *_Nonnull out,
                       hr_error *_Nonnull error);
