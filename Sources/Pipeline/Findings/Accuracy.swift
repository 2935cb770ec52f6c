/// How small a face may be and still count, which decides how much work detection is.
package enum Accuracy: String, Hashable, Codable, Sendable, CaseIterable {
    /// Larger faces only, in one quick look.
    case low
    /// Smaller faces as well, looking again where it pays.
    case high

    /// The smallest face that matters, as a share of the image's short side, unless a caller says otherwise.
    ///
    /// With dlib's window of 80 pixels these are short sides of 480 and 2,000 pixels; `docs/framing-research.md` has the
    /// measurements behind them.
    package var smallestFace: Double {
        switch self {
        case .low: 1.0 / 6
        case .high: 0.04
        }
    }

    /// Whether nothing that could be a face is good reason to think that there is none.
    ///
    /// So it is in 8 of 288 photographs with faces, and in 92 of 110 without; with ``low`` it says little, as 58 of the 288
    /// look empty.
    var missesFew: Bool { self == .high }

    /// Whether a picture in which nobody stands upright is looked at on its sides and upside down as well.
    ///
    /// With ``low``, both sides gave a face in four of 288 photographs, two of them turned on purpose, for 40 % more work
    /// on all of them together.
    var looksTurned: Bool { self == .high }
}
