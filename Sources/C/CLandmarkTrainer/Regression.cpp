#include "Regression.hpp"

#include <algorithm>
#include <cmath>

namespace headroom {

/// The products of all pairs of columns, summed over the rows. dlib's matrix product takes thirty times as long.
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

/// The ridge for features of the network's points, which are few and have a larger magnitude.
static const double ridgeOfPoints = 1;

/// The mean of the rows, weighted.
static dlib::matrix<double, 1> weightedMean(const dlib::matrix<double> &rows, const std::vector<double> &importance)
{
    dlib::matrix<double, 1> sum = dlib::zeros_matrix<double>(1, rows.nc());
    double all = 0;
    for (long row = 0; row < rows.nr(); ++row) {
        const double weight = importance[size_t(row)];
        all += weight;
        for (long i = 0; i < rows.nc(); ++i)
            sum(0, i) += weight * rows(row, i);
    }
    return sum / all;
}

/// The rows minus their mean, multiplied by the square roots of their weights.
static dlib::matrix<double> centred(const dlib::matrix<double> &rows, const dlib::matrix<double, 1> &mean,
                                    const std::vector<double> &importance)
{
    dlib::matrix<double> result(rows.nr(), rows.nc());
    for (long row = 0; row < rows.nr(); ++row) {
        const double root = std::sqrt(importance[size_t(row)]);
        for (long i = 0; i < rows.nc(); ++i)
            result(row, i) = root * (rows(row, i) - mean(0, i));
    }
    return result;
}

Regression::Regression(const Samples &samples, double ridge) : start{}, unit{0}
{
    const auto seen = weightedMean(samples.features, samples.importance);
    const auto placed = weightedMean(samples.places, samples.importance);
    const dlib::matrix<double> features = centred(samples.features, seen, samples.importance);
    const dlib::matrix<double> places = centred(samples.places, placed, samples.importance);
    dlib::matrix<double> square = squared(features);
    for (long i = 0; i < square.nr(); ++i)
        square(i, i) += i < HR_LANDMARKS_FEATURES ? ridge : ridgeOfPoints;
    const dlib::matrix<double> mixed = dlib::trans(features) * places;
    const dlib::matrix<double> exact = dlib::cholesky_decomposition<dlib::matrix<double>>(square).solve(mixed);
    const auto ofPatch = dlib::rowm(exact, dlib::range(0, HR_LANDMARKS_FEATURES - 1));
    unit = float(std::max(dlib::max(dlib::abs(ofPatch)) / 127, 1e-12));
    dlib::matrix<double> rounded(exact.nr(), exact.nc());
    for (long feature = 0; feature < exact.nr(); ++feature)
        for (long value = 0; value < exact.nc(); ++value) {
            if (feature >= HR_LANDMARKS_FEATURES) {
                rough.push_back(float(exact(feature, value)));
                rounded(feature, value) = double(rough.back());
                continue;
            }
            const auto weight = int8_t(std::clamp(std::lround(exact(feature, value) / double(unit)), -127L, 127L));
            weights.push_back(weight);
            rounded(feature, value) = weight * double(unit);
        }
    // This ensures that the mean features give the mean positions.
    const dlib::matrix<double> rest = placed - seen * rounded;
    for (size_t value = 0; value < start.size(); ++value)
        start[value] = float(rest(0, long(value)));
}

}  // namespace headroom
