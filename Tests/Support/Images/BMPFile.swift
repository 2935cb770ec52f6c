package import Geometry
import Imaging

/// Writes BMP files of every supported kind.
package enum BMPFile {
    private static let size = PixelSize(width: 21, height: 18)

    /// Four coloured quarters, in every kind of file.
    package static var samples: [CodedFile] {
        let quarters: [CodedFile.Color] = [.red, .green, .blue, .gray]
        func file(_ name: String, depth: Int = 8, hasAlpha: Bool = false, _ bytes: [UInt8]) -> CodedFile {
            let colors = hasAlpha ? [CodedFile.Color].colors : quarters
            return CodedFile("bmp-\(name)", size, colors, .rgb, depth: depth, hasAlpha: hasAlpha, bytes: bytes)
        }
        let palette: [UInt8] = quarters.flatMap { [$0.blue, $0.green, $0.red, 0] }
        func index(_ x: Int, _ y: Int) -> Int { CodedFile.quarter(x, y, of: size) }
        func color(_ x: Int, _ y: Int) -> CodedFile.Color { quarters[index(x, y)] }
        func rgb(_ x: Int, _ y: Int) -> Int { pixel(color(x, y)) }
        func high(_ x: Int, _ y: Int) -> Int {
            let color = color(x, y)
            return (Int(color.red) >> 3) << 11 | (Int(color.green) >> 2) << 5 | Int(color.blue) >> 3
        }
        func clear(_ x: Int, _ y: Int) -> Int {
            let color = [CodedFile.Color].colors[index(x, y)]
            return pixel(color) | Int(color.alpha) << 24
        }
        let indexed = [1, 2, 4, 8].map { depth in
            let shown = depth == 1 ? [quarters[0], quarters[1], quarters[0], quarters[1]] : quarters
            let bytes = bitmap(size, depth: depth, palette: palette) { x, y in index(x, y) & ((1 << depth) - 1) }
            return CodedFile(
                "bmp-\(depth)",
                size,
                shown,
                .rgb,
                depth: depth,
                bytes: Self.file(bytes, start: 54 + palette.count)
            )
        }
        let masks: [UInt8] = [0xF800, 0x7E0, 0x1F].flatMap { Self.bytes($0, 4) }
        let wide: [UInt8] = [0xFF0000, 0xFF00, 0xFF, 0xFF00_0000].flatMap { Self.bytes($0, 4) }
        return indexed + [
            file("24", Self.file(bitmap(size, depth: 24, pixel: rgb), start: 54)),
            file("24-from-top", Self.file(bitmap(size, depth: 24, isTopDown: true, pixel: rgb), start: 54)),
            file("32", Self.file(bitmap(size, depth: 32, pixel: rgb), start: 54)),
            file("565", Self.file(bitmap(size, depth: 16, compression: 3, masks: masks, pixel: high), start: 66)),
            file(
                "alpha",
                hasAlpha: true,
                Self.file(
                    bitmap(size, depth: 32, compression: 3, masks: wide, headerLength: 56, pixel: clear),
                    start: 70
                )
            ),
            file("runs", Self.file(runs(palette, index), start: 54 + palette.count)),
        ]
    }

    static func pixel(_ color: CodedFile.Color) -> Int {
        Int(color.red) << 16 | Int(color.green) << 8 | Int(color.blue)
    }

    static func bytes(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// A bitmap with a file header in front.
    static func file(_ bitmap: [UInt8], start: Int) -> [UInt8] {
        Array("BM".utf8) + bytes(bitmap.count + 14, 4) + bytes(0, 4) + bytes(start, 4) + bitmap
    }

    /// Header, masks, palette and rows; `lines` is the height in the header.
    static func bitmap(
        _ size: PixelSize,
        depth: Int,
        isTopDown: Bool = false,
        lines: Int? = nil,
        compression: Int = 0,
        palette: [UInt8] = [],
        masks: [UInt8] = [],
        headerLength: Int = 40,
        pixel: (_ x: Int, _ y: Int) -> Int
    ) -> [UInt8] {
        let stated = lines ?? size.height
        var result = bytes(headerLength, 4) + bytes(size.width, 4) + bytes(isTopDown ? -stated : stated, 4)
        result += bytes(1, 2) + bytes(depth, 2) + bytes(compression, 4) + bytes(0, 12) + bytes(palette.count / 4, 4)
        result += bytes(0, 4) + masks + palette
        for row in 0..<size.height {
            let y = isTopDown ? row : size.height - 1 - row
            var line: [UInt8] = []
            if depth >= 8 {
                for x in 0..<size.width { line += bytes(pixel(x, y), depth / 8) }
            } else {
                line = Array(repeating: 0, count: (size.width * depth + 7) / 8)
                for x in 0..<size.width {
                    line[x * depth / 8] |= UInt8(pixel(x, y) << (8 - depth - x * depth % 8))
                }
            }
            result += line + Array(repeating: 0, count: (4 - line.count % 4) % 4)
        }
        return result
    }

    /// Rows of 8-bit pixels as runs; the lower half consists of single pixels.
    private static func runs(_ palette: [UInt8], _ index: (_ x: Int, _ y: Int) -> Int) -> [UInt8] {
        var result = bitmap(
            PixelSize(width: size.width, height: size.height),
            depth: 8,
            compression: 1,
            palette: palette
        ) {
            _,
            _ in 0
        }
        result.removeLast(result.count - 40 - palette.count)
        for y in (0..<size.height).reversed() {
            let row = (0..<size.width).map { UInt8(index($0, y)) }
            if y >= size.height / 2 {
                result += [0, UInt8(row.count)] + row + (row.count.isMultiple(of: 2) ? [] : [0])
            } else {
                let first = row.prefix { $0 == row[0] }.count
                result += [UInt8(first), row[0], UInt8(row.count - first), row[first]]
            }
            result += [0, 0]
        }
        return result + [0, 1]
    }
}

/// Writes ICO files.
package enum ICOFile {
    /// Icons with a small image before the largest image, which is a PNG, a bitmap with alpha, or a bitmap with a mask.
    package static var samples: [CodedFile] {
        let size = PixelSize(width: 20, height: 20)
        let small = PixelSize(width: 8, height: 8)
        let colors = [CodedFile.Color].colors
        func clear(_ x: Int, _ y: Int) -> Int {
            let color = colors[CodedFile.quarter(x, y, of: size)]
            return BMPFile.pixel(color) | Int(color.alpha) << 24
        }
        let first = BMPFile.bitmap(small, depth: 24, lines: 16) { _, _ in 0x123456 } + Array(repeating: 0, count: 32)
        let rgba = OddPNG(.rgba).encode(size) { x, y, channel in
            let color = colors[CodedFile.quarter(x, y, of: size)]
            return Int([color.red, color.green, color.blue, color.alpha][channel])
        }
        let bitmap = BMPFile.bitmap(size, depth: 32, lines: 40, pixel: clear) + Array(repeating: 0, count: 80)
        // The third quarter is transparent.
        let masked = BMPFile.bitmap(size, depth: 24, lines: 40) { clear($0, $1) & 0xFFFFFF }
        let mask = (0..<20).flatMap { row -> [UInt8] in row < 10 ? [0xFF, 0xC0, 0, 0] : [0, 0, 0, 0] }
        let opaque = colors.enumerated().map { index, color in
            var shown = color
            shown.alpha = index == 2 ? 0 : 255
            return shown
        }
        return [("png", rgba, colors), ("32", bitmap, colors), ("mask", masked + mask, opaque)].map {
            name,
            data,
            shown in
            let file = Self.file([(small, first), (size, data)])
            return CodedFile("ico-\(name)", size, shown, .rgb, depth: 8, hasAlpha: true, bytes: file)
        }
    }

    /// An icon with these images.
    package static func file(_ images: [(size: PixelSize, bytes: [UInt8])]) -> [UInt8] {
        var result = BMPFile.bytes(0, 2) + BMPFile.bytes(1, 2) + BMPFile.bytes(images.count, 2)
        var offset = 6 + 16 * images.count
        for image in images {
            result += BMPFile.bytes(image.size.width, 1) + BMPFile.bytes(image.size.height, 1) + [0, 0]
            result += BMPFile.bytes(1, 2) + BMPFile.bytes(32, 2) + BMPFile.bytes(image.bytes.count, 4)
            result += BMPFile.bytes(offset, 4)
            offset += image.bytes.count
        }
        return result + images.flatMap(\.bytes)
    }
}
