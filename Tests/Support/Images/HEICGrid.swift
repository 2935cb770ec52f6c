package import Geometry

/// Writes a HEIC file whose image is a grid that repeats one coded image (ISO/IEC 23008-12, 6.6.2.3).
package struct HEICGrid: Sendable {
    /// The side of the coded image in ``CodedFile/heic`` files, in pixels.
    package static let side = 64

    package var columns = 2
    package var rows = 2
    package var size = PixelSize(width: 128, height: 112)
    /// The number of anticlockwise rotations by 90°; nil without the property.
    package var turns: Int?
    /// The axis of a mirror: 0 swaps top and bottom, 1 swaps left and right; nil without the property.
    package var axis: Int?
    /// Whether the file has a clean aperture, which covers the whole image.
    package var isCropped = false
    /// The index of a tile, counted from 0, whose data is truncated by a quarter; nil for none.
    package var cutTile: Int?

    private let configuration: [UInt8]
    private let colors: [UInt8]
    private let data: [UInt8]

    /// A grid that repeats the image in a file; nil if the file lacks the image.
    package init?(of file: [UInt8]) {
        guard let configuration = Self.box("hvcC", in: file), let data = Self.box("mdat", in: file) else { return nil }
        self.configuration = configuration
        self.data = data
        colors = Self.box("colr", in: file) ?? []
    }

    /// The content of the first box of a type; nil if the file has no such box.
    package static func box(_ type: String, in file: [UInt8]) -> [UInt8]? {
        guard let place = file.indices.first(where: { file[$0...].starts(with: type.utf8) }), place >= 4 else {
            return nil
        }
        let count = file[(place - 4)..<place].reduce(0) { $0 << 8 | Int($1) }
        return count >= 8 && place - 4 + count <= file.count ? Array(file[(place + 4)..<(place - 4 + count)]) : nil
    }

    private func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        long(8 + content.count) + Array(type.utf8) + content
    }

    private func long(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
    private func short(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }
    private func full(_ type: String, version: UInt8 = 0, _ content: [UInt8]) -> [UInt8] {
        box(type, [version, 0, 0, 0] + content)
    }

    /// The bytes of the file.
    package func encode() -> [UInt8] {
        let tiles = Array(2..<(2 + rows * columns))
        let first = box("ftyp", Array("heic\0\0\0\0mif1heic".utf8))
        // The number of bytes does not depend on the offset.
        let start = first.count + meta(tiles, start: 0).count + 8
        return first + meta(tiles, start: start) + box("mdat", data)
    }

    private func meta(_ tiles: [Int], start: Int) -> [UInt8] {
        // Tiles are hidden, as in files from phones.
        func entry(_ item: Int, _ type: String) -> [UInt8] {
            box("infe", [2, 0, 0, item > 1 ? 1 : 0] + short(item) + [0, 0] + Array(type.utf8) + [0])
        }
        func place(_ item: Int, _ method: Int, _ offset: Int, _ count: Int) -> [UInt8] {
            short(item) + short(method) + [0, 0] + short(1) + long(offset) + long(count)
        }
        let sides = short(size.width) + short(size.height)
        let grid: [UInt8] = [0, 0, UInt8(rows - 1), UInt8(columns - 1)] + sides
        let places = tiles.map { tile in
            place(tile, 0, start, tile - 2 == cutTile ? data.count * 3 / 4 : data.count)
        }
        var content = full("hdlr", [0, 0, 0, 0] + Array("pict".utf8) + Array(repeating: 0, count: 13))
        content += full("pitm", short(1))
        content += full(
            "iloc",
            version: 1,
            [0x44, 0] + short(tiles.count + 1) + place(1, 1, 0, grid.count) + places.flatMap { $0 }
        )
        content += full("iinf", short(tiles.count + 1) + entry(1, "grid") + tiles.flatMap { entry($0, "hvc1") })
        content += full("iref", box("dimg", short(1) + short(tiles.count) + tiles.flatMap(short)))
        content += properties(tiles) + box("idat", grid)
        return full("meta", content)
    }

    private func properties(_ tiles: [Int]) -> [UInt8] {
        var all = [box("hvcC", configuration), full("ispe", long(Self.side) + long(Self.side))]
        all.append(full("ispe", long(size.width) + long(size.height)))
        var (ofTile, ofGrid) = ([1, 2], [3])
        func add(_ property: [UInt8], _ list: inout [Int]) {
            all.append(property)
            list.append(all.count)
        }
        if !colors.isEmpty {
            add(box("colr", colors), &ofTile)
            ofGrid.append(all.count)
        }
        if isCropped {
            let (width, height) = (long(size.width) + long(1), long(size.height) + long(1))
            add(box("clap", width + height + long(0) + long(1) + long(0) + long(1)), &ofGrid)
        }
        if let turns { add(box("irot", [UInt8(turns)]), &ofGrid) }
        if let axis { add(box("imir", [UInt8(axis)]), &ofGrid) }
        func association(_ item: Int, _ list: [Int]) -> [UInt8] {
            short(item) + [UInt8(list.count)] + list.map { UInt8($0) | 0x80 }
        }
        let associations = long(tiles.count + 1) + association(1, ofGrid) + tiles.flatMap { association($0, ofTile) }
        return box("iprp", box("ipco", all.flatMap { $0 }) + full("ipma", associations))
    }
}
