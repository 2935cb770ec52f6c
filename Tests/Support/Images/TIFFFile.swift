package import Geometry
import Imaging

/// Writes TIFF files without compression, or with PackBits.
package struct TIFFFile: Sendable {
    private static let size = PixelSize(width: 21, height: 18)

    /// Whether the most significant byte of a number comes first.
    package var isBigEndian = false
    /// Whether offsets have 64 bits.
    package var isBig = false
    /// The code of the tag PhotometricInterpretation: 0 and 1 grey, 2 RGB, 3 palette, 5 CMYK, 8 and 9 L\*a\*b\*.
    package var photometric = 2
    package var depth = 8
    package var samples = 3
    /// The code of ExtraSamples: 1 premultiplied, 2 straight; nil without alpha.
    package var extra: Int?
    package var orientation = 1
    package var isPlanar = false
    package var rowsPerStrip = 5
    /// The side of tiles; nil for strips.
    package var tile: Int?
    package var packsBits = false
    /// 256 red values, then green, then blue, of 16 bits each.
    package var palette: [Int] = []
    package var profile: [UInt8] = []

    package init() {}

    private func number(_ value: Int, _ count: Int) -> [UInt8] {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return isBigEndian ? bytes.reversed() : bytes
    }

    /// The file; `sample(x, y, channel)` returns numbers of `depth` bits.
    package func encode(_ size: PixelSize, sample: (_ x: Int, _ y: Int, _ channel: Int) -> Int) -> [UInt8] {
        var blocks: [[UInt8]] = []
        let (across, down) = (tile ?? size.width, tile ?? rowsPerStrip)
        for group in isPlanar ? (0..<samples).map({ [$0] }) : [Array(0..<samples)] {
            for top in stride(from: 0, to: size.height, by: down) {
                for left in stride(from: 0, to: size.width, by: across) {
                    let end = tile == nil ? min(top + down, size.height) : top + down
                    let rows = (top..<end).map { y in
                        row(left..<left + across, group) { x, channel in
                            x < size.width && y < size.height ? sample(x, y, channel) : 0
                        }
                    }
                    blocks.append(packsBits ? rows.flatMap(literal) : rows.flatMap { $0 })
                }
            }
        }
        return file(size, blocks, across: across, down: down)
    }

    private func row(_ columns: Range<Int>, _ channels: [Int], _ sample: (_ x: Int, _ channel: Int) -> Int) -> [UInt8] {
        let values = columns.flatMap { x in channels.map { sample(x, $0) } }
        if depth == 16 { return values.flatMap { number($0, 2) } }
        var result = [UInt8](repeating: 0, count: (values.count * depth + 7) / 8)
        for (index, value) in values.enumerated() {
            for bit in 0..<depth where value >> (depth - 1 - bit) & 1 == 1 {
                let place = index * depth + bit
                result[place / 8] |= 0x80 >> UInt8(place % 8)
            }
        }
        return result
    }

    /// A row in PackBits without runs.
    private func literal(_ row: [UInt8]) -> [UInt8] {
        stride(from: 0, to: row.count, by: 128).flatMap { start in
            let part = row[start..<min(start + 128, row.count)]
            return [UInt8(part.count - 1)] + part
        }
    }

    private func file(_ size: PixelSize, _ blocks: [[UInt8]], across: Int, down: Int) -> [UInt8] {
        let wide = isBig ? 8 : 4
        var fields: [(tag: Int, type: Int, values: [Int])] = [
            (256, 4, [size.width]), (257, 4, [size.height]), (258, 3, Array(repeating: depth, count: samples)),
            (259, 3, [packsBits ? 32773 : 1]), (262, 3, [photometric]), (274, 3, [orientation]), (277, 3, [samples]),
            (284, 3, [isPlanar ? 2 : 1]),
        ]
        if tile != nil {
            fields += [(322, 4, [across]), (323, 4, [down]), (324, isBig ? 16 : 4, blocks.map { _ in 0 })]
            fields += [(325, 4, blocks.map(\.count))]
        } else {
            fields += [(273, isBig ? 16 : 4, blocks.map { _ in 0 }), (278, 4, [down]), (279, 4, blocks.map(\.count))]
        }
        if !palette.isEmpty { fields.append((320, 3, palette)) }
        if let extra { fields.append((338, 3, [extra])) }
        if !profile.isEmpty { fields.append((34675, 7, profile.map(Int.init))) }
        fields.sort { $0.tag < $1.tag }
        func width(_ type: Int) -> Int { [3: 2, 4: 4, 7: 1, 16: 8][type] ?? 1 }
        let header = isBig ? 16 : 8
        let directory = (isBig ? 8 : 2) + fields.count * (isBig ? 20 : 12) + wide
        let longFields = fields.filter { $0.values.count * width($0.type) > wide }
        let start = header + directory + longFields.reduce(0) { $0 + $1.values.count * width($1.type) }
        var offsets: [Int] = []
        var place = start
        for block in blocks {
            offsets.append(place)
            place += block.count
        }
        var (entries, long): ([UInt8], [UInt8]) = ([], [])
        for field in fields {
            let values = field.tag == 273 || field.tag == 324 ? offsets : field.values
            let data = values.flatMap { number($0, width(field.type)) }
            entries += number(field.tag, 2) + number(field.type, 2) + number(values.count, wide)
            if data.count > wide {
                entries += number(header + directory + long.count, wide)
                long += data
            } else {
                entries += data + Array(repeating: 0, count: wide - data.count)
            }
        }
        let letters: [UInt8] = isBigEndian ? [0x4D, 0x4D] : [0x49, 0x49]
        let first = isBig ? number(43, 2) + number(8, 2) + number(0, 2) + number(16, 8) : number(42, 2) + number(8, 4)
        return letters + first + number(fields.count, isBig ? 8 : 2) + entries + number(0, wide) + long
            + blocks.flatMap { $0 }
    }

    /// The L\*a\*b\* values of a colour, as stored in 8 bits, for the white point D50.
    private static func lab(_ color: CodedFile.Color) -> [Double] {
        let light = [color.red, color.green, color.blue].map { ColorProfile.Curve.srgb.light(Double($0) / 255) }
        let xyz = (0..<3).map { axis in
            (0..<3).reduce(0) { $0 + light[$1] * ColorProfile.srgbColorants[$1][axis] }
        }
        let roots = zip(xyz, [0.9642, 1, 0.8251]).map { ($0 / $1).power(1 / 3) }
        return [116 * roots[1] - 16, 500 * (roots[0] - roots[1]), 200 * (roots[1] - roots[2])]
    }

    /// A sample of L\*a\*b\*; code 9 stores a\* and b\* with an offset instead of a sign.
    private func lab(_ color: CodedFile.Color, _ channel: Int) -> Int {
        let (value, isWide) = (Self.lab(color)[channel], depth == 16)
        if channel == 0 { return Int((value / 100 * (isWide ? (photometric == 9 ? 65280 : 65535) : 255)).rounded()) }
        let signed = Int((value * (isWide ? 256 : 1)).rounded())
        return photometric == 9 ? signed + (isWide ? 32768 : 128) : signed & (1 << depth - 1)
    }

    /// Four coloured quarters, in every kind of file.
    package static var samples: [CodedFile] {
        let quarters: [CodedFile.Color] = [.red, .green, .blue, .gray]
        let colors = [CodedFile.Color].colors
        func file(_ name: String, _ shown: [CodedFile.Color]? = nil, _ change: (inout TIFFFile) -> Void) -> CodedFile {
            var kind = TIFFFile()
            change(&kind)
            let isGray = kind.photometric < 2
            let opaque: [CodedFile.Color] = isGray ? .grays : quarters
            let pixels = kind.extra == nil ? opaque : zip(opaque, colors).map { $0.withAlpha($1.alpha) }
            let bytes = kind.encode(size) { x, y, channel in
                let index = CodedFile.quarter(x, y, of: size)
                let color = pixels[index]
                let isAlpha = kind.extra != nil && channel == kind.samples - 1
                if kind.photometric == 3, !isAlpha { return index }
                if kind.photometric > 7 { return kind.lab(color, channel) }
                var value = isAlpha ? Int(color.alpha) : Int([color.red, color.green, color.blue, 0][channel])
                if kind.extra == 1, !isAlpha { value = value * Int(color.alpha) / 255 }
                if kind.photometric == 0 { value = 255 - value }
                if kind.photometric == 5, !isAlpha {
                    // The maximum amount of black.
                    let light = Int(max(color.red, color.green, color.blue))
                    value = 255 - (channel == 3 ? light : value * 255 / light)
                }
                return kind.photometric == 3 ? value : value * (1 << kind.depth - 1) / 255
            }
            let turned = kind.orientation > 4 ? PixelSize(width: size.height, height: size.width) : size
            return CodedFile(
                "tiff-\(name)",
                turned,
                shown ?? pixels,
                isGray ? .gray : kind.photometric == 5 ? .cmyk : .rgb,
                depth: kind.depth,
                hasAlpha: kind.extra != nil,
                bytes: bytes
            )
        }
        func ramp(_ count: Int) -> [Int] {
            [\CodedFile.Color.red, \.green, \.blue].flatMap { path in
                (0..<count).map { $0 < 4 ? Int(quarters[$0][keyPath: path]) * 257 : 0 }
            }
        }
        return [
            file("rgb") { _ in },
            file("big-endian") { $0.isBigEndian = true },
            file("bigtiff") { $0.isBig = true },
            file("16-bit") { $0.depth = 16 },
            file("planar") { $0.isPlanar = true },
            file("tiles") { $0.tile = 16 },
            file("packbits") { $0.packsBits = true },
            file("gray") { ($0.photometric, $0.samples) = (1, 1) },
            file("white-is-zero") { ($0.photometric, $0.samples) = (0, 1) },
            file("10-bit") { ($0.depth, $0.rowsPerStrip) = (10, 3) },
            file("12-bit") { ($0.depth, $0.isBigEndian) = (12, true) },
            file("12-bit-planar") { ($0.depth, $0.isPlanar) = (12, true) },
            file("14-bit-tiles") { ($0.depth, $0.tile) = (14, 16) },
            file("gray-10-bit") { ($0.photometric, $0.samples, $0.depth) = (1, 1, 10) },
            file("gray-12-bit") { ($0.photometric, $0.samples, $0.depth) = (0, 1, 12) },
            file("gray-alpha") { ($0.photometric, $0.samples, $0.extra) = (1, 2, 2) },
            file("gray-alpha-16-bit") { ($0.photometric, $0.samples, $0.depth, $0.extra) = (1, 2, 16, 2) },
            file("gray-multiplied-16-bit") { ($0.photometric, $0.samples, $0.depth, $0.extra) = (1, 2, 16, 1) },
            file("palette-alpha") {
                ($0.photometric, $0.samples, $0.extra) = (3, 2, 2)
                $0.palette = ramp(256)
            },
            file("cmyk-16-bit") { ($0.photometric, $0.samples, $0.depth) = (5, 4, 16) },
            file("cmyk-alpha") { ($0.photometric, $0.samples, $0.extra) = (5, 5, 2) },
            file("cmyk-alpha-planar") {
                ($0.photometric, $0.samples, $0.extra, $0.isPlanar) = (5, 5, 2, true)
            },
            file("cmyk-alpha-16-bit") { ($0.photometric, $0.samples, $0.depth, $0.extra) = (5, 5, 16, 2) },
            file("lab") { $0.photometric = 8 },
            file("lab-16-bit") { ($0.photometric, $0.depth, $0.isBigEndian) = (8, 16, true) },
            file("icc-lab") { $0.photometric = 9 },
            file("icc-lab-16-bit-tiles") { ($0.photometric, $0.depth, $0.tile) = (9, 16, 16) },
            file("palette") { ($0.photometric, $0.samples, $0.depth, $0.palette) = (3, 1, 4, ramp(16)) },
            file("cmyk") { ($0.photometric, $0.samples) = (5, 4) },
            file("cmyk-planar") { ($0.photometric, $0.samples, $0.isPlanar) = (5, 4, true) },
            file("cmyk-tiles") { ($0.photometric, $0.samples, $0.tile) = (5, 4, 16) },
            file("alpha") { ($0.samples, $0.extra) = (4, 2) },
            file("multiplied") { ($0.samples, $0.extra) = (4, 1) },
            // The first row is the right column, and the first column is the top row.
            file("turned", [quarters[2], quarters[0], quarters[3], quarters[1]]) { $0.orientation = 6 },
        ]
    }
}
