// Memory for the coefficients of a file with several scans: 72 MB for 12 megapixels without subsampling.
//
// libjpeg allocates this memory with malloc, and clears it before each row is used first. In workers, malloc clears new
// memory and overwrites freed memory as well, so that these bytes would be written four times. New pages of the kernel
// are already zero, and disappear when they are returned. libjpeg's functions for "virtual arrays" are public, and are
// replaced for this purpose.

#include "hr_jpeg_blocks.h"

#include <stdlib.h>
#include <sys/mman.h>

#include <jerror.h>

static size_t bytes_of(const hr_jpeg_blocks *blocks) { return blocks->columns * blocks->rows * sizeof(JBLOCK); }

static size_t whole_mcus(JDIMENSION length, int factor)
{
    return ((size_t)length + (size_t)factor - 1) / (size_t)factor * (size_t)factor;
}

bool hr_jpeg_take_blocks(hr_jpeg_decoder *decoder)
{
    const struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    size_t all = 0;
    for (int c = 0; c < cinfo->num_components; c++) {
        hr_jpeg_blocks *to = &decoder->blocks[c];
        to->columns = whole_mcus(cinfo->comp_info[c].width_in_blocks, cinfo->comp_info[c].h_samp_factor);
        to->rows = whole_mcus(cinfo->comp_info[c].height_in_blocks, cinfo->comp_info[c].v_samp_factor);
        all += bytes_of(to);
    }
    // libjpeg rejects the file.
    if (decoder->limits.max_memory > 0 && all > (size_t)decoder->limits.max_memory)
        return false;
    for (int c = 0; c < cinfo->num_components; c++) {
        hr_jpeg_blocks *to = &decoder->blocks[c];
        const size_t bytes = bytes_of(to);
        void *memory =
            bytes > 0 ? mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) : MAP_FAILED;
        to->blocks = memory != MAP_FAILED ? memory : NULL;
        to->starts = calloc(to->rows + 1, sizeof *to->starts);
        if (to->blocks == NULL || to->starts == NULL) {
            hr_jpeg_give_blocks(decoder);
            return false;
        }
        for (size_t y = 0; y < to->rows; y++)
            to->starts[y] = to->blocks + y * to->columns;
#ifdef MADV_HUGEPAGE
        madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    }
    return true;
}

void hr_jpeg_give_blocks(hr_jpeg_decoder *decoder)
{
    for (int c = 0; c < MAX_COMPONENTS; c++) {
        hr_jpeg_blocks *from = &decoder->blocks[c];
        if (from->blocks != NULL)
            munmap(from->blocks, bytes_of(from));
        free(from->starts);
        from->blocks = NULL;
        from->starts = NULL;
    }
}

// MARK: Decoded scans

static boolean skip_mcu(j_decompress_ptr cinfo, JBLOCKROW *blocks)
{
    (void)cinfo, (void)blocks;
    return TRUE;
}

static void start_skipping(j_decompress_ptr cinfo)
{
    hr_jpeg_decoder *decoder = cinfo->client_data;
    decoder->start_pass(cinfo);
    hr_jpeg_entropy_of(cinfo)->decode_mcu = skip_mcu;
}

// MARK: libjpeg's memory manager

// libjpeg's handle of an array is an incomplete type.
static jvirt_barray_ptr handle_of(hr_jpeg_blocks *blocks) { return (jvirt_barray_ptr)(void *)blocks; }

// libjpeg requests the coefficients of all components in their order, after it has prepared its entropy decoder.
static jvirt_barray_ptr request(j_common_ptr common, int pool, boolean is_cleared, JDIMENSION columns, JDIMENSION rows,
                                JDIMENSION accessed)
{
    (void)pool, (void)is_cleared, (void)accessed;
    hr_jpeg_decoder *decoder = common->client_data;
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    hr_jpeg_blocks *blocks = decoder->requested < cinfo->num_components ? &decoder->blocks[decoder->requested++] : NULL;
    if (blocks == NULL || blocks->columns != columns || blocks->rows != rows)
        ERREXIT(cinfo, JERR_BAD_VIRTUAL_ACCESS);
    if (decoder->is_decoded && decoder->requested == 1) {
        decoder->start_pass = hr_jpeg_entropy_of(cinfo)->start_pass;
        hr_jpeg_entropy_of(cinfo)->start_pass = start_skipping;
    }
    return handle_of(blocks);
}

static void realize(j_common_ptr common) { (void)common; }

static JBLOCKARRAY access_rows(j_common_ptr common, jvirt_barray_ptr array, JDIMENSION first, JDIMENSION count,
                               boolean is_written)
{
    (void)is_written;
    const hr_jpeg_blocks *of = (const hr_jpeg_blocks *)(void *)array;
    if (first > of->rows || count > of->rows - first)
        ERREXIT(common, JERR_BAD_VIRTUAL_ACCESS);
    // libjpeg's smoothing also reads pointers to rows after the requested rows.
    return of->starts + first;
}

void hr_jpeg_use_blocks(hr_jpeg_decoder *decoder)
{
    struct jpeg_memory_mgr *memory = decoder->cinfo.mem;
    memory->request_virt_barray = request;
    memory->realize_virt_arrays = realize;
    memory->access_virt_barray = access_rows;
}
