// Kernels on values of 16 bits and less, for vectors of HR_SHORTS lanes, 16 at most. Included after definitions of
//
//   hr_short                    16-bit lanes
//   hr_load_short(at), hr_store_short(at, v)
//   hr_scale(v, w)              v times w / 32768, rounded
//   hr_plus(v, w)               the sum, modulo 2^16
//   hr_plus_saturated(v, w)     the sum, saturated
//   hr_most(v, w)               the larger of each lane
//   hr_store_clamped(at, v)     stores lanes as bytes from 0 to HR_NET_MOST
//   hr_bytes, hr_larger(v, w)   sixteen bytes, and their maxima
//   hr_load_128(at)             128 times the values of bytes
//   hr_rounded_byte(v)          (v + 64) >> 7, the sum saturated

/// The depthwise convolution of HR_SHORTS channels. Each column of inner values is loaded once and added to three
/// results; columns outside the image are black and add 0.
HR_KERNEL void hr_depthwise(const hr_net_unit *unit, const int16_t *const *rows, uint8_t *bytes, int16_t *sums,
                            int width, int channels, int from)
{
    hr_short weights[9];
    for (int i = 0; i < 9; ++i)
        weights[i] = hr_load_short(unit->depthwise + i * channels + from);
    const hr_short bias = hr_load_short(unit->sum_bias + from);
    const hr_short multiplier = sums ? bias : hr_load_short(unit->multiplier + from);
    const int16_t *top = rows[0] + from, *middle = rows[1] + from, *bottom = rows[2] + from;

#define HR_COLUMN(i) hr_plus(hr_plus(hr_scale(a, weights[i]), hr_scale(b, weights[3 + i])), hr_scale(c, weights[6 + i]))
    hr_short a = hr_load_short(top), b = hr_load_short(middle), c = hr_load_short(bottom);
    hr_short here = hr_plus(bias, HR_COLUMN(1)), next = hr_plus(bias, HR_COLUMN(0));
    for (int x = 0; x < width; ++x) {
        hr_short sum = here;
        if (x + 1 < width) {
            const int at = (x + 1) * channels;
            a = hr_load_short(top + at);
            b = hr_load_short(middle + at);
            c = hr_load_short(bottom + at);
            sum = hr_plus(here, HR_COLUMN(2));
            here = hr_plus(next, HR_COLUMN(1));
            next = hr_plus(bias, HR_COLUMN(0));
        }
        if (sums)
            hr_store_short(sums + x * channels + from, sum);
        else
            hr_store_clamped(bytes + x * channels + from, hr_scale(sum, multiplier));
    }
#undef HR_COLUMN
}

static void hr_depthwise_row(const hr_net_unit *unit, const int16_t *const *rows, uint8_t *out, int width)
{
    for (int from = 0; from < unit->outputs; from += HR_SHORTS) {
        if (unit->outputs == 16)
            hr_depthwise(unit, rows, out, NULL, width, 16, from);
        else if (unit->outputs == 32)
            hr_depthwise(unit, rows, out, NULL, width, 32, from);
        else
            hr_depthwise(unit, rows, out, NULL, width, 64, from);
    }
}

/// The depthwise convolution for two rows. Only the maximum of 2 × 2 sums is written.
HR_KERNEL void hr_depthwise_pooled(const hr_net_unit *unit, const int16_t *const *rows, uint8_t *bytes, int width,
                                   int channels, int from)
{
    hr_short weights[9];
    for (int i = 0; i < 9; ++i)
        weights[i] = hr_load_short(unit->depthwise + i * channels + from);
    const hr_short bias = hr_load_short(unit->sum_bias + from), multiplier = hr_load_short(unit->multiplier + from);
    const int16_t *a = rows[0] + from, *b = rows[1] + from, *c = rows[2] + from, *d = rows[3] + from;

    hr_short v0, v1, v2, v3;
#define HR_LOAD(x)                                                                                                    \
    v0 = hr_load_short(a + (x)*channels), v1 = hr_load_short(b + (x)*channels), v2 = hr_load_short(c + (x)*channels), \
    v3 = hr_load_short(d + (x)*channels)
#define HR_SUM(start, i, p, q, r) \
    hr_plus(hr_plus(start, hr_scale(p, weights[i])), hr_plus(hr_scale(q, weights[3 + i]), hr_scale(r, weights[6 + i])))
#define HR_UPPER(start, i) HR_SUM(start, i, v0, v1, v2)
#define HR_LOWER(start, i) HR_SUM(start, i, v1, v2, v3)
    HR_LOAD(0);
    // Sums of the next column and of the column after it.
    hr_short upper = HR_UPPER(bias, 1), upper_next = HR_UPPER(bias, 0);
    hr_short lower = HR_LOWER(bias, 1), lower_next = HR_LOWER(bias, 0);
    for (int x = 0; x < width; ++x) {
        HR_LOAD(2 * x + 1);
        const hr_short left = hr_most(HR_UPPER(upper, 2), HR_LOWER(lower, 2));
        hr_short upper_right = HR_UPPER(upper_next, 1), lower_right = HR_LOWER(lower_next, 1);
        if (x + 1 < width) {
            const hr_short upper_after = HR_UPPER(bias, 0), lower_after = HR_LOWER(bias, 0);
            HR_LOAD(2 * x + 2);
            upper_right = HR_UPPER(upper_right, 2);
            lower_right = HR_LOWER(lower_right, 2);
            upper = HR_UPPER(upper_after, 1);
            lower = HR_LOWER(lower_after, 1);
            upper_next = HR_UPPER(bias, 0);
            lower_next = HR_LOWER(bias, 0);
        }
        const hr_short most = hr_most(left, hr_most(upper_right, lower_right));
        hr_store_clamped(bytes + x * channels + from, hr_scale(most, multiplier));
    }
#undef HR_LOWER
#undef HR_UPPER
#undef HR_SUM
#undef HR_LOAD
}

static void hr_depthwise_pooled_row(const hr_net_unit *unit, const int16_t *const *rows, uint8_t *out, int width)
{
    for (int from = 0; from < unit->outputs; from += HR_SHORTS) {
        if (unit->outputs == 16)
            hr_depthwise_pooled(unit, rows, out, width, 16, from);
        else
            hr_depthwise_pooled(unit, rows, out, width, unit->outputs, from);
    }
}

static void hr_head_row(const hr_net_unit *unit, const int16_t *const *rows, int16_t *out, int width)
{
    for (int from = 0; from < 16; from += HR_SHORTS)
        hr_depthwise(unit, rows, NULL, out, width, 16, from);
}

static void hr_pool_row(const uint8_t *top, const uint8_t *bottom, uint8_t *out, int width, int channels)
{
    for (int x = 0; x < width; ++x, top += 2 * channels, bottom += 2 * channels, out += channels) {
        for (int n = 0; n < channels; n += 16) {
            hr_bytes at[4];
            memcpy(&at[0], top + n, 16);
            memcpy(&at[1], top + n + channels, 16);
            memcpy(&at[2], bottom + n, 16);
            memcpy(&at[3], bottom + n + channels, 16);
            const hr_bytes most = hr_larger(hr_larger(at[0], at[1]), hr_larger(at[2], at[3]));
            memcpy(out + n, &most, 16);
        }
    }
}

static void hr_add_row(const hr_net_sum *sum, const uint8_t *sharp, const uint8_t *coarse, uint8_t *out, int width)
{
    for (int from = 0; from < HR_NET_CHANNELS; from += HR_SHORTS) {
        const hr_short a = hr_load_short(sum->sharp + from), b = hr_load_short(sum->coarse + from);
        for (int x = 0; x < width; ++x) {
            const hr_short here = hr_scale(hr_load_128(sharp + x * HR_NET_CHANNELS + from), a);
            const hr_short there = hr_scale(hr_load_128(coarse + x / 2 * HR_NET_CHANNELS + from), b);
            hr_store_clamped(out + x * HR_NET_CHANNELS + from, hr_rounded_byte(hr_plus_saturated(here, there)));
        }
    }
}
