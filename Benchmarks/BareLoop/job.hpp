// The work of the loop for one image, planned by `headroom`: one line of a text file.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <istream>
#include <string>
#include <vector>

struct Rect {
    double x, y, width, height;
};

// A detection pass: the image is scaled to this size, then rotated by 90° clockwise, or counterclockwise (270).
struct DetectionPass {
    int width, height, turn;
};

struct Job {
    std::string path;
    int width, height;
    Rect crop;
    int outputWidth, outputHeight;
    std::vector<DetectionPass> passes;

    // The smallest scale, in eighths, that suffices for every pass and for the output. libjpeg-turbo is fast at 1, 2, 4 and 8.
    int eighths() const
    {
        double needed = outputWidth / crop.width;
        for (const DetectionPass &pass : passes)
            needed = std::max(needed, static_cast<double>(pass.width) / width);
        for (int scale : {1, 2, 4})
            if (scale / 8.0 >= needed)
                return scale;
        return 8;
    }
};

// PATH WIDTH HEIGHT CROPX CROPY CROPWIDTH CROPHEIGHT OUTPUTWIDTH OUTPUTHEIGHT PASSES {WIDTH HEIGHT TURN}…
inline std::istream &operator>>(std::istream &input, Job &job)
{
    std::size_t count = 0;
    input >> job.path >> job.width >> job.height >> job.crop.x >> job.crop.y >> job.crop.width >> job.crop.height >>
        job.outputWidth >> job.outputHeight >> count;
    job.passes.assign(input ? count : 0, DetectionPass{});
    for (DetectionPass &pass : job.passes)
        input >> pass.width >> pass.height >> pass.turn;
    return input;
}
