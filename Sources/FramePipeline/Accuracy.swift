package import Framing

/// How small a face may be and still count, which decides how much work detection is.
package enum Accuracy: String, Hashable, Sendable, CaseIterable {
    /// Larger faces only, and faster.
    case low
    /// Smaller faces as well.
    case high

    /// The smallest face that matters, as a share of the image's short side.
    package var smallestFace: Double {
        switch self {
        case .low: 80.0 / 480
        case .high: 80.0 / 1080
        }
    }
}

/// The size at which a detector looks at an image.
package struct WorkingSize: Hashable, Sendable {
    /// Enlarging more than this shows the detector nothing new and costs with the square.
    package static let mostEnlargement = 4.0

    /// The most pixels that a detector is given, which bounds its time and memory for very long images.
    package static let mostPixels = 6_000_000.0

    /// Width and height in pixels, at least 1 by 1.
    package let size: PixelSize

    /// The size at which the smallest face that matters is as large as the detector needs.
    package init(for image: PixelSize, accuracy: Accuracy, smallestDetectableSide: Int) {
        let shortSide = Double(smallestDetectableSide) / accuracy.smallestFace
        let area = Double(image.area)
        let scale = min(
            shortSide / Double(image.shortSide),
            Self.mostEnlargement,
            (Self.mostPixels / area).squareRoot()
        )
        size = PixelSize(
            width: max(1, Int((Double(image.width) * scale).rounded())),
            height: max(1, Int((Double(image.height) * scale).rounded()))
        )
    }
}
