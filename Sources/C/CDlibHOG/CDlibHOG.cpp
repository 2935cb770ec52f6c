#include "CDlibHOG.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <new>

#include "Model.hpp"
#include "Scanner.hpp"

using headroom::Model;
using headroom::Scanner;

struct hr_dlib_model {
    Model model;
};

struct hr_dlib_detector {
    std::unique_ptr<Scanner> scanner;
    std::vector<hr_dlib_detection> found;
};

namespace {

hr_dlib_status fail(hr_dlib_status status, hr_dlib_message *message, const char *text)
{
    std::snprintf(message->text, sizeof message->text, "%s", text);
    return status;
}

/// Runs the body and converts exceptions to a status.
template <typename Body>
hr_dlib_status guarded(hr_dlib_message *message, Body body)
{
    try {
        return body();
    } catch (const headroom::UnreadableFile &error) {
        return fail(HR_DLIB_UNREADABLE_FILE, message, error.what());
    } catch (const headroom::InvalidModel &error) {
        return fail(HR_DLIB_INVALID_MODEL, message, error.what());
    } catch (const std::bad_alloc &) {
        return fail(HR_DLIB_OUT_OF_MEMORY, message, "out of memory");
    } catch (const std::exception &error) {
        return fail(HR_DLIB_FAILED, message, error.what());
    } catch (...) {
        return fail(HR_DLIB_FAILED, message, "an exception of an unknown type");
    }
}

}  // namespace

hr_dlib_status hr_dlib_model_frontal(hr_dlib_model **out, hr_dlib_message *message)
{
    return guarded(message, [&] {
        *out = new hr_dlib_model{headroom::read_frontal_model()};
        return HR_DLIB_OK;
    });
}

hr_dlib_status hr_dlib_model_read(const char *path, hr_dlib_model **out, hr_dlib_message *message)
{
    return guarded(message, [&] {
        *out = new hr_dlib_model{headroom::read_model_file(path)};
        return HR_DLIB_OK;
    });
}

void hr_dlib_model_free(hr_dlib_model *model) { delete model; }

uint32_t hr_dlib_model_smallest_side(const hr_dlib_model *model)
{
    return static_cast<uint32_t>(std::min(model->model.window_width, model->model.window_height));
}

void hr_dlib_model_settings(const hr_dlib_model *model, hr_dlib_settings *out)
{
    const Model &from = model->model;
    const auto clamped = [](unsigned long value) { return static_cast<int32_t>(std::min(value, 1000000ul)); };
    const auto window = headroom::window_cells(from);
    *out = {
        from.cell_size,
        window.first,
        window.second,
        clamped(from.padding),
        clamped(from.max_pyramid_levels),
        clamped(from.min_layer_width),
        clamped(from.min_layer_height),
        clamped(from.weights.size()),
        from.overlap_iou,
        from.overlap_covered,
    };
}

hr_dlib_status hr_dlib_model_filters(const hr_dlib_model *model, float *weights, double *thresholds,
                                     hr_dlib_message *message)
{
    return guarded(message, [&] {
        headroom::write_filters(model->model, weights, thresholds);
        return HR_DLIB_OK;
    });
}

hr_dlib_instructions hr_dlib_best_instructions(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return HR_DLIB_AVX2;
#endif
    return HR_DLIB_BASELINE;
}

hr_dlib_status hr_dlib_detector_make(const hr_dlib_model *model, hr_dlib_instructions instructions,
                                     hr_dlib_detector **out, hr_dlib_message *message)
{
    return guarded(message, [&] {
        auto detector = std::make_unique<hr_dlib_detector>();
#if defined(__x86_64__)
        if (instructions == HR_DLIB_AVX2)
            detector->scanner = headroom::make_avx2_scanner(model->model);
#endif
        if (!detector->scanner)
            detector->scanner = headroom::make_baseline_scanner(model->model);
        *out = detector.release();
        return HR_DLIB_OK;
    });
}

void hr_dlib_detector_free(hr_dlib_detector *detector) { delete detector; }

hr_dlib_status hr_dlib_detect(hr_dlib_detector *detector, const uint8_t *pixels, size_t width, size_t height,
                              size_t bytes_per_row, double threshold, const hr_dlib_detection **detections,
                              size_t *count, hr_dlib_message *message)
{
    if (width == 0 || height == 0 || width > HR_DLIB_MAX_SIDE || height > HR_DLIB_MAX_SIDE || bytes_per_row < width) {
        return fail(HR_DLIB_INVALID_IMAGE, message, "an image without pixels, or with a side over 32768");
    }
    return guarded(message, [&] {
        detector->scanner->detect(pixels, width, height, bytes_per_row, threshold, detector->found);
        *detections = detector->found.data();
        *count = detector->found.size();
        return HR_DLIB_OK;
    });
}
