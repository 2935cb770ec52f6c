// The weights of landmarks.dat, which `make landmarks` writes: docs/landmarks.md.

#include "CLandmarks.h"

static const uint8_t table[] = {
#embed "landmarks.dat"
};

const uint8_t *hr_landmarks_weights(size_t *count)
{
    *count = sizeof table;
    return table;
}
