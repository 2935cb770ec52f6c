/// The effort of detection, which determines the smallest face that counts.
package enum Accuracy: String, Hashable, Codable, Sendable, CaseIterable {
    /// One fast pass for larger faces.
    case low
    /// Smaller faces as well, with finer passes where they may find more.
    case high

    /// The smallest face that counts, as a fraction of the image's short side, unless the caller sets another fraction.
    ///
    /// With dlib's window of 80 pixels, the image is scaled to a short side of 480 or 2,000 pixels;
    /// `docs/contributing/framing-research.md` contains the measurements.
    package var smallestFace: Double {
        switch self {
        case .low: 1.0 / 6
        case .high: 0.04
        }
    }

    /// Whether it is likely that an image without any detection shows no face.
    ///
    /// With ``high``, 8 of 288 photographs with faces and 92 of 110 photographs without faces have no detection. With
    /// ``low``, 58 of the 288 have no detection, so an empty search is weak evidence.
    var missesFew: Bool { self == .high }

    /// Whether an image without upright faces is also searched rotated by 90, 180 and 270 degrees.
    ///
    /// With ``low``, rotations by 90 and 270 degrees found a face in four of 288 photographs. Two of these had been
    /// rotated on purpose, and the search of all photographs took 40 % more time.
    var searchesTurned: Bool { self == .high }
}
