#include "Samples.hpp"

#include <algorithm>
#include <cmath>

namespace headroom {

namespace {

const double side = HR_TRAINER_SIDE;

hr_landmarks_point mirrored(hr_landmarks_point point) { return {side - point.x, point.y}; }

/// The position in the patch of a point of the picture.
hr_landmarks_point inPatch(const hr_frame &frame, hr_landmarks_point point)
{
    const double square = frame.cosine * frame.cosine + frame.sine * frame.sine;
    const double x = point.x - frame.centre_x, y = point.y - frame.centre_y;
    return {(frame.cosine * x + frame.sine * y) / square + Patch / 2.0,
            (frame.cosine * y - frame.sine * x) / square + Patch / 2.0};
}

hr_frame changed(hr_frame frame, Jitter jitter, dlib::rand &random)
{
    const double turn = jitter.turn * random.get_random_gaussian();
    const double scale = std::exp(jitter.scale * random.get_random_gaussian());
    frame.centre_x += jitter.shift * HR_TRAINER_BOX * random.get_random_gaussian();
    frame.centre_y += jitter.shift * HR_TRAINER_BOX * random.get_random_gaussian();
    const double cosine = frame.cosine, sine = frame.sine;
    frame.cosine = scale * (std::cos(turn) * cosine - std::sin(turn) * sine);
    frame.sine = scale * (std::sin(turn) * cosine + std::cos(turn) * sine);
    return frame;
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
    std::array<double, HR_LANDMARKS_POSES> counts{};
    for (const auto &face : faces) {
        hr_landmarks_point middle{0, 0};
        for (const auto &point : face.points) {
            middle.x += point.x / HR_LANDMARKS_POINTS;
            middle.y += point.y / HR_LANDMARKS_POINTS;
        }
        double size = 0;
        for (const auto &point : face.points)
            size += std::hypot(point.x - middle.x, point.y - middle.y);
        auto &pose = poses[face.pose];
        pose.turn += float(std::atan2(face.points[1].y - face.points[0].y, face.points[1].x - face.points[0].x));
        pose.x += float((middle.x - side / 2) / HR_TRAINER_BOX);
        pose.y += float((middle.y - side / 2) / HR_TRAINER_BOX);
        pose.scale += float(size);
        ++counts[face.pose];
    }
    for (size_t i = 0; i < poses.size(); ++i) {
        const float count = float(std::max(counts[i], 1.0));
        poses[i] = {poses[i].turn / count, poses[i].x / count, poses[i].y / count, poses[i].scale / count};
    }
    const float frontal = poses[0].scale;
    for (auto &pose : poses)
        pose.scale = pose.scale > 0 ? pose.scale / frontal : 1;
    // Only tilted poses start turned: the roll of the others is too uncertain.
    for (size_t i = 0; i < 3; ++i)
        poses[i].turn = 0;
    for (const auto &face : faces)
        if (face.pose == 0)
            for (size_t k = 0; k < mean.size(); ++k) {
                const auto point = inPatch(first(face), face.points[k]);
                mean[k].x += point.x / counts[0];
                mean[k].y += point.y / counts[0];
            }
}

hr_frame Geometry::first(const Face &face) const
{
    const auto &pose = poses[face.pose];
    const double step = double(HR_TRAINER_BOX) / Box * pose.scale;
    return {side / 2 + pose.x * HR_TRAINER_BOX, side / 2 + pose.y * HR_TRAINER_BOX, step * std::cos(pose.turn),
            step * std::sin(pose.turn)};
}

hr_frame Geometry::second(const Face &face) const { return hr_frame_fitted(face.points.data(), mean.data(), Patch); }

Samples::Samples(const std::vector<Face> &faces, const Geometry &geometry, bool isSecond, uint32_t variants,
                 Jitter jitter, uint32_t seed)
{
    dlib::rand random(seed);
    const long first = (Patch - Box) / 2;
    const dlib::rectangle box(first, first, first + Box - 1, first + Box - 1);
    for (const auto &face : faces) {
        const hr_region region{const_cast<uint8_t *>(face.pixels.data()), HR_TRAINER_SIDE, 0, 0, 1};
        for (uint32_t i = 0; i < variants; ++i) {
            hr_frame frame = isSecond ? geometry.second(face) : geometry.first(face);
            if (i > 0)
                frame = changed(frame, jitter, random);
            dlib::array2d<unsigned char> image(Patch, Patch);
            hr_frame_draw(&frame, &region, Patch, &image[0][0]);
            if (i > 0)
                develop(image, random);
            std::vector<dlib::point> parts;
            for (const auto &point : face.points) {
                const auto at = inPatch(frame, point);
                // dlib's pixels have their centres at whole numbers.
                parts.emplace_back(std::lround(at.x - 0.5), std::lround(at.y - 0.5));
            }
            images.push_back(image);
            objects.push_back({dlib::full_object_detection(box, parts)});
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
