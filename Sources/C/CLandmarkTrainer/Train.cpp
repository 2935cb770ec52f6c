#include "CLandmarkTrainer.h"

#include "Samples.hpp"
#include "Table.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>

namespace headroom {

static dlib::shape_predictor trained(const Samples &samples, const hr_trainer_settings &settings, uint32_t seed)
{
    dlib::shape_predictor_trainer trainer;
    trainer.set_cascade_depth(settings.levels);
    trainer.set_num_trees_per_cascade_level(settings.trees);
    trainer.set_tree_depth(settings.depth);
    trainer.set_feature_pool_size(settings.features);
    trainer.set_nu(settings.shrinkage);
    trainer.set_oversampling_amount(settings.starts);
    trainer.set_random_seed(std::to_string(seed));
    trainer.set_num_threads(settings.threads);
    return trainer.train(samples.images, samples.objects);
}

static std::vector<uint8_t> run(const hr_trainer_face *marked, size_t count, const hr_trainer_settings &settings)
{
    std::vector<Face> faces;
    for (size_t i = 0; i < count; ++i)
        for (bool isMirrored : {false, true})
            faces.emplace_back(marked[i], isMirrored);
    const Geometry geometry(faces);
    const double degree = 3.14159265358979 / 180;
    const Jitter first{settings.turn * degree, settings.scale, settings.shift};
    const Jitter second{settings.second_turn * degree, settings.second_scale, settings.second_shift};
    const auto one =
        trained(Samples(faces, geometry, false, settings.variants, first, settings.seed), settings, settings.seed);
    const auto two = trained(Samples(faces, geometry, true, settings.variants, second, settings.seed + 1), settings,
                             settings.seed + 1);
    return table(geometry, one, two);
}

}  // namespace headroom

int hr_trainer_run(const hr_trainer_face *faces, size_t count, const hr_trainer_settings *settings, uint8_t **out,
                   size_t *out_count, char *message, size_t message_size)
{
    try {
        const auto table = headroom::run(faces, count, *settings);
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
