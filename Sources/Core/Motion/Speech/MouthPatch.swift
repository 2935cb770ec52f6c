import Framing
import Geometry
import Glibc

/// The mouth of a face and the middle of the face above it, both upright and of one size, for comparison with another
/// frame.
///
/// Motion of the head changes both patches, speech only the mouth.
package struct MouthPatch: Hashable, Codable, Sendable {
    /// Samples across; 1.6 distances of the eyes.
    package static let width = 28
    /// Samples down.
    package static let height = 20
    /// The samples that each side of a patch has beyond the part that is compared.
    private static let margin = 2
    /// The least standard deviation of luma; a blurred face has less, and noise in it is no motion.
    private static let minContrast = 10.0

    /// Luma around the mouth, row by row.
    package var mouth: [UInt8]
    /// Luma of nose and cheeks, row by row.
    package var rest: [UInt8]

    /// Patches of ``width`` × ``height`` samples each; nil for another number.
    package init?(mouth: [UInt8], rest: [UInt8]) {
        (self.mouth, self.rest) = (mouth, rest)
        guard isWhole else { return nil }
    }

    /// Whether both patches have all samples; decoding does not check it.
    package var isWhole: Bool { mouth.count == Self.width * Self.height && rest.count == mouth.count }

    /// How much the lips moved between two frames of one face: the change of the mouth less that of the rest, in
    /// standard deviations of the face's luma.
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

    /// The least mean difference at any small shift, apart from a change of brightness.
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
