import FaceDetection
import Framing
package import Geometry
import Imaging

/// The sizes of an image for the detector's passes, in ascending order of cost.
///
/// Detection time grows with the area, and people are large in most images. The first pass is therefore coarse. A finer
/// pass runs only if the coarse pass may have missed faces: it found none, or a face near its size limit.
package struct SearchPlan: Hashable, Sendable {
    /// The smallest faces of the coarser passes, as fractions of the image's short side.
    ///
    /// With dlib's window of 80 pixels, the image is scaled to a short side of 720 or 1,333 pixels.
    private static let coarserPasses = [1.0 / 9, 0.06]

    /// The minimum factor on each side between a coarser pass and the finest pass; otherwise the coarser pass is
    /// omitted.
    private static let minGain = 1.25

    /// The next pass runs if a face is smaller than this multiple of the smallest detectable face.
    static let nearLimit = 1.2

    /// The maximum enlargement.
    ///
    /// A larger factor adds no information, and the time grows with its square.
    package static let maxEnlargement = 4.0

    /// The maximum input of the detector, in pixels; it bounds time and memory for very long images.
    package static let maxPixels = 8_000_000.0

    /// The maximum side of the detector's input, in pixels; a limit of dlib's detector.
    package static let maxSide = 32_768.0

    /// One detection pass.
    package struct Pass: Hashable, Sendable {
        /// The size of the detector's input, in pixels.
        package let workingSize: PixelSize
        /// The side of the smallest detectable face, in pixels of the source.
        package let smallestFace: Double
    }

    /// The passes, at least one, each finer than the previous pass.
    package let passes: [Pass]

    /// Plans the passes for an image.
    ///
    /// - Parameters:
    ///   - image: The size of the upright image.
    ///   - smallestFace: The smallest face that counts, as a fraction of the image's short side; greater than 0.
    ///   - smallestDetectableSide: The side of the smallest face that the detector finds, in pixels of its input.
    package init(for image: PixelSize, smallestFace: Double, smallestDetectableSide: Int) {
        let shortSide = Double(image.shortSide)
        let maxScale = min(
            Self.maxEnlargement,
            (Self.maxPixels / Double(image.area)).squareRoot(),
            Self.maxSide / Double(image.longSide)
        )
        let scales = (Self.coarserPasses + [smallestFace]).map { share in
            min(Double(smallestDetectableSide) / (share * shortSide), maxScale)
        }
        let finest = scales[scales.count - 1]
        // Scales are compared after clamping: if the finest scale is clamped, a coarser pass may save no time.
        let coarser = scales.dropLast().filter { $0 * Self.minGain < finest }
        passes = (coarser + [finest]).map { scale in
            Pass(workingSize: image.scaled(by: scale), smallestFace: Double(smallestDetectableSide) / scale)
        }
    }

    /// The size of the last and most expensive pass, in pixels.
    package var finestSize: PixelSize { passes[passes.count - 1].workingSize }
}
