import FaceDetection
import Geometry

/// Red, green and blue planes with a pattern that is the same on every machine: ramps, a checkerboard and discs.
struct DrawnPlanes {
    let size: PixelSize
    private let planes: [[UInt8]]

    init(_ width: Int, _ height: Int) {
        size = PixelSize(width: width, height: height)
        planes = (0..<3).map { channel in
            (0..<width * height).map { place in
                let (x, y) = (place % width, place / width)
                let ramp = (x * (channel + 1) + y * (3 - channel)) % 256
                let isDark = (x / 16 + y / 16) % 2 == 0
                let (across, down) = (x % 96 - 48, y % 96 - 48)
                if across * across + down * down < 900 { return UInt8(200 - 40 * channel) }
                return UInt8(isDark ? ramp / 2 : ramp)
            }
        }
    }

    /// Calls `body` with the planes, which are valid only during the call.
    func withImages<Value>(_ body: (LumaImage, LumaImage, LumaImage) throws -> Value) rethrows -> Value {
        try planes[0].withUnsafeBufferPointer { red in
            try planes[1].withUnsafeBufferPointer { green in
                try planes[2].withUnsafeBufferPointer { blue in
                    try body(image(red), image(green), image(blue))
                }
            }
        }
    }

    private func image(_ samples: UnsafeBufferPointer<UInt8>) -> LumaImage {
        guard let pixels = samples.baseAddress else { preconditionFailure("a plane has samples") }
        return LumaImage(pixels: pixels, size: size, bytesPerRow: size.width)
    }
}
