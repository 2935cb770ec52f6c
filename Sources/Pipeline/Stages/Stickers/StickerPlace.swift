import FaceDetection
import Framing
import Geometry
import Glibc
import Imaging

extension Sticker {
    /// Where a sticker is drawn for a face, in pixels of the upright source.
    ///
    /// - Parameters:
    ///   - face: The face.
    ///   - size: The size of the sticker's pictures, for its shape.
    /// - Returns: The place, which may lie outside of the source.
    func place(on face: Face, picture size: PixelSize) -> OverlayPlace {
        let points = StickerPoints(face)
        let length = max(1, width * (unit == .face ? points.faceWidth : points.eyeDistance))
        let height = length * Double(size.height) / Double(size.width)
        let scale = length / width
        var (anchor, across, down) = (points.eyes, x * scale, y * scale)
        switch self.anchor {
        case .eyes: break
        case .mouth: anchor = points.mouth
        case .face: (anchor, down) = (points.face, down - (stands ? points.faceHeight / 2 + height / 2 : 0))
        case .head: (anchor, down) = (points.head, down - (stands ? points.headHeight / 2 + height / 2 : 0))
        }
        // An offset of NaN or infinity is not accepted from anywhere.
        across = across.isFinite ? across : 0
        return OverlayPlace(
            centre: anchor.moved(by: PixelPoint(x: across, y: down), turned: points.roll),
            width: length,
            height: height,
            roll: points.roll
        )
    }
}

/// The places of a face that stickers are anchored to, in pixels of the upright source.
private struct StickerPoints {
    let eyes: PixelPoint
    let mouth: PixelPoint
    let face: PixelPoint
    let head: PixelPoint
    let faceWidth: Double
    let faceHeight: Double
    let headHeight: Double
    let eyeDistance: Double
    let roll: Double

    init(_ face: Face) {
        // Points that are a guess say nothing about the roll.
        let known = face.sureLandmarks
        roll = known?.roll ?? 0
        let side = Double(face.box.size.longSide)
        let middle = Self.middle(face.box)
        let quarters = (roll / 90).rounded()
        let lies = Int(quarters) % 2 != 0
        let (faceRect, headRect) = (face.subject.face, face.subject.head)
        (faceWidth, faceHeight) =
            lies
            ? (Double(faceRect.height), Double(faceRect.width)) : (Double(faceRect.width), Double(faceRect.height))
        headHeight = Double(lies ? headRect.width : headRect.height)
        func turned(_ rect: PixelRect) -> PixelPoint {
            let place = Self.middle(rect)
            let distance = PixelPoint(x: place.x - middle.x, y: place.y - middle.y)
            return middle.moved(by: distance, turned: remainder(known?.roll ?? 0, 90))
        }
        self.face = turned(faceRect)
        head = turned(headRect)
        if let known {
            eyes = Self.between(known.leftEye, known.rightEye)
            mouth = Self.between(known.mouthLeft, known.mouthRight)
            eyeDistance = max(hypot(known.rightEye.x - known.leftEye.x, known.rightEye.y - known.leftEye.y), side / 10)
        } else {
            // Those of a frontal face.
            eyes = PixelPoint(x: middle.x, y: middle.y - 0.22 * side)
            mouth = PixelPoint(x: middle.x, y: middle.y + 0.27 * side)
            eyeDistance = 0.4 * side
        }
    }

    private static func middle(_ rect: PixelRect) -> PixelPoint {
        PixelPoint(x: Double(rect.x) + Double(rect.width) / 2, y: Double(rect.y) + Double(rect.height) / 2)
    }

    private static func between(_ one: PixelPoint, _ other: PixelPoint) -> PixelPoint {
        PixelPoint(x: (one.x + other.x) / 2, y: (one.y + other.y) / 2)
    }
}
