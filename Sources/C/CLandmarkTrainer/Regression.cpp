#include "Regression.hpp"

#include <algorithm>
#include <cmath>

namespace headroom {

/// The products of all pairs of columns, summed over the rows: dlib's own product takes thirty times as long.
static dlib::matrix<double> squared(const dlib::matrix<double> &rows)
{
    const long columns = rows.nc(), block = 32;
    dlib::matrix<double> sums = dlib::zeros_matrix<double>(columns, columns);
    for (long first = 0; first < rows.nr(); first += block)
        for (long i = 0; i < columns; ++i) {
            double *to = &sums(i, 0);
            for (long row = first; row < std::min(first + block, rows.nr()); ++row) {
                const double *from = &rows(row, 0);
                const double factor = from[i];
                for (long j = i; j < columns; ++j)
                    to[j] += factor * from[j];
            }
        }
    for (long i = 0; i < columns; ++i)
        for (long j = 0; j < i; ++j)
            sums(i, j) = sums(j, i);
    return sums;
}

Regression::Regression(const Samples &samples, double ridge) : start{}, unit{0}
{
    const dlib::matrix<double, 1> seen = dlib::sum_rows(samples.features) / double(samples.features.nr());
    const dlib::matrix<double, 1> placed = dlib::sum_rows(samples.places) / double(samples.places.nr());
    const dlib::matrix<double> features = samples.features - dlib::ones_matrix<double>(samples.features.nr(), 1) * seen;
    const dlib::matrix<double> places = samples.places - dlib::ones_matrix<double>(samples.places.nr(), 1) * placed;
    const dlib::matrix<double> square = squared(features) + ridge * dlib::identity_matrix<double>(features.nc());
    const dlib::matrix<double> mixed = dlib::trans(features) * places;
    const dlib::matrix<double> exact = dlib::cholesky_decomposition<dlib::matrix<double>>(square).solve(mixed);
    unit = float(std::max(dlib::max(dlib::abs(exact)) / 127, 1e-12));
    dlib::matrix<double> rounded(exact.nr(), exact.nc());
    for (long feature = 0; feature < exact.nr(); ++feature)
        for (long value = 0; value < exact.nc(); ++value) {
            const auto weight = int8_t(std::clamp(std::lround(exact(feature, value) / double(unit)), -127L, 127L));
            weights.push_back(weight);
            rounded(feature, value) = weight * double(unit);
        }
    // So that the mean features have the mean places.
    const dlib::matrix<double> rest = placed - seen * rounded;
    for (size_t value = 0; value < start.size(); ++value)
        start[value] = float(rest(0, long(value)));
}

}  // namespace headroom
