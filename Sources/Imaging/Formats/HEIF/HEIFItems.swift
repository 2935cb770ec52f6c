#if AVIF || HEIC
import Geometry

/// The items of a HEIF file (ISO/IEC 14496-12, 8.11).
///
/// An item that a library does not read is decoded from a copy of the file in which it is the primary item.
struct HEIFItems {
    private let bytes: [UInt8]
    private let boxes: Boxes
    /// The place of the primary item's number in the file.
    private let place: Range<Int>
    private var types: [Int: String] = [:]
    /// For each hidden item, the offset of the flag that hides it.
    private var hiddenFlags: [Int: Int] = [:]
    /// For each item, the items from which it is derived.
    private var sources: [Int: [Int]] = [:]
    /// For each item, its auxiliary item.
    private var auxiliaries: [Int: Int] = [:]
    /// For each item, the numbers of its properties in ``allProperties``, counted from 1, in the order in which they
    /// apply.
    private var properties: [Int: [Int]] = [:]
    private var allProperties: [(type: String, content: Range<Int>)] = []
    private var places: [Int: Range<Int>] = [:]
    private var metaBytes = 0

    /// The most bytes of boxes that are read; a decoder reads them again for each item.
    private static let mostBytes = 1 << 26

    /// Nil for a file without a primary item.
    init?(_ bytes: [UInt8]) {
        let boxes = Boxes(bytes: bytes)
        var (meta, place): (Range<Int>?, Range<Int>?) = (nil, nil)
        boxes.forEach("meta", in: 0..<bytes.count) { meta = meta ?? $0.dropFirst(4) }
        guard let meta else { return nil }
        boxes.forEach("pitm", in: meta) { place = $0.dropFirst(4) }
        guard let place, place.count == 2 || place.count == 4 else { return nil }
        self.bytes = bytes
        self.boxes = boxes
        self.place = place
        metaBytes = meta.count
        readTypes(meta)
        readReferences(meta)
        readProperties(meta)
        readPlaces(meta)
    }

    private var primary: Int? { boxes.number(in: place, bytes: place.count) }

    /// The file with another primary item.
    func file(showing item: Int) -> [UInt8] {
        var result = bytes
        for (index, byte) in place.enumerated() {
            result[byte] = UInt8(truncatingIfNeeded: item >> (8 * (place.count - 1 - index)))
        }
        return result
    }

    /// The file with items that are not hidden, of which libheif decodes no other alone.
    func file(revealing items: [Int]) -> [UInt8] {
        var result = bytes
        for item in items {
            if let place = hiddenFlags[item] { result[place] &= ~1 }
        }
        return result
    }

    /// The items of alpha of the tiles of a grid, in its order (ISO/IEC 23000-22, 7.3.5.2), which libavif 0.11 does not
    /// read; empty unless each tile has one.
    var alphaOfTiles: [Int] {
        guard let primary, auxiliaries[primary] == nil, let tiles = sources[primary] else { return [] }
        let items = tiles.compactMap { auxiliaries[$0] }
        guard items.count == tiles.count, metaBytes * items.count <= Self.mostBytes,
            items.allSatisfy({ properties(of: $0).contains(where: isAlpha) })
        else { return [] }
        return items
    }

    /// Coded pictures that make up another one: a grid (ISO/IEC 23008-12, 6.6.2.3), or a single one.
    struct Grid {
        var columns: Int
        /// The size of the whole; the tiles of a grid may extend over its right and lower edges.
        var size: PixelSize
        /// How the whole is turned.
        var orientation: Orientation
        /// The items of the tiles, row by row.
        var tiles: [Int]
    }

    /// The primary item as a grid of HEVC; nil if it is neither a grid nor a coded picture, if it is cropped, or if a
    /// tile is cropped or turned.
    var grid: Grid? {
        guard let primary, let orientation = turn(of: primary) else { return nil }
        if types[primary] == "hvc1", let size = extent(of: primary) {
            return Grid(columns: 1, size: size, orientation: orientation, tiles: [primary])
        }
        guard types[primary] == "grid", let place = places[primary], let tiles = sources[primary] else { return nil }
        let width = (boxes.number(in: place.dropFirst(1), bytes: 1) ?? 0) & 1 == 0 ? 2 : 4
        guard place.count >= 4 + 2 * width, let rows = boxes.number(in: place.dropFirst(2), bytes: 1),
            let columns = boxes.number(in: place.dropFirst(3), bytes: 1),
            let across = boxes.number(in: place.dropFirst(4), bytes: width),
            let down = boxes.number(in: place.dropFirst(4 + width), bytes: width),
            across > 0, down > 0, tiles.count == (rows + 1) * (columns + 1),
            tiles.allSatisfy({ types[$0] == "hvc1" && turn(of: $0) == .up })
        else { return nil }
        return Grid(
            columns: columns + 1,
            size: PixelSize(width: across, height: down),
            orientation: orientation,
            tiles: tiles
        )
    }

    private func properties(of item: Int) -> [(type: String, content: Range<Int>)] {
        (properties[item] ?? []).compactMap { allProperties.indices.contains($0 - 1) ? allProperties[$0 - 1] : nil }
    }

    /// The size that an item states (6.5.3).
    private func extent(of item: Int) -> PixelSize? {
        guard let content = properties(of: item).first(where: { $0.type == "ispe" })?.content,
            let width = boxes.number(in: content.dropFirst(4), bytes: 4),
            let height = boxes.number(in: content.dropFirst(8), bytes: 4), width > 0, height > 0
        else { return nil }
        return PixelSize(width: width, height: height)
    }

    /// How an item is turned: anticlockwise, and then mirrored (6.5.10, 6.5.12); nil if it is also cropped, or turned
    /// in another order.
    private func turn(of item: Int) -> Orientation? {
        let changes = properties(of: item).filter { ["clap", "irot", "imir"].contains($0.type) }
        guard [[], ["irot"], ["imir"], ["irot", "imir"]].contains(changes.map(\.type)) else { return nil }
        func value(_ type: String) -> Int? {
            changes.first { $0.type == type }.map { boxes.number(in: $0.content, bytes: 1) ?? 0 }
        }
        let axis = value("imir").map { $0 & 1 }
        return Orientation(quarters: -((value("irot") ?? 0) & 3), mirrorsColumns: axis == 1, mirrorsRows: axis == 0)
    }

    private func isAlpha(_ property: (type: String, content: Range<Int>)) -> Bool {
        property.type == "auxC" && Self.alphaNames.contains { bytes[property.content.dropFirst(4)].starts(with: $0) }
    }

    private static let alphaNames = ["urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1"]
        .map { Array($0.utf8) }

    /// The gain map of the primary item, and its binary metadata (ISO 21496-1, annex C.3): those of an item that is
    /// derived from both.
    var gainMap: (item: Int, metadata: [UInt8])? {
        guard let primary else { return nil }
        let derived = types.filter { $0.value == "tmap" }.keys.sorted()
        guard let item = derived.first(where: { sources[$0]?.first == primary && sources[$0]?.count == 2 }),
            let map = sources[item]?[1], map != primary, let place = places[item], (6...257).contains(place.count),
            bytes[place.lowerBound] == 0
        else { return nil }
        return (map, Array(bytes[place.dropFirst()]))
    }

    // MARK: Boxes

    private mutating func readTypes(_ meta: Range<Int>) {
        var (found, hidden): ([Int: String], [Int: Int]) = ([:], [:])
        boxes.forEach("iinf", in: meta) { information in
            let isLong = information.first.map { bytes[$0] > 0 } ?? false
            boxes.forEach("infe", in: information.dropFirst(isLong ? 8 : 6)) { entry in
                guard let version = boxes.number(in: entry, bytes: 1), version >= 2 else { return }
                let width = version == 2 ? 2 : 4
                guard let item = boxes.number(in: entry.dropFirst(4), bytes: width),
                    entry.count >= 4 + width + 2 + 4
                else { return }
                found[item] = String(decoding: bytes[entry.dropFirst(4 + width + 2).prefix(4)], as: UTF8.self)
                // The last bit of the flags (ISO/IEC 23008-12, 6.4.2).
                if bytes[entry.lowerBound + 3] & 1 == 1 { hidden[item] = entry.lowerBound + 3 }
            }
        }
        (types, hiddenFlags) = (found, hidden)
    }

    private mutating func readReferences(_ meta: Range<Int>) {
        var (derived, auxiliary): ([Int: [Int]], [Int: Int]) = ([:], [:])
        boxes.forEach("iref", in: meta) { references in
            let width = (references.first.map { bytes[$0] > 0 } ?? false) ? 4 : 2
            func targets(_ box: Range<Int>) -> (item: Int, targets: [Int])? {
                guard let item = boxes.number(in: box, bytes: width),
                    let count = boxes.number(in: box.dropFirst(width), bytes: 2), count * width <= box.count
                else { return nil }
                let rest = box.dropFirst(width + 2)
                return (item, (0..<count).compactMap { boxes.number(in: rest.dropFirst($0 * width), bytes: width) })
            }
            boxes.forEach("dimg", in: references.dropFirst(4)) { box in
                if let (item, all) = targets(box) { derived[item] = all }
            }
            boxes.forEach("auxl", in: references.dropFirst(4)) { box in
                for target in targets(box)?.targets ?? [] { auxiliary[target] = targets(box)?.item }
            }
        }
        (sources, auxiliaries) = (derived, auxiliary)
    }

    private mutating func readProperties(_ meta: Range<Int>) {
        var (all, linked): ([(type: String, content: Range<Int>)], [Int: [Int]]) = ([], [:])
        boxes.forEach("iprp", in: meta) { group in
            boxes.forEach("ipco", in: group) { container in
                boxes.forEach(in: container) { all.append(($0, $1)) }
            }
            // ISO/IEC 23008-12, 9.3.1.
            boxes.forEach("ipma", in: group) { content in
                guard let version = boxes.number(in: content, bytes: 1),
                    let flags = boxes.number(in: content, bytes: 4),
                    let count = boxes.number(in: content.dropFirst(4), bytes: 4)
                else { return }
                let (idBytes, width) = (version == 0 ? 2 : 4, (flags & 1) + 1)
                var rest = content.dropFirst(8)
                for _ in 0..<count {
                    guard let item = boxes.number(in: rest, bytes: idBytes),
                        let associations = boxes.number(in: rest.dropFirst(idBytes), bytes: 1)
                    else { return }
                    rest = rest.dropFirst(idBytes + 1)
                    for _ in 0..<associations {
                        guard let number = boxes.number(in: rest, bytes: width) else { return }
                        // The first bit says that the property is essential.
                        linked[item, default: []].append(number & (width == 1 ? 0x7F : 0x7FFF))
                        rest = rest.dropFirst(width)
                    }
                }
            }
        }
        (allProperties, properties) = (all, linked)
    }

    /// Reads where items of one extent are (ISO/IEC 14496-12, 8.11.3), in the file or in `idat`.
    private mutating func readPlaces(_ meta: Range<Int>) {
        var (found, data): ([Int: Range<Int>], Range<Int>?) = ([:], nil)
        boxes.forEach("idat", in: meta) { data = $0 }
        boxes.forEach("iloc", in: meta) { content in
            guard let version = boxes.number(in: content, bytes: 1), version <= 2,
                let sizes = boxes.number(in: content.dropFirst(4), bytes: 2)
            else { return }
            let (offsetBytes, lengthBytes, baseBytes) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
            let (indexBytes, idBytes) = (version > 0 ? sizes & 15 : 0, version < 2 ? 2 : 4)
            guard [offsetBytes, lengthBytes, baseBytes, indexBytes].allSatisfy({ [0, 4].contains($0) }),
                let count = boxes.number(in: content.dropFirst(6), bytes: idBytes)
            else { return }
            var rest = content.dropFirst(6 + idBytes)
            func next(_ count: Int) -> Int? {
                defer { rest = rest.dropFirst(count) }
                return boxes.number(in: rest, bytes: count)
            }
            for _ in 0..<count {
                guard let item = next(idBytes), let method = version > 0 ? next(2) : 0, next(2) != nil,
                    let base = next(baseBytes), let extents = next(2)
                else { return }
                for _ in 0..<extents {
                    guard next(indexBytes) != nil, let offset = next(offsetBytes), let length = next(lengthBytes) else {
                        return
                    }
                    let container = method & 15 == 0 ? 0..<bytes.count : data
                    guard extents == 1, method & 15 < 2, let container, base + offset + length <= container.count else {
                        continue
                    }
                    found[item] = container.dropFirst(base + offset).prefix(length)
                }
            }
        }
        places = found
    }
}
#endif
