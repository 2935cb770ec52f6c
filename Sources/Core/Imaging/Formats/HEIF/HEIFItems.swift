#if AVIF || HEIC
import Geometry

/// The items of a HEIF file (ISO/IEC 14496-12, 8.11), read once.
///
/// Every list has a limit: see ``Limit``. If a box or an entry is repeated, the first is used.
struct HEIFItems {
    /// Limits of the lists in a file.
    ///
    /// A file that exceeds them is rejected.
    enum Limit {
        /// The number of items: the allowed number of tiles, the same number for alpha, and some other items.
        static let items = 2560
        /// The number of items that references name, summed over all references.
        static let references = 10_240
        /// The number of parts of the data, summed over all items.
        static let extents = 10_240
        /// The number of properties, and the sum of their uses over all items.
        static let properties = 20_480
        /// The size in bytes of a decoder's configuration, which is read for each tile; cameras write about 100 bytes.
        static let configurationBytes = 8 << 10
        /// The number of bytes of EXIF metadata in which the orientation is searched.
        static let metadataBytes = 64 << 10
        /// The number of derivation steps from the primary item to a coded image.
        static let derivations = 3
        /// Maximum side in pixels, checked before any pixel is decoded.
        static let side = 65_535
    }

    struct Property {
        var type: BoxType
        var content: Range<Int>
        var isEssential = false
    }

    struct Item {
        var type: BoxType
        /// The ranges of the data in the file; they may extend beyond its end.
        var extents: [Range<Int>] = []
        /// The size of its data in bytes.
        var count = 0
        var properties: [Property] = []
        /// The source items of this derived item.
        var sources: [Int] = []
        /// The item that contains the alpha of this item.
        var alpha: Int?
        /// The item by whose alpha this item is multiplied.
        var premultiplier: Int?

        func first(_ type: BoxType) -> Range<Int>? { properties.first { $0.type == type }?.content }
    }

    let bytes: [UInt8]
    let boxes: Boxes
    let format: InputFormat
    /// The number of the primary item.
    let primary: Int
    private(set) var items: [Int: Item] = [:]
    /// The item of EXIF metadata for each item that has one.
    private var exif: [Int: Int] = [:]
    /// The place of the primary item's number in the file.
    private let place: Range<Int>

    /// Reads the first `meta` box.
    ///
    /// - Throws: ``CodecError`` for a file without a primary item, or beyond a limit.
    init(_ bytes: [UInt8], _ format: InputFormat) throws(CodecError) {
        let boxes = Boxes(bytes: bytes)
        var (meta, end): (Range<Int>?, Int) = (nil, 0)
        for box in boxes.list(in: 0..<bytes.count) {
            end = box.content.upperBound
            if box.type == "meta" {
                meta = box.content.dropFirst(4)
                break
            }
        }
        guard let meta else {
            throw end < bytes.count ? .truncated(format) : .corrupt(format, "it has no items")
        }
        var parts: [BoxType: Range<Int>] = [:]
        let names: [BoxType] = ["pitm", "iinf", "iloc", "iref", "iprp", "idat"]
        for box in boxes.list(in: meta) where names.contains(box.type) {
            if parts[box.type] == nil { parts[box.type] = box.content }
        }
        guard let place = parts["pitm"]?.dropFirst(4), place.count == 2 || place.count == 4,
            let primary = boxes.number(in: place, bytes: place.count)
        else { throw .corrupt(format, "it has no primary item") }
        (self.bytes, self.boxes, self.format, self.primary, self.place) = (bytes, boxes, format, primary, place)
        if let content = parts["iinf"] { try readTypes(content) }
        if let content = parts["iloc"] { try readPlaces(content, data: parts["idat"]) }
        if let content = parts["iprp"] { try readProperties(content) }
        if let content = parts["iref"] { try readReferences(content) }
    }

    /// Returns the file with another primary item.
    func file(showing item: Int) -> [UInt8] {
        var result = bytes
        for (index, byte) in place.enumerated() {
            result[byte] = UInt8(truncatingIfNeeded: item >> (8 * (place.count - 1 - index)))
        }
        return result
    }

    /// Returns the data of an item, without a copy if they are contiguous.
    ///
    /// - Throws: ``CodecError/truncated(_:)`` if the file ends too early.
    func data(of item: Int) throws(CodecError) -> ArraySlice<UInt8> {
        guard let extents = items[item]?.extents, let first = extents.first else {
            throw .corrupt(format, "an item has no data")
        }
        guard extents.allSatisfy({ $0.upperBound <= bytes.count }) else { throw .truncated(format) }
        guard extents.count > 1 else { return bytes[first] }
        try checkRepetition(items[item]?.count ?? 0)
        return extents.reduce(into: ArraySlice<UInt8>()) { $0 += bytes[$1] }
    }

    /// Returns at most the first `count` bytes of an item's data.
    ///
    /// - Throws: ``CodecError/truncated(_:)`` if the file ends too early.
    func head(of item: Int, _ count: Int) throws(CodecError) -> [UInt8] {
        var head: [UInt8] = []
        for extent in items[item]?.extents ?? [] {
            let part = extent.prefix(count - head.count)
            guard part.upperBound <= bytes.count else { throw .truncated(format) }
            head += bytes[part]
            if head.count == count { break }
        }
        return head
    }

    /// Throws an error if tiles have so many bytes in total that they must share the same data.
    func checkRepetition(_ count: Int) throws(CodecError) {
        if count > 2 * bytes.count + 1 << 20 { throw .corrupt(format, "its tiles have more bytes than the file") }
    }

    /// The number of the item to show: the primary item or, if that is a tone map, its first source image.
    var shown: Int { items[primary].flatMap { $0.type == "tmap" ? $0.sources.first : nil } ?? primary }

    /// The EXIF orientation of an HEVC item without `irot` and `imir`; otherwise ``Orientation/up``.
    ///
    /// Phones rotate these files by EXIF, including phones of other makers than the writer. Browsers do not rotate AVIF
    /// by EXIF.
    func orientation(of number: Int) -> Orientation {
        guard format.rawValue == "heic", let item = items[number], item.first("irot") == nil, item.first("imir") == nil,
            let metadata = exif[number], let data = try? head(of: metadata, Limit.metadataBytes)
        else { return .up }
        // The offset of the TIFF structure comes first (ISO/IEC 23008-12, A.2.1).
        var reader = BoxReader(Boxes(bytes: data), 0..<data.count)
        guard let offset = reader.next(4), offset < reader.rest.count else { return .up }
        return EXIF.orientation(Array(data[(reader.rest.lowerBound + offset)...]).span)
    }

    /// The gain map of the shown image, and its binary metadata (ISO 21496-1, annex C.3).
    ///
    /// The metadata are the data of an item that is derived from both.
    var gainMap: (item: Int, metadata: [UInt8])? {
        let derived = items.filter { $0.value.type == "tmap" }.sorted { $0.key < $1.key }
        // If the map is rotated by its own properties, it does not fit an image that is rotated by EXIF.
        guard orientation(of: shown) == .up,
            let item = derived.first(where: { $0.value.sources.first == shown && $0.value.sources.count == 2 }),
            let map = item.value.sources.last, map != shown, (6...257).contains(item.value.count),
            let data = try? data(of: item.key), data.first == 0
        else { return nil }
        return (map, Array(data.dropFirst()))
    }

    // MARK: Boxes

    private func refusal(_ limit: Int, _ things: String) -> CodecError {
        .corrupt(format, "it has more than \(limit) \(things)")
    }

    private mutating func readTypes(_ content: Range<Int>) throws(CodecError) {
        let width = (boxes.number(in: content, bytes: 1) ?? 0) > 0 ? 4 : 2
        let entries = content.dropFirst(4)
        // The stated number is checked even if entries are missing.
        guard (boxes.number(in: entries, bytes: width) ?? 0) <= Limit.items else {
            throw refusal(Limit.items, "items")
        }
        var count = 0
        for box in boxes.list(in: entries.dropFirst(width)) {
            count += 1
            guard count <= Limit.items else { throw refusal(Limit.items, "items") }
            var entry = BoxReader(boxes, box.content)
            guard box.type == "infe", let version = entry.next(1), version >= 2, entry.next(3) != nil,
                let item = entry.next(version == 2 ? 2 : 4), entry.next(2) != nil, let type = entry.next(4)
            else { continue }
            if items[item] == nil { items[item] = Item(type: BoxType(code: type)) }
        }
    }

    /// Reads the references that images need, including references to several items (ISO/IEC 14496-12, 8.11.12).
    private mutating func readReferences(_ content: Range<Int>) throws(CodecError) {
        let width = (boxes.number(in: content, bytes: 1) ?? 0) > 0 ? 4 : 2
        var total = 0
        for box in boxes.list(in: content.dropFirst(4)) {
            var reader = BoxReader(boxes, box.content)
            guard let from = reader.next(width), let count = reader.next(2) else { continue }
            total += max(1, count)
            guard total <= Limit.references else { throw refusal(Limit.references, "references between its items") }
            guard count > 0, items[from] != nil, reader.rest.count >= count * width else { continue }
            let targets = (0..<count).compactMap { _ in reader.next(width) }
            switch box.type {
            case "dimg": if items[from]?.sources.isEmpty == true { items[from]?.sources = targets }
            case "prem": if items[from]?.premultiplier == nil { items[from]?.premultiplier = targets[0] }
            case "cdsc" where items[from]?.type == "Exif":
                for target in targets where exif[target] == nil { exif[target] = from }
            case "auxl" where isAlpha(from):
                for target in targets where items[target]?.alpha == nil { items[target]?.alpha = from }
            default: break
            }
        }
    }

    private static let alphaNames = ["urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1"]
        .map { Array($0.utf8) }

    /// Whether an auxiliary item is alpha; other auxiliary items are depth maps, mattes and gain maps.
    private func isAlpha(_ item: Int) -> Bool {
        guard let name = items[item]?.first("auxC")?.dropFirst(4) else { return false }
        return Self.alphaNames.contains { bytes[name].starts(with: $0) }
    }

    private mutating func readProperties(_ content: Range<Int>) throws(CodecError) {
        guard let container = boxes.first("ipco", in: content) else { return }
        var all: [Property] = []
        for box in boxes.list(in: container) {
            guard all.count < Limit.properties else { throw refusal(Limit.properties, "properties") }
            all.append(Property(type: box.type, content: box.content))
        }
        var (entries, total) = (0, 0)
        // ISO/IEC 23008-12, 9.3.1.
        for box in boxes.list(in: content) where box.type == "ipma" {
            var reader = BoxReader(boxes, box.content)
            guard let version = reader.next(1), let flags = reader.next(3), let count = reader.next(4) else { continue }
            let (idBytes, width) = (version == 0 ? 2 : 4, (flags & 1) + 1)
            let essential = width == 1 ? 0x80 : 0x8000
            for _ in 0..<count {
                guard let item = reader.next(idBytes), let associations = reader.next(1) else { break }
                (entries, total) = (entries + 1, total + associations)
                guard entries <= Limit.items, total <= Limit.properties else {
                    throw refusal(Limit.properties, "properties")
                }
                let isFirst = items[item]?.properties.isEmpty ?? false
                for _ in 0..<associations {
                    guard let number = reader.next(width) else { return }
                    let index = number & (essential - 1)
                    guard isFirst, all.indices.contains(index - 1) else { continue }
                    var property = all[index - 1]
                    property.isEssential = number & essential != 0
                    items[item]?.properties.append(property)
                }
            }
        }
    }

    /// Reads the positions of items (ISO/IEC 14496-12, 8.11.3) in the file or in `idat`.
    private mutating func readPlaces(_ content: Range<Int>, data: Range<Int>?) throws(CodecError) {
        var reader = BoxReader(boxes, content)
        guard let version = reader.next(1), version <= 2, reader.next(3) != nil, let sizes = reader.next(2) else {
            return
        }
        let (offsetBytes, lengthBytes, baseBytes) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
        let (indexBytes, idBytes) = (version > 0 ? sizes & 15 : 0, version < 2 ? 2 : 4)
        guard [offsetBytes, lengthBytes, baseBytes, indexBytes].allSatisfy({ [0, 4, 8].contains($0) }),
            let count = reader.next(idBytes)
        else { return }
        guard count <= Limit.items else { throw refusal(Limit.items, "items") }
        var total = 0
        for _ in 0..<count {
            guard let item = reader.next(idBytes), let method = version > 0 ? reader.next(2) : 0,
                reader.next(2) != nil, let base = reader.next(baseBytes), let extents = reader.next(2)
            else { return }
            total += extents
            guard total <= Limit.extents else { throw refusal(Limit.extents, "parts of items") }
            let isFirst = items[item]?.extents.isEmpty ?? false
            let container = method & 15 == 0 ? 0..<bytes.count : method & 15 == 1 ? data : nil
            for _ in 0..<extents {
                guard reader.next(indexBytes) != nil, let offset = reader.next(offsetBytes),
                    let length = reader.next(lengthBytes)
                else { return }
                guard isFirst, let container else { continue }
                let start = container.lowerBound + base + offset
                // 0 means the rest of the container.
                let end = length > 0 ? start + length : max(start, container.upperBound)
                items[item]?.extents.append(start..<end)
                items[item]?.count += end - start
            }
        }
    }
}
#endif
