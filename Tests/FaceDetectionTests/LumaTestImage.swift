import FaceDetection
import Geometry
import Imaging

/// Luma pixels with their own memory, for a detector.
struct LumaTestImage: Sendable {
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

    /// Noise with structures from one pixel to a quarter of the image, reproducible with its seed.
    init(noiseOfWidth width: Int, height: Int, seed: UInt64) {
        self.init(width: width, height: height)
        var random = Generator(state: seed)
        for y in 0..<height {
            for x in 0..<width {
                bytes[y * width + x] = UInt8.random(in: 100...155, using: &random)
            }
        }
        for _ in 0..<60 {
            let (w, h) = (
                Int.random(in: 1...(width / 4 + 1), using: &random),
                Int.random(in: 1...(height / 4 + 1), using: &random)
            )
            let (left, top) = (Int.random(in: 0..<width, using: &random), Int.random(in: 0..<height, using: &random))
            let tone = Int.random(in: 0...255, using: &random)
            for y in top..<min(top + h, height) {
                for x in left..<min(left + w, width) {
                    bytes[y * width + x] = UInt8((Int(bytes[y * width + x]) + 3 * tone) / 4)
                }
            }
        }
    }

    /// One face of the given side, with the margin that a detector requires.
    init(faceOfSide side: Int, background: UInt8 = 128) {
        self.init(
            [DrawnFace(x: side / 2, y: side / 2, side: side)],
            width: 2 * side,
            height: 2 * side,
            background: background
        )
    }

    /// The same image with rows of `count` bytes, and `junk` between the end of one row and the next.
    func withBytesPerRow(_ count: Int, junk: UInt8) -> LumaTestImage {
        var other = LumaTestImage(width: size.width, height: size.height, bytesPerRow: count, fill: junk)
        for y in 0..<size.height {
            for x in 0..<size.width { other.bytes[y * count + x] = bytes[y * bytesPerRow + x] }
        }
        return other
    }

    /// The detections of `detector`.
    func detections(by detector: any FaceDetector, threshold: Double = 0) throws -> [Detection] {
        var detector = detector
        return try withLuma { try detector.detect(in: $0, threshold: threshold) }
    }

    /// The result of `body` for a view of the image.
    func withLuma<Result>(_ body: (LumaImage) throws -> Result) throws -> Result {
        try bytes.withUnsafeBufferPointer { buffer in
            guard let pixels = buffer.baseAddress else { throw DetectionError.invalidImage }
            return try body(LumaImage(pixels: pixels, size: size, bytesPerRow: bytesPerRow))
        }
    }
}

/// Intersection over union.
func overlap(_ a: PixelRect, _ b: PixelRect) -> Double {
    let shared = Double(a.intersection(b).area)
    return shared / (Double(a.area) + Double(b.area) - shared)
}

/// Reproducible random numbers (SplitMix64).
struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
