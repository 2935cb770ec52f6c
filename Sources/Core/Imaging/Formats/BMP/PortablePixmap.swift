package import Geometry

/// Files of the Netpbm formats PGM and PPM with binary samples, as converters write them.
///
/// They are rewritten as BMP files, which the workers can decode.
package enum PortablePixmap {
    /// The reason why a file cannot be rewritten.
    package enum Failure: Error, Hashable, Sendable {
        /// The header is not valid, or the samples end too early.
        case invalid
        case tooLarge(PixelSize, maxPixels: Int)
    }

    /// The maximum length of the header with its comments, in bytes.
    private static let maxHeaderBytes = 1024
    /// The length of the headers of a BMP file.
    private static let headerBytes = 54

    /// Whether a file starts like a PGM or PPM with binary samples.
    package static func matches(_ bytes: [UInt8]) -> Bool {
        bytes.count > 2 && bytes[0] == UInt8(ascii: "P") && [UInt8(ascii: "5"), UInt8(ascii: "6")].contains(bytes[1])
            && isBlank(bytes[2])
    }

    /// Returns the first image of a file as a BMP file with 8 bits per grey pixel or 24 bits per colour pixel.
    ///
    /// Only the upper eight bits of 16-bit samples are used.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - maxPixels: The maximum number of pixels.
    /// - Returns: A BMP file.
    /// - Throws: A ``Failure``.
    package static func bitmap(_ bytes: [UInt8], maxPixels: Int) throws(Failure) -> [UInt8] {
        guard let header = Header(bytes) else { throw .invalid }
        let size = header.size
        guard size.area <= maxPixels else { throw .tooLarge(size, maxPixels: maxPixels) }
        let step = header.channels * header.sampleBytes
        let sourceRow = size.width * step
        guard bytes.count - header.length >= sourceRow * size.height else { throw .invalid }
        var file = bitmapHeader(size, header.channels)
        let start = file.count
        let rowBytes = rowBytes(size, header.channels)
        file += [UInt8](repeating: 0, count: rowBytes * size.height)
        let table = header.samples
        // The order of BMP is blue, green, red.
        let channels = (0..<header.channels).reversed().map { $0 * header.sampleBytes }
        bytes.withUnsafeBufferPointer { source in
            file.withUnsafeMutableBufferPointer { target in
                for row in 0..<size.height {
                    var from = header.length + row * sourceRow
                    var to = start + row * rowBytes
                    for _ in 0..<size.width {
                        for channel in channels {
                            target[to] = table[Int(source[from + channel])]
                            to += 1
                        }
                        from += step
                    }
                }
            }
        }
        return file
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// The bytes of a row of a BMP file, a multiple of four.
    private static func rowBytes(_ size: PixelSize, _ channels: Int) -> Int { (size.width * channels + 3) / 4 * 4 }

    /// The headers of a BMP file whose first row is the top row; in a grey file, the palette follows them.
    private static func bitmapHeader(_ size: PixelSize, _ channels: Int) -> [UInt8] {
        func four(_ number: Int) -> [UInt8] { [UInt8](littleEndian: number, count: 4) }
        let palette = channels == 1 ? (0...255).flatMap { four($0 * 0x01_01_01) } : []
        let start = headerBytes + palette.count
        let file = Array("BM".utf8) + four(start + rowBytes(size, channels) * size.height) + four(0) + four(start)
        let planes: [UInt8] = [1, 0, UInt8(8 * channels), 0]
        return file + four(40) + four(size.width) + four(-size.height) + planes + [UInt8](repeating: 0, count: 24)
            + palette
    }

    private struct Header {
        let size: PixelSize
        let channels: Int
        /// The largest value of a sample.
        let maximum: Int
        /// The position of the first sample.
        let length: Int

        var sampleBytes: Int { maximum > 255 ? 2 : 1 }

        /// The 8-bit sample for each value of a sample's first byte.
        var samples: [UInt8] {
            let largest = maximum > 255 ? maximum >> 8 : maximum
            return (0...255).map { UInt8(min(255, ($0 * 255 + largest / 2) / largest)) }
        }

        init?(_ bytes: [UInt8]) {
            guard matches(bytes) else { return nil }
            channels = bytes[1] == UInt8(ascii: "6") ? 3 : 1
            let end = min(bytes.count, maxHeaderBytes)
            var place = 2
            /// Reads a number from 1 to 65535, after blanks and comments.
            func number() -> Int? {
                while place < end, isBlank(bytes[place]) || bytes[place] == UInt8(ascii: "#") {
                    if bytes[place] == UInt8(ascii: "#") {
                        while place < end, bytes[place] != 0x0A, bytes[place] != 0x0D { place += 1 }
                    } else {
                        place += 1
                    }
                }
                var value = 0
                while place < end, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[place]), value <= 65_535 {
                    value = value * 10 + Int(bytes[place] - UInt8(ascii: "0"))
                    place += 1
                }
                return (1...65_535).contains(value) ? value : nil
            }
            guard let width = number(), let height = number(), let maximum = number(),
                // One blank precedes the samples.
                place < end, isBlank(bytes[place])
            else { return nil }
            size = PixelSize(width: width, height: height)
            self.maximum = maximum
            length = place + 1
        }
    }
}
