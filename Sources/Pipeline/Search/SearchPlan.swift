import FaceDetection
import Framing
package import Geometry
import Imaging

/// The sizes of an image for the detector's passes, in ascending order of cost.
///
/// Detection time grows with the area, and most pictures show people large. The first pass is therefore coarse; a finer
/// pass runs only if no face was found, or a face near the size limit of the pass, where others may have been missed.
package struct SearchPlan: Hashable, Sendable {
    /// The smallest faces of the passes before the requested one, as shares of the image's short side.
    ///
    /// With dlib's window of 80 pixels, the image is scaled to a short side of 720 or 1,333 pixels.
    private static let coarserLooks = [1.0 / 9, 0.06]

    /// A coarser pass is omitted unless the finest pass is larger by this factor on each side.
    private static let leastGain = 1.25

    /// The next pass runs if a face is smaller than this multiple of the smallest detectable face.
    static let nearLimit = 1.2

    /// The largest enlargement: more adds no information and costs time with its square.
    package static let mostEnlargement = 4.0

    /// The largest input of the detector in pixels; bounds time and memory for very long images.
    package static let mostPixels = 8_000_000.0

    /// The longest side of the detector's input in pixels, a limit of dlib's detector.
    package static let mostSide = 32_768.0

    /// One detection pass.
    package struct Look: Hashable, Sendable {
        /// The size of the detector's input, in pixels.
        package let workingSize: PixelSize
        /// The side of the smallest detectable face, in pixels of the source.
        package let smallestFace: Double
    }

    /// The passes, at least one, each finer than the previous one.
    package let looks: [Look]

    /// Plans the passes for an image.
    ///
    /// - Parameters:
    ///   - image: The size of the upright image.
    ///   - smallestFace: The smallest face that counts, as a share of the image's short side; greater than 0.
    ///   - smallestDetectableSide: The side of the smallest face that the detector finds, in pixels of its input.
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
        // Scales are compared after clamping: if the finest is clamped, a coarser pass may save no time.
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

    /// The size of the last and most expensive pass, in pixels.
    package var finestSize: PixelSize { looks[looks.count - 1].workingSize }
}

extension DecodeScale {
    /// The smallest scale at which `region` of the source has at least `size` pixels.
    ///
    /// - Parameters:
    ///   - header: The header of the source.
    ///   - size: The required size, in pixels.
    ///   - region: The size of the region, in pixels of the source at full scale.
    /// - Returns: One of the fast scales of a JPEG; full scale for other formats.
    static func smallest(of header: ImageHeader, atLeast size: PixelSize, from region: PixelSize) -> DecodeScale {
        guard header.format == .jpeg else { return .full }
        let across = Double(size.width) / Double(region.width)
        let down = Double(size.height) / Double(region.height)
        return fast(atLeast: max(across, down))
    }
}

/// The turn of an image before a detection pass.
enum QuarterTurn {
    case none
    case clockwise
    case half
    case anticlockwise

    /// The turn in degrees clockwise.
    var degrees: Int {
        switch self {
        case .none: 0
        case .clockwise: 90
        case .half: 180
        case .anticlockwise: 270
        }
    }

    /// The size of the turned image.
    func turned(_ size: PixelSize) -> PixelSize {
        switch self {
        case .none, .half: size
        case .clockwise, .anticlockwise: PixelSize(width: size.height, height: size.width)
        }
    }

    /// Converts a rectangle of the turned image to the image before the turn, whose size is `size`.
    func turnedBack(_ rect: PixelRect, to size: PixelSize) -> PixelRect {
        switch self {
        case .none:
            rect
        case .clockwise:
            PixelRect(x: rect.y, y: size.height - rect.maxX, width: rect.height, height: rect.width)
        case .half:
            PixelRect(x: size.width - rect.maxX, y: size.height - rect.maxY, width: rect.width, height: rect.height)
        case .anticlockwise:
            PixelRect(x: size.width - rect.maxY, y: rect.x, width: rect.height, height: rect.width)
        }
    }

    /// Converts a position in the turned image to the image before the turn, whose size is `size`.
    func turnedBack(_ point: PixelPoint, to size: PixelSize) -> PixelPoint {
        let (width, height) = (Double(size.width), Double(size.height))
        return switch self {
        case .none: point
        case .clockwise: PixelPoint(x: point.y, y: height - point.x)
        case .half: PixelPoint(x: width - point.x, y: height - point.y)
        case .anticlockwise: PixelPoint(x: width - point.y, y: point.x)
        }
    }
}

extension Plane {
    /// The turned plane.
    func turned(_ turn: QuarterTurn) throws(CodecError) -> Plane {
        switch turn {
        case .none: self
        case .clockwise: try oriented(.right)
        case .half: try oriented(.down)
        case .anticlockwise: try oriented(.left)
        }
    }
}

extension Face {
    /// Converts the face of a turned image to the image before the turn, whose size is `size`.
    func turnedBack(_ turn: QuarterTurn, to size: PixelSize) -> Face {
        guard turn != .none else { return self }
        var face = self
        face.consensus = nil
        face.box = turn.turnedBack(box, to: size)
        face.landmarks = landmarks?.mapped { turn.turnedBack($0, to: size) }
        face.subject.face = turn.turnedBack(subject.face, to: size)
        face.subject.head = turn.turnedBack(subject.head, to: size)
        return face
    }
}
