#include "Table.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

namespace headroom {

namespace {

class Writer {
public:
    std::vector<uint8_t> bytes;

    template <typename Value>
    void write(Value value)
    {
        const auto *from = reinterpret_cast<const uint8_t *>(&value);
        bytes.insert(bytes.end(), from, from + sizeof value);
    }
};

/// The parts of a predictor, which dlib keeps private, from its own serialisation.
struct Parts {
    dlib::matrix<float, 0, 1> start;
    std::vector<std::vector<dlib::impl::regression_tree>> forests;
    std::vector<std::vector<unsigned long>> anchors;
    std::vector<std::vector<dlib::vector<float, 2>>> offsets;

    explicit Parts(const dlib::shape_predictor &predictor)
    {
        std::stringstream stream;
        serialize(predictor, stream);
        int version = 0;
        dlib::deserialize(version, stream);
        dlib::deserialize(start, stream);
        dlib::deserialize(forests, stream);
        dlib::deserialize(anchors, stream);
        dlib::deserialize(offsets, stream);
    }
};

/// dlib measures a box from the centre of its first pixel to that of its last, and points by their pixels' centres.
const double dlibBox = Box - 1;

float position(double share) { return float((share * dlibBox + 0.5) / Box); }

double length(double share) { return share * dlibBox / Box; }

int16_t offset(double share)
{
    return int16_t(std::clamp(std::lround(length(share) * HR_LANDMARKS_OFFSET_UNIT), -32768L, 32767L));
}

void write(const Parts &parts, Writer &writer)
{
    const auto &tree = parts.forests.at(0).at(0);
    const size_t leaves = tree.leaf_values.size();
    uint32_t depth = 0;
    while ((size_t(1) << depth) < leaves)
        ++depth;
    writer.write(uint32_t(parts.forests.size()));
    writer.write(uint32_t(parts.anchors.at(0).size()));
    writer.write(uint32_t(parts.forests[0].size()));
    writer.write(depth);
    for (long i = 0; i < parts.start.size(); ++i)
        writer.write(position(parts.start(i)));
    for (size_t level = 0; level < parts.forests.size(); ++level) {
        double most = 1e-9;
        for (const auto &tree : parts.forests[level])
            for (const auto &leaf : tree.leaf_values)
                most = std::max(most, double(dlib::max(dlib::abs(leaf))));
        const double unit = most / 127;
        writer.write(float(length(unit)));
        for (const auto &at : parts.offsets[level]) {
            writer.write(offset(at.x()));
            writer.write(offset(at.y()));
        }
        for (auto anchor : parts.anchors[level])
            writer.write(uint8_t(anchor));
        for (const auto &tree : parts.forests[level])
            for (const auto &split : tree.splits) {
                writer.write(uint16_t(split.idx1));
                writer.write(uint16_t(split.idx2));
                // A difference of pixels is whole, so it exceeds the threshold exactly when it exceeds the floor.
                writer.write(int16_t(std::clamp(std::floor(split.thresh), -256.0F, 256.0F)));
            }
        for (const auto &tree : parts.forests[level])
            for (const auto &leaf : tree.leaf_values)
                for (long i = 0; i < leaf.size(); ++i)
                    writer.write(int8_t(std::lround(leaf(i) / unit)));
    }
}

}  // namespace

std::vector<uint8_t> table(const Geometry &geometry, const dlib::shape_predictor &first,
                           const dlib::shape_predictor &second)
{
    Writer writer;
    for (char mark : {'H', 'R', 'L', 'M'})
        writer.write(mark);
    writer.write(uint32_t(1));
    writer.write(uint32_t(Patch));
    writer.write(uint32_t(Box));
    for (const auto &pose : geometry.poses)
        writer.write(pose);
    for (const auto &point : geometry.mean) {
        writer.write(float(point.x));
        writer.write(float(point.y));
    }
    write(Parts(first), writer);
    write(Parts(second), writer);
    return writer.bytes;
}

}  // namespace headroom
