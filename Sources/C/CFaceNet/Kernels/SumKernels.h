// The convolutions with sums of 32 bits, in accumulators of HR_LANES outputs. Included after RowKernels.h and
// definitions of
//
//   hr_sum                             an accumulator, at first hr_start(bias)
//   hr_four, hr_load_four(at)          four activations, for all lanes; hr_load_pixels(at) loads pixels
//   hr_weights, hr_load_weights(at)    HR_LANES times four weights
//   hr_dot(sum, a, v, b, w)            adds the products of a and v, and the products of b and w
//   hr_dot_pixels(sum, a, v)           adds the products of pixels and v
//   hr_shifted(one, other, shift)      two accumulators as HR_SHORTS saturated lanes; the other is not used if one fills
//                                      them
//   hr_store_shifted(at, one, other, shift)   stores all 16-bit values of two accumulators
//   HR_PIXELS_16, HR_PIXELS_32, HR_PIXELS_64   pixels that are computed at a time for as many outputs
//   HR_SUMS                            accumulators a pixel, at most

HR_KERNEL void hr_pointwise(const hr_net_unit *unit, const uint8_t *in, int16_t *out, int width, int inputs,
                            int outputs, int pixels)
{
    const int sums = outputs / HR_LANES < HR_SUMS ? outputs / HR_LANES : HR_SUMS;
    for (int x = 0; x < width; x += pixels, in += pixels * inputs, out += pixels * outputs) {
        for (int from = 0; from < outputs; from += sums * HR_LANES) {
            hr_sum sum[HR_PIXELS_16][HR_SUMS];
#pragma clang loop unroll(full)
            for (int i = 0; i < sums; ++i)
#pragma clang loop unroll(full)
                for (int p = 0; p < pixels; ++p)
                    sum[p][i] = hr_start(unit->bias + from + i * HR_LANES);
            const int8_t *weights = unit->pointwise + 4 * from;
            for (int k = 0; k < inputs; k += 8, weights += 8 * outputs) {
                hr_four here[HR_PIXELS_16], next[HR_PIXELS_16];
#pragma clang loop unroll(full)
                for (int p = 0; p < pixels; ++p) {
                    here[p] = hr_load_four(in + p * inputs + k);
                    next[p] = hr_load_four(in + p * inputs + k + 4);
                }
#pragma clang loop unroll(full)
                for (int i = 0; i < sums; ++i) {
                    const hr_weights v = hr_load_weights(weights + 4 * i * HR_LANES);
                    const hr_weights w = hr_load_weights(weights + 4 * (i * HR_LANES + outputs));
#pragma clang loop unroll(full)
                    for (int p = 0; p < pixels; ++p)
                        sum[p][i] = hr_dot(sum[p][i], here[p], v, next[p], w);
                }
            }
#pragma clang loop unroll(full)
            for (int p = 0; p < pixels; ++p) {
                int16_t *at = out + p * outputs + from;
                if (sums == 1)
                    hr_store_short(at, hr_shifted(sum[p][0], sum[p][0], unit->shift));
                else
#pragma clang loop unroll(full)
                    for (int i = 0; i < sums; i += 2)
                        hr_store_shifted(at + i * HR_LANES, sum[p][i], sum[p][i + 1], unit->shift);
            }
        }
    }
}

static void hr_pointwise_row(const hr_net_unit *unit, const uint8_t *in, int16_t *out, int width)
{
    const int inputs = unit->inputs;
    if (unit->outputs == 64)
        hr_pointwise(unit, in, out, width, inputs, 64, HR_PIXELS_64);
    else if (unit->outputs == 32)
        hr_pointwise(unit, in, out, width, inputs, 32, HR_PIXELS_32);
    else if (inputs == 16)
        hr_pointwise(unit, in, out, width, 16, 16, HR_PIXELS_16);
    else
        hr_pointwise(unit, in, out, width, inputs, 16, HR_PIXELS_16);
}

static void hr_first_row(const hr_net_first *first, const uint8_t *const *rows, uint8_t *out, int width)
{
    enum { SUMS = HR_NET_FIRST / HR_LANES, STEP = SUMS > 1 ? 2 : 1 };
    for (int x = 0; x < width; x += HR_PIXELS_16, out += HR_PIXELS_16 * HR_NET_FIRST) {
        hr_sum sum[HR_PIXELS_16][SUMS];
#pragma clang loop unroll(full)
        for (int i = 0; i < SUMS; ++i)
#pragma clang loop unroll(full)
            for (int p = 0; p < HR_PIXELS_16; ++p)
                sum[p][i] = hr_start(first->bias + i * HR_LANES);
        for (int row = 0; row < 9; ++row) {
            hr_four pixels[HR_PIXELS_16];
#pragma clang loop unroll(full)
            for (int p = 0; p < HR_PIXELS_16; ++p)
                pixels[p] = hr_load_pixels(rows[row] + 2 * (x + p));
#pragma clang loop unroll(full)
            for (int i = 0; i < SUMS; ++i) {
                const hr_weights w = hr_load_weights(first->weights + 4 * (row * HR_NET_FIRST + i * HR_LANES));
#pragma clang loop unroll(full)
                for (int p = 0; p < HR_PIXELS_16; ++p)
                    sum[p][i] = hr_dot_pixels(sum[p][i], pixels[p], w);
            }
        }
#pragma clang loop unroll(full)
        for (int i = 0; i < SUMS; i += STEP) {
            const hr_short multiplier = hr_load_short(first->multiplier + i * HR_LANES);
#pragma clang loop unroll(full)
            for (int p = 0; p < HR_PIXELS_16; ++p)
                hr_store_clamped(out + p * HR_NET_FIRST + i * HR_LANES,
                                 hr_scale(hr_shifted(sum[p][i], sum[p][i + STEP - 1], first->shift), multiplier));
        }
    }
}
