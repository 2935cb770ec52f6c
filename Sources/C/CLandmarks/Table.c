// The weights that `make landmarks` writes: docs/contributing/landmark-training.md.

#include "CLandmarks.h"

static const uint8_t table[] = {
#embed "landmarks.dat"
};

const uint8_t *hr_landmarks_weights(size_t *count)
{
    *count = sizeof table;
    return table;
}

static const uint8_t near[] = {
#embed "landmarks-network.dat"
};

const uint8_t *hr_landmarks_near_weights(size_t *count)
{
    *count = sizeof near;
    return near;
}
