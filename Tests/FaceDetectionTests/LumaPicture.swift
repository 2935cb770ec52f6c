import FaceDetection
import Framing
import HeadroomTesting

/// Luma pixels that own their memory, for passing to a detector.
struct LumaPicture: Sendable {
    var size: PixelSize
    var bytesPerRow: Int
    var bytes: [UInt8]

    init(width: Int, height: Int, bytesPerRow: Int? = nil, fill: UInt8 = 128) {
        size = PixelSize(width: width, height: height)
        self.bytesPerRow = bytesPerRow ?? width
        bytes = [UInt8](repeating: fill, count: self.bytesPerRow * height)
    }

    init(_ faces: [DrawnFace], width: Int, height: Int, background: UInt8 = 128) {
        size = PixelSize(width: width, height: height)
        bytesPerRow = width
        bytes = DrawnFace.luma(faces, size: size, background: background)
    }

    /// One face of the given side with as much room around it as it needs.
    init(faceOfSide side: Int, background: UInt8 = 128) {
        self.init(
            [DrawnFace(x: side / 2, y: side / 2, side: side)],
            width: 2 * side,
            height: 2 * side,
            background: background
        )
    }

    /// The same picture in rows of `count` bytes, with `junk` between the end of one row and the next.
    func withBytesPerRow(_ count: Int, junk: UInt8) -> LumaPicture {
        var other = LumaPicture(width: size.width, height: size.height, bytesPerRow: count, fill: junk)
        for y in 0..<size.height {
            for x in 0..<size.width { other.bytes[y * count + x] = bytes[y * bytesPerRow + x] }
        }
        return other
    }

    /// What `detector` finds in it.
    func detections(by detector: any FaceDetector, threshold: Double = 0) throws -> [Detection] {
        var detector = detector
        return try bytes.withUnsafeBufferPointer { buffer in
            guard let pixels = buffer.baseAddress else { throw DetectionError.invalidImage }
            return try detector.detect(
                in: LumaImage(pixels: pixels, size: size, bytesPerRow: bytesPerRow),
                threshold: threshold
            )
        }
    }
}

/// The overlap of two rectangles divided by their union.
func overlap(_ a: PixelRect, _ b: PixelRect) -> Double {
    let shared = Double(a.intersection(b).area)
    return shared / (Double(a.area) + Double(b.area) - shared)
}
