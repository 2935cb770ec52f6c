package import Geometry

/// Builds GIF files from blocks, with uncompressed codes.
package struct GIFFile {
    /// Red, green and blue.
    package typealias RGB = (red: UInt8, green: UInt8, blue: UInt8)

    /// One frame.
    package struct Frame {
        package var rect: PixelRect
        /// The index of the transparent colour.
        package var transparent: UInt8?
        package var isInterlaced = false
        package var palette: [RGB]?
        /// The delay in hundredths of a second.
        package var delay = 10
        /// 0 and 1 keep the frame after its time, 2 clears it, 3 restores the previous pixels.
        package var disposal: UInt8 = 0
        /// The index of the pixel in column `x` and row `y` of the frame.
        package var index: (_ x: Int, _ y: Int) -> UInt8

        /// A frame that covers `rect`.
        package init(_ rect: PixelRect, transparent: UInt8? = nil, index: @escaping (_ x: Int, _ y: Int) -> UInt8) {
            self.rect = rect
            self.transparent = transparent
            self.index = index
        }
    }

    /// The size of the logical screen.
    package var size: PixelSize
    /// The global palette, for frames without a local one: a power of two colours, or none.
    package var palette: [RGB]
    package var frames: [Frame]
    /// The number of repetitions after the first pass, 0 for an endless loop; nil omits the extension.
    package var repeats: Int?

    /// A file with these frames.
    package init(_ size: PixelSize, palette: [RGB], frames: [Frame]) {
        self.size = size
        self.palette = palette
        self.frames = frames
    }

    /// The bytes of the file.
    package var bytes: [UInt8] {
        var result = Array("GIF89a".utf8) + Self.short(size.width) + Self.short(size.height)
        result += [palette.isEmpty ? 0 : 0x80 | Self.sizeBits(palette), 0, 0] + Self.bytes(palette)
        if let repeats { result += [0x21, 0xFF, 11] + "NETSCAPE2.0".utf8 + [3, 1] + Self.short(repeats) + [0] }
        for frame in frames { result += Self.bytes(frame) }
        return result + [0x3B]
    }

    private static func bytes(_ frame: Frame) -> [UInt8] {
        let flags: UInt8 = frame.disposal << 2 | (frame.transparent == nil ? 0 : 1)
        var result: [UInt8] = [0x21, 0xF9, 4, flags] + short(frame.delay) + [frame.transparent ?? 0, 0, 0x2C]
        result += short(frame.rect.x) + short(frame.rect.y) + short(frame.rect.width) + short(frame.rect.height)
        let interlaced: UInt8 = frame.isInterlaced ? 0x40 : 0
        result += [interlaced | (frame.palette.map { 0x80 | sizeBits($0) } ?? 0)] + bytes(frame.palette ?? [])
        var rows = Array(0..<frame.rect.height)
        if frame.isInterlaced {
            rows = [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap {
                Array(stride(from: $0.0, to: frame.rect.height, by: $0.1))
            }
        }
        return result + codes(rows.flatMap { y in (0..<frame.rect.width).map { frame.index($0, y) } })
    }

    /// The codes have 9 bits; the table is cleared before codes would need more bits.
    private static func codes(_ indices: [UInt8]) -> [UInt8] {
        let (clear, end) = (256, 257)
        var (bits, count, data) = (0, 0, [UInt8]())
        func put(_ code: Int) {
            bits |= code << count
            count += 9
            while count >= 8 {
                data.append(UInt8(bits & 0xFF))
                bits >>= 8
                count -= 8
            }
        }
        for (position, index) in indices.enumerated() {
            if position.isMultiple(of: 250) { put(clear) }
            put(Int(index))
        }
        put(end)
        if count > 0 { data.append(UInt8(bits)) }
        var result: [UInt8] = [8]
        for start in stride(from: 0, to: data.count, by: 255) {
            let block = data[start..<min(start + 255, data.count)]
            result += [UInt8(block.count)] + block
        }
        return result + [0]
    }

    private static func short(_ value: Int) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }

    private static func bytes(_ palette: [RGB]) -> [UInt8] { palette.flatMap { [$0.red, $0.green, $0.blue] } }

    private static func sizeBits(_ palette: [RGB]) -> UInt8 { UInt8(palette.count.trailingZeroBitCount - 1) }
}
