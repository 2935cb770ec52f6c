// Reads the format of dlib's serialize(object_detector), field by field.
//
// dlib's own deserialize() trusts the stream. A window that does not match the weights would cause reads beyond them, a
// cell size of 0 would cause a division by zero, and NaN would cause an endless singular value decomposition. So the
// fields are read with dlib's primitives and validated before a detector is created.

#include "DlibHeaders.hpp"
#include <dlib/image_processing/frontal_face_detector.h>
#include <sys/stat.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>

#include "Pyramid.hpp"

namespace headroom {
namespace {

constexpr unsigned long most_detectors = 64;
constexpr unsigned long longest_window = 4096;

template <typename T>
T read(std::istream &in)
{
    T value;
    dlib::deserialize(value, in);
    return value;
}

void require(bool condition, const char *what)
{
    if (!condition)
        throw InvalidModel(what);
}

void read_scanner(std::istream &in, Model &model)
{
    require(read<int>(in) == 1, "a scanner of an unknown version");
    // The feature pyramid of an image, which is empty in a saved detector.
    require(read<size_t>(in) == 0 && read<size_t>(in) == 0, "a scanner that holds an image");
    model.cell_size = read<int>(in);
    model.padding = read<unsigned long>(in);
    model.window_width = read<unsigned long>(in);
    model.window_height = read<unsigned long>(in);
    model.max_pyramid_levels = read<unsigned long>(in);
    model.min_layer_width = read<unsigned long>(in);
    model.min_layer_height = read<unsigned long>(in);
    read<double>(in);  // strength of a regulariser, used for training only
    const long dimensions = read<long>(in);

    require(model.cell_size >= 1 && model.cell_size <= 64, "a cell size outside 1...64");
    require(model.padding <= 64, "a padding over 64 cells");
    require(model.window_width >= 1 && model.window_width <= longest_window, "a window width outside 1...4096");
    require(model.window_height >= 1 && model.window_height <= longest_window, "a window height outside 1...4096");
    require(model.max_pyramid_levels >= 1, "a pyramid without levels");
    // A side of 2 pixels would never become smaller.
    require(model.min_layer_width >= 4 && model.min_layer_height >= 4, "a pyramid that never ends");
    require(dimensions > 0 && static_cast<unsigned long>(dimensions) % fhog_planes == 0,
            "weights that are not for the 31 planes of FHOG");

    Pyramid scanner;
    configure(scanner, model);
    require(scanner.get_num_dimensions() == dimensions, "weights that do not go with the window's size");
    require(scanner.get_fhog_window_width() > 2 * model.padding && scanner.get_fhog_window_height() > 2 * model.padding,
            "a window that is all padding");
}

void read_overlap(std::istream &in, Model &model)
{
    model.overlap_iou = read<double>(in);
    model.overlap_covered = read<double>(in);
    require(model.overlap_iou >= 0 && model.overlap_iou <= 1, "an overlap threshold outside 0...1");
    require(model.overlap_covered >= 0 && model.overlap_covered <= 1, "a coverage threshold outside 0...1");
}

void read_weights(std::istream &in, Model &model)
{
    Pyramid scanner;
    configure(scanner, model);

    // A matrix starts with its sides, which newer versions of dlib write as negative numbers.
    const long expected = scanner.get_num_dimensions() + 1;
    const long rows = read<long>(in);
    const long columns = read<long>(in);
    require((rows == expected && columns == 1) || (rows == -expected && columns == -1),
            "a weight vector that does not go with the window's size");

    std::vector<double> weights;
    for (long i = 0; i < expected; ++i) {
        weights.push_back(read<double>(in));
        require(std::isfinite(weights.back()) && std::abs(weights.back()) < 1e6, "weights that are not finite");
    }
    model.weights.push_back(std::move(weights));
}

Model read_model(std::istream &in)
{
    try {
        Model model;
        const int version = read<int>(in);
        require(version == 1 || version == 2, "not a HOG detector saved by dlib");
        read_scanner(in, model);
        if (version == 1) {
            read_weights(in, model);
            read_overlap(in, model);
        } else {
            read_overlap(in, model);
            const unsigned long count = read<unsigned long>(in);
            require(count >= 1 && count <= most_detectors, "a count of sub-detectors outside 1...64");
            for (unsigned long i = 0; i < count; ++i)
                read_weights(in, model);
        }
        return model;
    } catch (const dlib::serialization_error &error) {
        throw InvalidModel(error.what());
    }
}

}  // namespace

Model read_frontal_model()
{
    std::istringstream in(dlib::get_serialized_frontal_faces());
    return read_model(in);
}

Model read_model_file(const std::string &path)
{
    // A named pipe or a device would block, or never end.
    struct stat status;
    if (stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
        throw UnreadableFile("not a regular file");
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    if (!in)
        throw UnreadableFile(std::strerror(errno));
    if (in.peek() == std::ifstream::traits_type::eof())
        throw UnreadableFile("no bytes in it, or not a file");
    return read_model(in);
}

}  // namespace headroom
