import FaceDetection
package import Framing
package import Geometry
import Glibc

/// The crop of a tilted face: a rectangle that is rotated about its centre and may extend beyond the source.
package struct RotatedCrop: Hashable, Codable, Sendable {
    /// The centre, in pixels of the upright source.
    package var centre: PixelPoint
    /// The sides before the rotation, in pixels of the source.
    package var width: Double
    package var height: Double
    /// The rotation in degrees clockwise.
    package var roll: Double
    /// Whether the crop is not rotated because the landmarks of the face are uncertain.
    package var isDoubtful = false

    /// The maximum length of a side, as a multiple of the source's longer side.
    static let maxSides = 16.0

    /// The size of the result without scaling, in pixels.
    package var size: PixelSize {
        PixelSize(width: max(1, Int(width.rounded())), height: max(1, Int(height.rounded())))
    }

    /// Returns the part of an image of `size` that the crop shows; at least one pixel.
    package func visible(in size: PixelSize) -> PixelRect {
        let (cosine, sine) = (abs(cos(roll * .pi / 180)), abs(sin(roll * .pi / 180)))
        let across = (width * cosine + height * sine) / 2 + 2
        let down = (width * sine + height * cosine) / 2 + 2
        func bounded(_ value: Double, _ maximum: Int) -> Int { Int(min(max(value, 0), Double(maximum))) }
        let left = min(bounded((centre.x - across).rounded(.down), size.width), size.width - 1)
        let top = min(bounded((centre.y - down).rounded(.down), size.height), size.height - 1)
        return PixelRect(
            x: left,
            y: top,
            width: max(1, bounded((centre.x + across).rounded(.up), size.width) - left),
            height: max(1, bounded((centre.y + down).rounded(.up), size.height) - top)
        )
    }
}

extension RotatedCrop {
    /// Creates the crop of a face.
    ///
    /// - Parameters:
    ///   - face: The face, in pixels of the upright source.
    ///   - turn: The rotation of the face.
    ///   - aspect: The aspect ratio; nil for the aspect ratio of the padded head, or for a square with
    ///     ``FaceTurn/eyes(height:distance:)``.
    ///   - padding: The padding around the head; not used with ``FaceTurn/eyes(height:distance:)``.
    ///   - size: The size of the source.
    package init(_ face: Face, _ turn: FaceTurn, aspect: AspectRatio?, padding: Padding, in size: PixelSize) {
        switch turn {
        case .upright: self = Self.upright(face, aspect: aspect, padding: padding)
        case .eyes(let height, let apart): self = Self.eyes(face, at: height, apart: apart, aspect: aspect)
        }
        isDoubtful = face.landmarks != nil && face.sureLandmarks == nil
        let maximum = Self.maxSides * Double(size.longSide)
        let scale = min(1, maximum / max(width, height))
        (width, height) = (max(1, width * scale), max(1, height * scale))
    }

    private static func upright(_ face: Face, aspect: AspectRatio?, padding: Padding) -> RotatedCrop {
        // Landmarks of low confidence give no reliable roll.
        let roll = face.sureLandmarks?.roll ?? 0
        let quarters = (roll / 90).rounded()
        // If a face lies on its side, the width and height of its head rectangle are swapped.
        let lies = Int(quarters) % 2 != 0
        let head = face.head
        let (across, down) = lies ? (head.height, head.width) : (head.width, head.height)
        let room = Double(padding.pixels(headHeight: down))
        let (width, height) = (Double(across) + 2 * room, Double(down) + 2 * room)
        let shape = aspect.map(\.value) ?? width / height
        let (middle, place) = (face.box.centre, head.centre)
        let fromBox = PixelPoint(x: place.x - middle.x, y: place.y - middle.y)
        return RotatedCrop(
            centre: middle.moved(by: fromBox, turned: roll - quarters * 90),
            width: max(width, height * shape),
            height: max(height, width / shape),
            roll: roll
        )
    }

    /// Returns the crop with the eyes at the height `share`, a fraction of its height.
    ///
    /// The distance between the eyes is `apart`, a fraction of its shorter side.
    private static func eyes(_ face: Face, at share: Double, apart: Double, aspect: AspectRatio?) -> RotatedCrop {
        let side = Double(face.box.size.longSide)
        // Without certain landmarks, the eyes have the same position as in a frontal face. The network's box is the
        // whole face, so its values differ; all values are medians of 690 faces.
        let (down, across) = face.finder == .network ? (0.4, 0.33) : (0.28, 0.4)
        let landmarks = face.sureLandmarks
        let (middle, line) = (face.box.centre.x, Double(face.box.y) + down * side)
        let left = landmarks?.leftEye ?? PixelPoint(x: middle - across / 2 * side, y: line)
        let right = landmarks?.rightEye ?? PixelPoint(x: middle + across / 2 * side, y: line)
        let roll = landmarks?.roll ?? 0
        let distance = max(hypot(right.x - left.x, right.y - left.y), 0.1 * side, 1)
        let short = distance / apart
        let shape = aspect.map(\.value) ?? 1
        let (width, height) = (short * max(1, shape), short * max(1, 1 / shape))
        return RotatedCrop(
            centre: left.middle(to: right).moved(by: PixelPoint(x: 0, y: (0.5 - share) * height), turned: roll),
            width: width,
            height: height,
            roll: roll
        )
    }
}
