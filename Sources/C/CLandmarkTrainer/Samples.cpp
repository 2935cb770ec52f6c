#include "Samples.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <new>

namespace headroom {

namespace {

const double side = HR_TRAINER_SIDE;

using Complex = std::complex<double>;

Complex complex(hr_landmarks_point point) { return {point.x, point.y}; }

Complex middle(const Points &points)
{
    Complex sum = 0;
    for (const auto &point : points)
        sum += complex(point);
    return sum / double(HR_LANDMARKS_POINTS);
}

double meanDistance(const Points &points)
{
    double sum = 0;
    for (const auto &point : points)
        sum += std::abs(complex(point) - middle(points));
    return sum / HR_LANDMARKS_POINTS;
}

hr_landmarks_point mirrored(hr_landmarks_point point) { return {side - point.x, point.y}; }

/// Converts a point of the image to a position in the patch.
Complex inPatch(const hr_frame &frame, hr_landmarks_point point)
{
    const Complex from = complex(point) - Complex(frame.centre_x, frame.centre_y);
    return from / Complex(frame.cosine, frame.sine);
}

/// The points rotated, scaled and moved at random.
Points changed(const Points &points, hr_trainer_stage by, dlib::rand &random)
{
    if (by.tail > 1 && random.get_random_double() < 0.25) {
        by.turn *= by.tail;
        by.scale *= by.tail;
        by.shift *= by.tail;
    }
    const double turn = by.turn * random.get_random_gaussian(), scale = by.scale * random.get_random_gaussian();
    const Complex turned = std::exp(Complex(scale, turn));
    const double across = random.get_random_gaussian(), down = random.get_random_gaussian();
    const Complex from = middle(points), to = from + by.shift * meanDistance(points) * Complex(across, down);
    Points changed;
    for (size_t i = 0; i < points.size(); ++i) {
        const Complex point = to + turned * (complex(points[i]) - from);
        changed[i] = {point.real(), point.imag()};
    }
    return changed;
}

/// The same patch with another exposure; one patch in four is also blurred.
void develop(dlib::array2d<unsigned char> &image, dlib::rand &random)
{
    const double gamma = std::exp(0.3 * random.get_random_gaussian());
    const double gain = std::exp(0.15 * random.get_random_gaussian()), offset = 10 * random.get_random_gaussian();
    std::array<unsigned char, 256> levels;
    for (size_t i = 0; i < levels.size(); ++i)
        levels[i] =
            static_cast<unsigned char>(std::clamp(255 * std::pow(double(i) / 255, gamma) * gain + offset, 0.0, 255.0));
    if (random.get_random_double() < 0.25) {
        // dlib leaves the border black, so the sharp pixels are kept there.
        const double sigma = 0.5 + 1.5 * random.get_random_double();
        dlib::array2d<unsigned char> blurred;
        const auto inside = dlib::gaussian_blur(image, blurred, sigma);
        for (long y = inside.top(); y <= inside.bottom(); ++y)
            for (long x = inside.left(); x <= inside.right(); ++x)
                image[y][x] = blurred[y][x];
    }
    for (auto &pixel : image)
        pixel = levels[pixel];
}

/// A patch as if the face had fewer pixels, down to eyes about six pixels apart.
void coarsen(dlib::array2d<unsigned char> &image, dlib::rand &random)
{
    const long side = 20 + long(random.get_integer(40));
    dlib::array2d<unsigned char> small(side, side);
    const double step = double(image.nr()) / double(side);
    for (long y = 0; y < side; ++y)
        for (long x = 0; x < side; ++x) {
            // The mean of the pixels, weighted by their proximity.
            double sum = 0, all = 0;
            const double middleX = (double(x) + 0.5) * step - 0.5, middleY = (double(y) + 0.5) * step - 0.5;
            for (long v = std::max(0L, long(middleY - step)); v <= std::min(image.nr() - 1, long(middleY + step)); ++v)
                for (long u = std::max(0L, long(middleX - step)); u <= std::min(image.nc() - 1, long(middleX + step));
                     ++u) {
                    const double weight = std::max(0.0, 1 - std::abs(double(u) - middleX) / step) *
                                          std::max(0.0, 1 - std::abs(double(v) - middleY) / step);
                    sum += weight * image[v][u];
                    all += weight;
                }
            small[y][x] = static_cast<unsigned char>(std::lround(sum / std::max(all, 1e-9)));
        }
    for (long y = 0; y < image.nr(); ++y)
        for (long x = 0; x < image.nc(); ++x) {
            const double u = std::clamp((double(x) + 0.5) / step - 0.5, 0.0, double(side - 1));
            const double v = std::clamp((double(y) + 0.5) / step - 0.5, 0.0, double(side - 1));
            const long left = std::min(long(u), side - 2), top = std::min(long(v), side - 2);
            const double right = u - double(left), below = v - double(top);
            const double upper = small[top][left] * (1 - right) + small[top][left + 1] * right;
            const double lower = small[top + 1][left] * (1 - right) + small[top + 1][left + 1] * right;
            image[y][x] = static_cast<unsigned char>(std::lround(upper * (1 - below) + lower * below));
        }
}

const std::array<size_t, HR_LANDMARKS_POINTS> mirrorPlaces = {1, 0, 2, 4, 3, 8, 7, 6, 5, 9};

/// The similarity z * turned + moved that brings points to others, by least squares.
struct Fitted {
    Complex turned, moved;

    Fitted(const Points &from, const std::array<Complex, HR_LANDMARKS_POINTS> &to)
    {
        Complex middleOfOther = 0;
        for (const auto &point : to)
            middleOfOther += point / double(HR_LANDMARKS_POINTS);
        Complex sum = 0;
        double square = 0;
        for (size_t i = 0; i < to.size(); ++i) {
            const Complex at = complex(from[i]) - middle(from);
            sum += std::conj(at) * (to[i] - middleOfOther);
            square += std::norm(at);
        }
        turned = sum / square;
        moved = middleOfOther - turned * middle(from);
    }
};

/// The inputs of the start, with the points that the network found.
hr_lead leadOf(const hr_trainer_start &start, const std::array<hr_point_f, HR_LANDMARKS_POINTS> &mean)
{
    std::array<hr_landmarks_point, HR_LANDMARKS_ROUGH> turned;
    for (size_t i = 0; i < turned.size(); ++i) {
        const Complex point = complex(start.rough[i]) * std::exp(Complex(0, start.turn));
        turned[i] = {point.real(), point.imag()};
    }
    hr_lead lead;
    if (!hr_lead_make(mean.data(), turned.data(), &lead))
        throw std::bad_alloc();
    return lead;
}

}  // namespace

Face::Face(const hr_trainer_face &face, bool isMirrored)
    : pixels(face.pixels, face.pixels + HR_TRAINER_SIDE * HR_TRAINER_SIDE), pose(face.pose)
{
    std::copy(face.points, face.points + HR_LANDMARKS_POINTS, points.begin());
    if (!isMirrored)
        return;
    for (int y = 0; y < HR_TRAINER_SIDE; ++y)
        std::reverse(pixels.begin() + y * HR_TRAINER_SIDE, pixels.begin() + (y + 1) * HR_TRAINER_SIDE);
    const std::array<uint32_t, HR_LANDMARKS_POSES> poses = {0, 2, 1, 4, 3};
    pose = poses[pose];
    const Points old = points;
    for (size_t i = 0; i < mirrorPlaces.size(); ++i)
        points[i] = mirrored(old[mirrorPlaces[i]]);
}

Geometry::Geometry(const std::vector<Face> &faces) : poses{}, mean{}
{
    std::array<Points, HR_LANDMARKS_POSES> sums{};
    std::array<double, HR_LANDMARKS_POSES> counts{};
    for (const auto &face : faces) {
        ++counts[face.pose];
        for (size_t i = 0; i < face.points.size(); ++i) {
            sums[face.pose][i].x += face.points[i].x;
            sums[face.pose][i].y += face.points[i].y;
        }
    }
    for (size_t pose = 0; pose < poses.size(); ++pose) {
        // A pose without faces starts like the frontal pose.
        const size_t from = counts[pose] > 0 ? pose : 0;
        for (size_t i = 0; i < mean.size(); ++i) {
            poses[pose][i].x = float((sums[from][i].x / counts[from] - side / 2) / HR_TRAINER_BOX);
            poses[pose][i].y = float((sums[from][i].y / counts[from] - side / 2) / HR_TRAINER_BOX);
        }
    }
    const Points frontal = start(0);
    for (size_t i = 0; i < mean.size(); ++i) {
        const Complex point = (complex(frontal[i]) - middle(frontal)) / meanDistance(frontal);
        mean[i] = {float(point.real()), float(point.imag())};
    }
}

Points Geometry::start(uint32_t pose) const
{
    Points points;
    for (size_t i = 0; i < points.size(); ++i)
        points[i] = {side / 2 + HR_TRAINER_BOX * double(poses[pose][i].x),
                     side / 2 + HR_TRAINER_BOX * double(poses[pose][i].y)};
    return points;
}

Samples::Samples(const std::vector<Face> &faces, const Geometry &geometry, const hr_trainer_stage &stage, bool isFirst,
                 uint32_t variants, uint32_t seed)
{
    dlib::rand random(seed);
    const long count = long(faces.size() * variants);
    features.set_size(count, HR_LANDMARKS_FEATURES);
    places.set_size(count, HR_LANDMARKS_VALUES);
    importance.assign(size_t(count), 1);
    Points mean;
    hr_stage_mean(geometry.mean.data(), float(stage.size), mean.data());
    long row = 0;
    for (const auto &face : faces) {
        const hr_region region{const_cast<uint8_t *>(face.pixels.data()), HR_TRAINER_SIDE, 0, 0, 1};
        const Points around = isFirst ? geometry.start(face.pose) : face.points;
        for (uint32_t variant = 0; variant < variants; ++variant, ++row) {
            const Points seen = changed(around, stage, random);
            const hr_frame frame = hr_frame_fitted(seen.data(), mean.data(), HR_LANDMARKS_PATCH);
            dlib::array2d<unsigned char> patch(HR_LANDMARKS_PATCH, HR_LANDMARKS_PATCH);
            hr_frame_draw(&frame, &region, HR_LANDMARKS_PATCH, &patch[0][0]);
            if (variant > 0)
                develop(patch, random);
            std::array<float, HR_LANDMARKS_FEATURES> found;
            if (!hr_stage_features(&patch[0][0], found.data()))
                throw std::bad_alloc();
            std::copy(found.begin(), found.end(), &features(row, 0));
            for (long i = 0; i < HR_LANDMARKS_POINTS; ++i) {
                const Complex at = inPatch(frame, face.points[size_t(i)]);
                places(row, 2 * i) = at.real();
                places(row, 2 * i + 1) = at.imag();
            }
        }
    }
}

NearFace::NearFace(const hr_trainer_near_face &face, bool isMirrored)
    : pixels(face.pixels, face.pixels + HR_TRAINER_SIDE * HR_TRAINER_SIDE),
      starts(face.starts.all, face.starts.all + face.starts.count)
{
    std::copy(face.points, face.points + HR_LANDMARKS_POINTS, points.begin());
    if (!isMirrored)
        return;
    for (int y = 0; y < HR_TRAINER_SIDE; ++y)
        std::reverse(pixels.begin() + y * HR_TRAINER_SIDE, pixels.begin() + (y + 1) * HR_TRAINER_SIDE);
    for (size_t i = 0; i < mirrorPlaces.size(); ++i)
        points[i] = mirrored(face.points[mirrorPlaces[i]]);
    for (auto &start : starts) {
        const hr_trainer_start old = start;
        for (size_t i = 0; i < HR_LANDMARKS_ROUGH; ++i)
            start.rough[i] = mirrored(old.rough[mirrorPlaces[i]]);
        start.turn = -old.turn;
    }
}

double NearFace::importance() const
{
    double apart = 0;
    for (size_t i = 0; i < HR_LANDMARKS_ROUGH; ++i)
        apart += std::abs(complex(points[i]) - complex(starts.at(0).rough[i])) / HR_LANDMARKS_ROUGH;
    const double size = meanDistance(points), doubt = std::max(1.0, apart / size / 0.35);
    return 1 / std::max(std::abs(complex(points[1]) - complex(points[0])) / size, 0.5) / (doubt * doubt);
}

NearGeometry::NearGeometry(const std::vector<NearFace> &faces) : mean{}, leads{}
{
    std::array<Complex, HR_LANDMARKS_POINTS> average;
    const Points &first = faces.at(0).points;
    for (size_t i = 0; i < average.size(); ++i)
        average[i] = (complex(first[i]) - middle(first)) / meanDistance(first);
    for (int time = 0; time < 4; ++time) {
        std::array<Complex, HR_LANDMARKS_POINTS> sum{};
        for (const auto &face : faces) {
            const Fitted fitted(face.points, average);
            for (size_t i = 0; i < sum.size(); ++i)
                sum[i] += fitted.turned * complex(face.points[i]) + fitted.moved;
        }
        Complex centre = 0;
        for (const auto &point : sum)
            centre += point / double(HR_LANDMARKS_POINTS);
        double apart = 0;
        for (const auto &point : sum)
            apart += std::abs(point - centre) / HR_LANDMARKS_POINTS;
        const Complex level = std::abs(sum[1] - sum[0]) / (sum[1] - sum[0]);
        for (size_t i = 0; i < sum.size(); ++i)
            average[i] = (sum[i] - centre) / apart * level;
    }
    for (size_t i = 0; i < mean.size(); ++i)
        mean[i] = {float(average[i].real()), float(average[i].imag())};

    // Points of unrotated images are weighted three times as much as points of rotated images.
    dlib::matrix<double> square = dlib::zeros_matrix<double>(HR_LANDMARKS_LEADS, HR_LANDMARKS_LEADS);
    dlib::matrix<double> mixed = dlib::zeros_matrix<double>(HR_LANDMARKS_LEADS, HR_LANDMARKS_VALUES);
    long count = 0;
    for (const auto &face : faces)
        for (const auto &start : face.starts) {
            const hr_lead lead = leadOf(start, mean);
            const Complex turned(lead.from_image.cosine, lead.from_image.sine);
            const double weight = std::pow((start.turn == 0 ? 3 : 1) * face.importance(), 2);
            const Complex back = std::exp(Complex(0, start.turn));
            for (long i = 0; i < HR_LANDMARKS_LEADS; ++i) {
                const double value = double(lead.values[i]) * weight;
                for (long j = 0; j < HR_LANDMARKS_LEADS; ++j)
                    square(i, j) += value * double(lead.values[j]);
                for (long k = 0; k < HR_LANDMARKS_POINTS; ++k) {
                    const Complex place =
                        turned * (complex(face.points[size_t(k)]) * back - complex(lead.from_image.from)) +
                        complex(lead.from_image.to);
                    mixed(i, 2 * k) += value * place.real();
                    mixed(i, 2 * k + 1) += value * place.imag();
                }
            }
            ++count;
        }
    square += 1e-3 * double(count) * dlib::identity_matrix<double>(HR_LANDMARKS_LEADS);
    const dlib::matrix<double> weights = dlib::cholesky_decomposition<dlib::matrix<double>>(square).solve(mixed);
    for (size_t i = 0; i < leads.size(); ++i)
        for (size_t k = 0; k < leads[i].size(); ++k)
            leads[i][k] = float(weights(long(i), long(k)));
}

Points NearGeometry::start(const hr_trainer_start &from) const
{
    const hr_lead lead = leadOf(from, mean);
    Points points;
    hr_lead_points(&lead, reinterpret_cast<const float(*)[HR_LANDMARKS_VALUES]>(leads.data()), points.data());
    for (auto &point : points) {
        const Complex back = complex(point) * std::exp(Complex(0, -from.turn));
        point = {back.real(), back.imag()};
    }
    return points;
}

Samples::Samples(const std::vector<NearFace> &faces, const NearGeometry &geometry, const hr_trainer_stage &stage,
                 bool isFirst, uint32_t variants, uint32_t seed)
{
    dlib::rand random(seed);
    const long count = long(faces.size() * variants);
    features.set_size(count, HR_LANDMARKS_FEATURES + HR_LANDMARKS_ROUGH_VALUES);
    places.set_size(count, HR_LANDMARKS_VALUES);
    Points mean;
    hr_stage_mean(geometry.mean.data(), float(stage.size), mean.data());
    double all = 0;
    long row = 0;
    for (const auto &face : faces) {
        const hr_region region{const_cast<uint8_t *>(face.pixels.data()), HR_TRAINER_SIDE, 0, 0, 1};
        for (uint32_t variant = 0; variant < variants; ++variant, ++row) {
            const bool isOwn = random.get_random_double() < 0.4;
            const auto &start = face.starts[isOwn ? 0 : size_t(random.get_integer(face.starts.size()))];
            const Points seen = changed(isFirst ? geometry.start(start) : face.points, stage, random);
            const hr_frame frame = hr_frame_fitted(seen.data(), mean.data(), HR_LANDMARKS_PATCH);
            dlib::array2d<unsigned char> patch(HR_LANDMARKS_PATCH, HR_LANDMARKS_PATCH);
            hr_frame_draw(&frame, &region, HR_LANDMARKS_PATCH, &patch[0][0]);
            if (variant > 0) {
                if (random.get_random_double() < 0.3)
                    coarsen(patch, random);
                develop(patch, random);
            }
            std::array<float, HR_LANDMARKS_FEATURES + HR_LANDMARKS_ROUGH_VALUES> found;
            if (!hr_stage_features(&patch[0][0], found.data()))
                throw std::bad_alloc();
            hr_stage_rough(geometry.mean.data(), float(stage.size), &frame, start.rough,
                           found.data() + HR_LANDMARKS_FEATURES);
            std::copy(found.begin(), found.end(), &features(row, 0));
            for (long i = 0; i < HR_LANDMARKS_POINTS; ++i) {
                const Complex at = inPatch(frame, face.points[size_t(i)]);
                places(row, 2 * i) = at.real();
                places(row, 2 * i + 1) = at.imag();
            }
            importance.push_back(face.importance());
            all += importance.back();
        }
    }
    for (auto &weight : importance)
        weight *= double(count) / all;
}

}  // namespace headroom

int hr_trainer_cut(const uint8_t *pixels, size_t width, size_t height, size_t bytes_per_row, double centre_x,
                   double centre_y, double side, uint8_t *picture)
{
    const double step = side / HR_TRAINER_BOX;
    hr_region region;
    if (!hr_region_make(pixels, width, height, bytes_per_row, centre_x, centre_y, step * HR_TRAINER_SIDE / 2 + 2, step,
                        &region))
        return 0;
    const hr_frame frame{centre_x, centre_y, step, 0};
    hr_frame_draw(&frame, &region, HR_TRAINER_SIDE, picture);
    hr_region_free(&region);
    return 1;
}
