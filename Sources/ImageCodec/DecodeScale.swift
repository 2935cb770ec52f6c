/// The part of its size at which a picture is decoded, in eighths: what the JPEG transform can give at no cost.
package struct DecodeScale: Hashable, Sendable, Comparable {
    /// 1 to 8.
    package let eighths: Int

    /// A scale of `eighths`, 1 to 8.
    package init(eighths: Int) {
        precondition((1...8).contains(eighths), "1 to 8 eighths")
        self.eighths = eighths
    }

    /// The whole size.
    package static let full = DecodeScale(eighths: 8)

    package static func < (first: DecodeScale, second: DecodeScale) -> Bool { first.eighths < second.eighths }

    /// The length of a side of `length` pixels at this scale; a part of a pixel counts as a whole one.
    package func scaled(_ length: Int) -> Int { (length * eighths + 7) / 8 }
}
