#include "CLandmarkTrainer.h"

#include "Regression.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

namespace headroom {

template <typename Value>
static void append(std::vector<uint8_t> &table, const Value *values, size_t count)
{
    const auto *from = reinterpret_cast<const uint8_t *>(values);
    table.insert(table.end(), from, from + count * sizeof *values);
}

/// Appends the part of a stage that is the same in both tables.
static void append(std::vector<uint8_t> &table, const hr_trainer_stage &stage, const Regression &regression)
{
    const float size = float(stage.size);
    append(table, &size, 1);
    append(table, regression.start.data(), regression.start.size());
    append(table, &regression.unit, 1);
    append(table, regression.weights.data(), regression.weights.size());
}

/// The table of weights, in the layout that CLandmarks' Weights.h describes.
static std::vector<uint8_t> run(const hr_trainer_face *marked, size_t count, const hr_trainer_settings &settings)
{
    static_assert(HR_TRAINER_STAGES == HR_LANDMARKS_STAGES, "settings for each stage");
    std::vector<Face> faces;
    for (size_t i = 0; i < count; ++i)
        for (bool isMirrored : {false, true})
            faces.emplace_back(marked[i], isMirrored);
    const Geometry geometry(faces);
    std::vector<uint8_t> table;
    append(table, "HRLM\2\0\0", 8);
    for (const auto &pose : geometry.poses)
        append(table, pose.data(), pose.size());
    append(table, geometry.mean.data(), geometry.mean.size());
    for (uint32_t i = 0; i < HR_TRAINER_STAGES; ++i) {
        const hr_trainer_stage &stage = settings.stages[i];
        const Samples samples(faces, geometry, stage, i == 0, settings.variants, settings.seed + i);
        const Regression regression(samples, stage.ridge);
        append(table, stage, regression);
    }
    return table;
}

/// The table for the network's points.
static std::vector<uint8_t> run(const hr_trainer_near_face *marked, size_t count, const hr_trainer_settings &settings)
{
    std::vector<NearFace> faces;
    for (size_t i = 0; i < count; ++i)
        for (bool isMirrored : {false, true})
            faces.emplace_back(marked[i], isMirrored);
    const NearGeometry geometry(faces);
    std::vector<uint8_t> table;
    append(table, "HRLN\1\0\0", 8);
    for (const auto &lead : geometry.leads)
        append(table, lead.data(), lead.size());
    append(table, geometry.mean.data(), geometry.mean.size());
    for (uint32_t i = 0; i < HR_TRAINER_STAGES; ++i) {
        const hr_trainer_stage &stage = settings.stages[i];
        const Samples samples(faces, geometry, stage, i == 0, settings.variants, settings.seed + i);
        const Regression regression(samples, stage.ridge);
        append(table, stage, regression);
        append(table, regression.rough.data(), regression.rough.size());
    }
    return table;
}

template <typename MarkedFace>
static int trained(const MarkedFace *faces, size_t count, const hr_trainer_settings *settings, uint8_t **out,
                   size_t *out_count, char *message, size_t message_size)
{
    try {
        const auto table = run(faces, count, *settings);
        *out = static_cast<uint8_t *>(malloc(table.size()));
        if (!*out)
            throw std::bad_alloc();
        memcpy(*out, table.data(), table.size());
        *out_count = table.size();
        return 1;
    } catch (const std::exception &error) {
        snprintf(message, message_size, "%s", error.what());
        return 0;
    }
}

}  // namespace headroom

int hr_trainer_run(const hr_trainer_face *faces, size_t count, const hr_trainer_settings *settings, uint8_t **out,
                   size_t *out_count, char *message, size_t message_size)
{
    return headroom::trained(faces, count, settings, out, out_count, message, message_size);
}

int hr_trainer_run_near(const hr_trainer_near_face *faces, size_t count, const hr_trainer_settings *settings,
                        uint8_t **out, size_t *out_count, char *message, size_t message_size)
{
    return headroom::trained(faces, count, settings, out, out_count, message, message_size);
}
