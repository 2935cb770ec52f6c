/// A small image of a frame, for the comparison of frames: luma and two chroma planes of one size.
package struct Thumbnail: Hashable, Sendable {
    /// Samples per row.
    package static let width = 32
    /// Samples per column.
    package static let height = 18
    /// The number of samples in the three planes.
    package static let count = 3 * width * height

    /// Luma, blue and red chroma, each row by row from the top left.
    package let samples: [UInt8]

    /// Creates a thumbnail of ``count`` samples.
    package init(_ samples: [UInt8]) {
        precondition(samples.count == Self.count, "three small planes")
        self.samples = samples
    }

    /// Returns the mean difference from another frame, summed over the planes, 0…765.
    func difference(from other: Thumbnail) -> Double { difference(from: other, right: 0, down: 0) }

    /// Returns the mean difference at the shift with the highest similarity, so that camera motion makes little
    /// difference.
    func stillDifference(from other: Thumbnail) -> Double {
        var minimum = difference(from: other)
        for right in -Self.maxShift.right...Self.maxShift.right {
            for down in -Self.maxShift.down...Self.maxShift.down {
                minimum = min(minimum, difference(from: other, right: right, down: down))
            }
        }
        return minimum
    }

    /// Returns the mean difference from the mean of two other frames, in the units of ``difference(from:)``.
    func difference(fromMiddleOf one: Thumbnail, _ other: Thumbnail) -> Double {
        var sum = 0
        for index in samples.indices {
            sum += abs(2 * Int(samples[index]) - Int(one.samples[index]) - Int(other.samples[index]))
        }
        return Double(sum) / Double(2 * Self.width * Self.height)
    }

    /// The mean absolute deviation of luma from its mean: small for a black or a white frame.
    package var contrast: Double {
        let luma = samples.prefix(Self.width * Self.height)
        let mean = luma.reduce(0) { $0 + Int($1) } / luma.count
        return Double(luma.reduce(0) { $0 + abs(Int($1) - mean) }) / Double(luma.count)
    }

    /// Returns the correlation of luma with another frame's luma, −1…1; 0 if one of the frames has no contrast.
    func likeness(to other: Thumbnail) -> Double {
        let count = Self.width * Self.height
        return correlation(zip(samples.prefix(count), other.samples.prefix(count)).map { (Double($0), Double($1)) })
    }

    private static let maxShift = (right: 3, down: 2)

    private func difference(from other: Thumbnail, right: Int, down: Int) -> Double {
        let columns = max(0, right)..<min(Self.width, Self.width + right)
        let rows = max(0, down)..<min(Self.height, Self.height + down)
        var sum = 0
        unsafe samples.withUnsafeBufferPointer { here in
            unsafe other.samples.withUnsafeBufferPointer { there in
                for plane in 0..<3 {
                    for y in rows {
                        let row = (plane * Self.height + y) * Self.width
                        let otherRow = row - down * Self.width - right
                        for x in columns { sum += unsafe abs(Int(here[row + x]) - Int(there[otherRow + x])) }
                    }
                }
            }
        }
        return Double(sum) / Double(columns.count * rows.count)
    }
}
