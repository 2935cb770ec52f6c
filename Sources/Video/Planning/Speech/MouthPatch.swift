import Framing
import Geometry
import Glibc

/// The mouth of a face and the middle of the face above it, both upright and scaled to one size, for comparison with
/// another frame.
///
/// Head motion changes both patches, speech only the mouth.
package struct MouthPatch: Hashable, Codable, Sendable {
    /// Samples per row, across 1.6 eye distances.
    package static let width = 28
    /// Samples per column.
    package static let height = 20
    /// The number of samples on each side of a patch around the compared part.
    private static let margin = 2
    /// The minimum standard deviation of luma; a blurred face has less, and its noise is not motion.
    private static let minContrast = 10.0

    /// Luma around the mouth, row by row.
    package var mouth: [UInt8]
    /// Luma of nose and cheeks, row by row.
    package var rest: [UInt8]

    /// Creates patches of ``width`` × ``height`` samples each; nil for any other number of samples.
    package init?(mouth: [UInt8], rest: [UInt8]) {
        (self.mouth, self.rest) = (mouth, rest)
        guard isWhole else { return nil }
    }

    /// Whether both patches have all samples; decoding does not check this.
    package var isWhole: Bool { mouth.count == Self.width * Self.height && rest.count == mouth.count }

    /// Returns the motion of the lips between two frames of one face.
    ///
    /// This is the change of the mouth minus the change of the rest, in standard deviations of the face's luma.
    ///
    /// - Parameter other: The same face a moment later.
    /// - Returns: 0 for lips that move like the rest of the face; about 0.1 between syllables.
    package func lips(to other: MouthPatch) -> Double {
        let contrast = max(
            Self.minContrast,
            (Self.deviation(mouth) + Self.deviation(rest) + Self.deviation(other.mouth) + Self.deviation(other.rest))
                / 4
        )
        return max(0, Self.change(mouth, other.mouth) - Self.change(rest, other.rest)) / contrast
    }

    /// Returns the minimum mean difference over all small shifts, without the change of brightness.
    private static func change(_ one: [UInt8], _ other: [UInt8]) -> Double {
        var minimum = Double.infinity
        for down in -margin...margin {
            for across in -margin...margin {
                minimum = min(minimum, change(one, other, across: across, down: down))
            }
        }
        return minimum
    }

    private static func change(_ one: [UInt8], _ other: [UInt8], across: Int, down: Int) -> Double {
        var differences: [Int] = []
        differences.reserveCapacity(width * height)
        for y in margin..<height - margin {
            for x in margin..<width - margin {
                differences.append(Int(one[y * width + x]) - Int(other[(y + down) * width + x + across]))
            }
        }
        let count = Double(differences.count)
        let mean = Double(differences.reduce(0, +)) / count
        return differences.reduce(0) { $0 + abs(Double($1) - mean) } / count
    }

    private static func deviation(_ samples: [UInt8]) -> Double {
        let count = Double(samples.count)
        let mean = Double(samples.reduce(0) { $0 + Int($1) }) / count
        let square = samples.reduce(0.0) { $0 + (Double($1) - mean) * (Double($1) - mean) }
        return (square / count).squareRoot()
    }
}
