import FaceDetection
import Framing
import Geometry
import Imaging

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
