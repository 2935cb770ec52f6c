package import Geometry

/// The sizes at which a detector looks at an image, the cheapest first.
///
/// Detection time grows with the area, and most pictures show their people large. So a first look is quick, and a finer
/// one follows only while nobody was found, or while somebody found is so small that others may have been missed.
package struct SearchPlan: Hashable, Sendable {
    /// The smallest faces of the looks that come before the asked one, as shares of the image's short side.
    ///
    /// For dlib's window of 80 pixels these are short sides of 720 and 1,333 pixels.
    static let coarserLooks = [1.0 / 9, 0.06]

    /// A coarser look is left out when it would save less than this, as a ratio of lengths.
    static let leastGain = 1.25

    /// A face this little above the smallest that a look can see makes the next look worth its time.
    static let nearLimit = 1.2

    /// Enlarging more than this shows the detector nothing new and costs with the square.
    package static let mostEnlargement = 4.0

    /// The most pixels that a detector is given, which bounds its time and memory for very long images.
    package static let mostPixels = 8_000_000.0

    /// The longest side that a detector is given, in pixels, which is the most that dlib's detector takes.
    package static let mostSide = 32_768.0

    /// One look.
    package struct Look: Hashable, Sendable {
        /// The size of the image as the detector gets it.
        package let workingSize: PixelSize
        /// The smallest face that it can see, in pixels of the source.
        package let smallestFace: Double
    }

    /// At least one, each finer than the one before.
    package let looks: [Look]

    /// The looks at an image.
    ///
    /// - Parameters:
    ///   - image: The upright image's size.
    ///   - smallestFace: The smallest face that matters, as a share of the image's short side, more than 0.
    ///   - smallestDetectableSide: What the detector can see at most, in pixels of what it is given.
    package init(for image: PixelSize, smallestFace: Double, smallestDetectableSide: Int) {
        let shortSide = Double(image.shortSide)
        let mostScale = min(
            Self.mostEnlargement,
            (Self.mostPixels / Double(image.area)).squareRoot(),
            Self.mostSide / Double(image.longSide)
        )
        let scales = (Self.coarserLooks + [smallestFace]).map { share in
            min(Double(smallestDetectableSide) / (share * shortSide), mostScale)
        }
        let finest = scales[scales.count - 1]
        // Compared as bounded: below an enlargement that is cut short, a coarser look may save nothing.
        let coarser = scales.dropLast().filter { $0 * Self.leastGain < finest }
        looks = (coarser + [finest]).map { scale in
            Look(
                workingSize: PixelSize(
                    width: max(1, Int((Double(image.width) * scale).rounded())),
                    height: max(1, Int((Double(image.height) * scale).rounded()))
                ),
                smallestFace: Double(smallestDetectableSide) / scale
            )
        }
    }

    /// The size of the last, most expensive look.
    package var finestSize: PixelSize { looks[looks.count - 1].workingSize }
}
