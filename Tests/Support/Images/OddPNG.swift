package import Geometry

/// Writes uncompressed PNG files of every kind, including Adam7 and packed samples.
package struct OddPNG: Sendable {
    /// The colour types of PNG, third edition, 11.2.1.
    package enum ColorType: Int, Sendable, CaseIterable {
        case gray = 0
        case rgb = 2
        case palette = 3
        case grayAlpha = 4
        case rgba = 6

        /// The number of samples per pixel.
        package var channels: Int { [1, 0, 3, 1, 2, 0, 4][rawValue] }

        /// The permitted bit depths.
        package var depths: [Int] {
            switch self {
            case .gray: [1, 2, 4, 8, 16]
            case .palette: [1, 2, 4, 8]
            case .rgb, .grayAlpha, .rgba: [8, 16]
            }
        }
    }

    /// The colour type.
    package var colorType: ColorType
    /// The bit depth.
    package var depth: Int
    /// Whether the image is written in the seven passes of Adam7.
    package var isInterlaced: Bool
    /// Chunks between header and image data: type and content.
    package var chunks: [(type: String, data: [UInt8])]
    /// The filters of the rows, repeated from the first row (PNG, third edition, 9.2), for 8 bits per sample.
    package var filters: [UInt8] = [0]
    /// The maximum length of the data of an IDAT chunk, in bytes.
    package var maxBytesOfChunk = Int.max

    /// A kind of file.
    package init(
        _ colorType: ColorType,
        depth: Int = 8,
        isInterlaced: Bool = false,
        chunks: [(type: String, data: [UInt8])] = []
    ) {
        self.colorType = colorType
        self.depth = depth
        self.isInterlaced = isInterlaced
        self.chunks = chunks
    }

    /// The file; `sample(x, y, channel)` returns numbers of `depth` bits.
    package func encode(_ size: PixelSize, sample: (_ x: Int, _ y: Int, _ channel: Int) -> Int) -> [UInt8] {
        var rows: [UInt8] = []
        for pass in passes {
            let columns = Array(stride(from: pass.x, to: size.width, by: pass.stepX))
            guard !columns.isEmpty else { continue }
            var above: [UInt8] = []
            for (index, y) in stride(from: pass.y, to: size.height, by: pass.stepY).enumerated() {
                let row = packed(columns.flatMap { x in (0..<colorType.channels).map { sample(x, y, $0) } })
                let filter = filters[index % filters.count]
                rows.append(filter)
                rows += filtered(row, below: above, filter)
                above = row
            }
        }
        let kind = [UInt8(depth), UInt8(colorType.rawValue), 0, 0, isInterlaced ? 1 : 0]
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        file += OddPNG.chunk("IHDR", OddPNG.long(size.width) + OddPNG.long(size.height) + kind)
        for chunk in chunks {
            file += OddPNG.chunk(chunk.type, chunk.data)
        }
        let stream = OddPNG.zlib(rows)
        for start in stride(from: 0, to: stream.count, by: min(maxBytesOfChunk, stream.count)) {
            file += OddPNG.chunk("IDAT", Array(stream[start...].prefix(maxBytesOfChunk)))
        }
        return file + OddPNG.chunk("IEND", [])
    }

    /// The differences between a row and the filter's prediction; `above` is empty for the first row.
    private func filtered(_ row: [UInt8], below above: [UInt8], _ filter: UInt8) -> [UInt8] {
        let step = max(1, colorType.channels * depth / 8)
        return row.indices.map { index in
            let left = index < step ? 0 : Int(row[index - step])
            let up = above.isEmpty ? 0 : Int(above[index])
            let corner = index < step || above.isEmpty ? 0 : Int(above[index - step])
            let gradient = left + up - corner
            let guess =
                switch filter {
                case 0: 0
                case 1: left
                case 2: up
                case 3: (left + up) / 2
                default: [left, up, corner].min { abs($0 - gradient) < abs($1 - gradient) } ?? 0
                }
            return row[index] &- UInt8(guess)
        }
    }

    private var passes: [(x: Int, y: Int, stepX: Int, stepY: Int)] {
        guard isInterlaced else { return [(0, 0, 1, 1)] }
        return [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
    }

    private func packed(_ samples: [Int]) -> [UInt8] {
        if depth == 16 { return samples.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] } }
        let perByte = 8 / depth
        return stride(from: 0, to: samples.count, by: perByte).map { start in
            (0..<perByte).reduce(0) { byte, index in
                byte << depth | (start + index < samples.count ? UInt8(samples[start + index]) : 0)
            }
        }
    }

    /// A chunk: length, type, content and checksum.
    package static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let checked = Array(type.utf8) + data
        return long(data.count) + checked + long(Int(crc(checked)))
    }

    private static func long(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    /// A zlib stream of stored blocks (RFC 1950, RFC 1951 3.2.4).
    package static func zlib(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var (low, high) = (1, 0)
        for byte in bytes {
            low = (low + Int(byte)) % 65521
            high = (high + low) % 65521
        }
        for start in stride(from: 0, to: max(bytes.count, 1), by: 65535) {
            let block = bytes[start..<min(start + 65535, bytes.count)]
            let length = UInt16(block.count)
            let isLast: UInt8 = start + 65535 >= bytes.count ? 1 : 0
            stream += [isLast, UInt8(length & 0xFF), UInt8(length >> 8), UInt8(~length & 0xFF), UInt8(~length >> 8)]
            stream += block
        }
        return stream + long(high << 16 | low)
    }

    /// The content of an iCCP chunk.
    package static func profileChunk(_ profile: [UInt8]) -> [UInt8] { [0x61, 0, 0] + zlib(profile) }

    /// Four-byte numbers, as in gAMA and cHRM.
    package static func numbers(_ values: [Int]) -> [UInt8] { values.flatMap(long) }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 {
                sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1
            }
        }
        return ~sum
    }
}
