// Finds faces and crops images in a minimal C++ program: no HTTP, no checks, no limits.
//
//     bare-loop JOBS SECONDS
//
// Runs the jobs (see job.hpp) repeatedly on one thread for at least SECONDS. Prints JSON: the number of images, the wall clock
// time and processor time in seconds, and the detections of one round.

// Debian's dlib requires LAPACK and BLAS, but detection does not use them. Only these two headers use the macros of
// dlib's configuration, so the macros can be undefined after them. The configuration header has no include guard.
#include <dlib/algs.h>
#include <dlib/test_for_odr_violations.h>
#undef DLIB_USE_LAPACK
#undef DLIB_USE_BLAS

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <dlib/image_processing/frontal_face_detector.h>
#include <dlib/image_transforms.h>
#include <fstream>
#include <iterator>

#include "job.hpp"
#include "jpeg.hpp"

using Grey = dlib::array2d<unsigned char>;

static std::vector<unsigned char> read(const std::string &path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

static Grey luma(const Pixels &pixels)
{
    Grey grey(pixels.height, pixels.width);
    const unsigned char *sample = pixels.samples.data();
    for (auto &value : grey) {
        value = *sample;
        sample += 3;
    }
    return grey;
}

static Grey turned(const Grey &image, int turn)
{
    if (turn == 0) {
        Grey copy;
        dlib::assign_image(copy, image);
        return copy;
    }
    Grey result(image.nc(), image.nr());
    for (long y = 0; y < image.nr(); y++)
        for (long x = 0; x < image.nc(); x++)
            if (turn == 90)
                result[x][image.nr() - 1 - y] = image[y][x];
            else
                result[image.nc() - 1 - x][y] = image[y][x];
    return result;
}

// Extracts a crop, given in source pixels, and scales it in the same way as dlib scales colour images, but with vector
// code.
static Pixels render(const Pixels &pixels, const Job &job)
{
    const double scale = static_cast<double>(pixels.width) / job.width;
    const int left = std::min(static_cast<int>(job.crop.x * scale), pixels.width - 1);
    const int top = std::min(static_cast<int>(job.crop.y * scale), pixels.height - 1);
    const int width = std::clamp(static_cast<int>(job.crop.width * scale), 1, pixels.width - left);
    const int height = std::clamp(static_cast<int>(job.crop.height * scale), 1, pixels.height - top);
    dlib::array2d<dlib::rgb_pixel> crop(height, width);
    for (int y = 0; y < height; y++) {
        const auto offset = (static_cast<std::size_t>(top + y) * pixels.width + left) * 3;
        std::copy_n(&pixels.samples[offset], std::size_t{3} * width, reinterpret_cast<unsigned char *>(&crop[y][0]));
    }
    dlib::array2d<dlib::rgb_pixel> scaled(job.outputHeight, job.outputWidth);
    dlib::resize_image(crop, scaled);
    Pixels result{job.outputWidth, job.outputHeight, {}};
    const auto *first = reinterpret_cast<const unsigned char *>(&scaled[0][0]);
    result.samples.assign(first, first + std::size_t{3} * job.outputWidth * job.outputHeight);
    return result;
}

struct Counts {
    std::size_t detections = 0;
    std::size_t bytes = 0;
};

static void run(const Job &job, dlib::frontal_face_detector &detector, Counts &counts)
{
    const Pixels pixels = decode(read(job.path), job.eighths());
    const Grey grey = luma(pixels);
    for (const DetectionPass &pass : job.passes) {
        Grey scaled(pass.height, pass.width);
        dlib::resize_image(grey, scaled);
        counts.detections += detector(turned(scaled, pass.turn)).size();
    }
    counts.bytes += encode(render(pixels, job)).size();
}

static double processorSeconds()
{
    timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + time.tv_nsec * 1e-9;
}

int main(int count, char **arguments)
{
    if (count != 3) {
        std::fprintf(stderr, "usage: bare-loop JOBS SECONDS\n");
        return 64;
    }
    std::ifstream list(arguments[1]);
    std::vector<Job> jobs;
    for (Job job; list >> job;)
        jobs.push_back(job);
    if (jobs.empty()) {
        std::fprintf(stderr, "bare-loop: no jobs in %s\n", arguments[1]);
        return 66;
    }
    const double seconds = std::atof(arguments[2]);
    auto detector = dlib::get_frontal_face_detector();
    Counts first;
    for (const Job &job : jobs)
        run(job, detector, first);

    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    const double processorStart = processorSeconds();
    std::size_t images = 0;
    double wall = 0;
    Counts more;
    while (wall < seconds || images % jobs.size() != 0) {
        run(jobs[images % jobs.size()], detector, more);
        images++;
        wall = std::chrono::duration<double>(Clock::now() - start).count();
    }
    std::printf("{\"images\": %zu, \"seconds\": %.6f, \"processor\": %.6f, \"detections\": %zu}\n", images, wall,
                processorSeconds() - processorStart, first.detections);
}
