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

/// The position in a patch of a point of the picture.
Complex inPatch(const hr_frame &frame, hr_landmarks_point point)
{
    const Complex from = complex(point) - Complex(frame.centre_x, frame.centre_y);
    return from / Complex(frame.cosine, frame.sine);
}

/// The points turned, scaled and moved at random.
Points changed(const Points &points, const hr_trainer_stage &by, dlib::rand &random)
{
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

/// Another exposure of the same patch; one in four is also blurred.
void develop(dlib::array2d<unsigned char> &image, dlib::rand &random)
{
    const double gamma = std::exp(0.3 * random.get_random_gaussian());
    const double gain = std::exp(0.15 * random.get_random_gaussian()), offset = 10 * random.get_random_gaussian();
    std::array<unsigned char, 256> levels;
    for (size_t i = 0; i < levels.size(); ++i)
        levels[i] =
            static_cast<unsigned char>(std::clamp(255 * std::pow(double(i) / 255, gamma) * gain + offset, 0.0, 255.0));
    if (random.get_random_double() < 0.25) {
        // dlib leaves the border black, so there the sharp pixels stay.
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
    const std::array<size_t, HR_LANDMARKS_POINTS> places = {1, 0, 2, 4, 3, 8, 7, 6, 5, 9};
    for (size_t i = 0; i < places.size(); ++i)
        points[i] = mirrored(old[places[i]]);
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
        // A pose that no face has starts as the frontal one.
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
