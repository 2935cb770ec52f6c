package import Geometry

/// Builds animated PNG files from chunks, without compression.
package struct APNGFile {
    /// One frame.
    package struct Frame {
        package var rect: PixelRect
        /// The delay as a fraction of a second.
        package var delay: (numerator: Int, denominator: Int) = (1, 10)
        /// 0 keeps the frame after its time, 1 clears it, 2 restores the previous pixels.
        package var disposal: UInt8 = 0
        /// 0 replaces, 1 blends.
        package var blending: UInt8 = 0
        /// Red, green, blue and alpha of the pixel in column `x` and row `y` of the frame.
        package var pixel: (_ x: Int, _ y: Int) -> WebPFile.RGBA

        /// A frame that covers `rect`.
        package init(_ rect: PixelRect, pixel: @escaping (_ x: Int, _ y: Int) -> WebPFile.RGBA) {
            self.rect = rect
            self.pixel = pixel
        }
    }

    package var size: PixelSize
    package var frames: [Frame]
    package var plays = 0
    /// The still image for players without animation; it is not a frame.
    package var hidden: ((_ x: Int, _ y: Int) -> WebPFile.RGBA)?

    /// A file with these frames; the first frame covers the canvas.
    package init(_ size: PixelSize, frames: [Frame]) {
        self.size = size
        self.frames = frames
    }

    /// The bytes of the file.
    package var bytes: [UInt8] {
        let still = OddPNG(.rgba).encode(size) { x, y, channel in
            Self.sample((hidden ?? frames[0].pixel)(x, y), channel)
        }
        let control = Self.long(frames.count) + Self.long(plays)
        // The signature and the header take 33 bytes, and the end chunk 12.
        var result = Array(still[..<33]) + OddPNG.chunk("acTL", control)
        let data = Array(still[33..<still.count - 12])
        var sequence = 0
        func number() -> [UInt8] {
            defer { sequence += 1 }
            return Self.long(sequence)
        }
        if hidden != nil { result += data }
        for (index, frame) in frames.enumerated() {
            result += OddPNG.chunk("fcTL", number() + Self.control(frame))
            if index == 0, hidden == nil {
                result += data
            } else {
                let file = OddPNG(.rgba).encode(frame.rect.size) { x, y, channel in
                    Self.sample(frame.pixel(x, y), channel)
                }
                // Removes the framing of the IDAT chunk: its length, type and checksum.
                result += OddPNG.chunk("fdAT", number() + file[41..<file.count - 16])
            }
        }
        return result + OddPNG.chunk("IEND", [])
    }

    private static func control(_ frame: Frame) -> [UInt8] {
        let rect = frame.rect
        let delay = [frame.delay.numerator, frame.delay.denominator].flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        return long(rect.width) + long(rect.height) + long(rect.x) + long(rect.y) + delay
            + [frame.disposal, frame.blending]
    }

    private static func sample(_ pixel: WebPFile.RGBA, _ channel: Int) -> Int {
        Int([pixel.red, pixel.green, pixel.blue, pixel.alpha][channel])
    }

    private static func long(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
