import FaceDetection
import Framing
import Geometry
import Imaging

extension Face {
    /// Converts the face of an image rotated by 90° steps to the image before the rotation, whose size is `size`.
    func turnedBack(_ turn: Orientation, to size: PixelSize) -> Face {
        guard turn != .up else { return self }
        func back(_ rect: PixelRect) -> PixelRect {
            let inverse: Orientation = turn == .right ? .left : turn == .left ? .right : turn
            return inverse.upright(rect, in: turn.upright(size))
        }
        func back(_ point: PixelPoint) -> PixelPoint {
            let (width, height) = (Double(size.width), Double(size.height))
            return switch turn {
            case .right: PixelPoint(x: point.y, y: height - point.x)
            case .down: PixelPoint(x: width - point.x, y: height - point.y)
            case .left: PixelPoint(x: width - point.y, y: point.x)
            default: point
            }
        }
        var face = self
        face.consensus = nil
        face.box = back(box)
        face.landmarks = landmarks?.mapped(back)
        face.roughLandmarks = roughLandmarks?.mapped(back)
        face.subject.face = back(subject.face)
        face.subject.head = back(subject.head)
        return face
    }
}
