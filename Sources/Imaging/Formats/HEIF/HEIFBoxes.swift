/// Properties in the boxes of a HEIF file that its libraries do not report.
struct HEIFBoxes {
    /// The most coded pictures that one item is derived from (ISO/IEC 14496-12, 8.11.12), to bound the work that a
    /// small file asks for: a grid refers to each of its tiles, and may refer to one many times, as an overlay may to a
    /// grid.
    private(set) var maxTiles = 0
    /// The most coded bytes that one item is derived from; those of a tile count each time.
    private var tileBytes = 0
    /// The length of the longest configuration of a decoder, which is read again for each tile.
    private(set) var configurationBytes = 0
    /// The number of items that the file states, or describes (ISO/IEC 14496-12, 8.11.6).
    private(set) var items = 0
    private let fileBytes: Int

    /// Whether the items that one item is derived from have more bytes than the file: they are read again and again.
    var repeatsData: Bool { tileBytes > 2 * fileBytes + 1 << 20 }

    /// Whether a derived item refers to one that is derived from another derived item, as in every circle.
    private(set) var nestsDeeply = false
    /// The subsampling of HEVC pictures, the finest one if there are several; nil if all are grey.
    private(set) var chroma: ChromaSubsampling?

    /// Reads the boxes on the way to the references, in linear time; invalid ones are passed over.
    init(_ bytes: [UInt8]) {
        let file = Boxes(bytes: bytes)
        var (count, items, chromaFormat, configurationBytes) = (0, 0, 0, 0)
        var derivations: [Derivation] = []
        var itemBytes: [Int: Int] = [:]
        file.forEach("meta", in: 0..<bytes.count) { meta in
            file.forEach("iinf", in: meta.dropFirst(4)) { information in
                let isLong = information.first.map { bytes[$0] > 0 } ?? false
                let entries = information.dropFirst(4)
                var described = 0
                file.forEach("infe", in: entries.dropFirst(isLong ? 4 : 2)) { _ in described += 1 }
                items = max(items, described, file.number(in: entries, bytes: isLong ? 4 : 2) ?? 0)
            }
            file.forEach("iloc", in: meta.dropFirst(4)) { file.addLengths(in: $0, to: &itemBytes) }
            file.forEach("iref", in: meta.dropFirst(4)) { references in
                let width = (references.first.map { bytes[$0] > 0 } ?? false) ? 4 : 2
                file.forEach("dimg", in: references.dropFirst(4)) { box in
                    count = max(count, file.number(in: box.dropFirst(width), bytes: 2) ?? 0)
                    guard let item = file.number(in: box, bytes: width) else { return }
                    let targets = box.dropFirst(width + 2)
                    let sources = stride(from: targets.lowerBound, to: targets.upperBound, by: width).compactMap {
                        file.number(in: $0..<min($0 + width, targets.upperBound), bytes: width)
                    }
                    derivations.append(Derivation(item: item, sources: sources))
                }
            }
            file.forEach("iprp", in: meta.dropFirst(4)) { properties in
                file.forEach("ipco", in: properties) { container in
                    // ISO/IEC 14496-15, 8.3.3.1: the last two bits of byte 16 are chroma_format_idc.
                    file.forEach("hvcC", in: container) { configuration in
                        configurationBytes = max(configurationBytes, configuration.count)
                        let byte = file.number(in: configuration.dropFirst(16), bytes: 1) ?? 0
                        chromaFormat = max(chromaFormat, byte & 3)
                    }
                }
            }
        }
        let work = Derivation.mostWork(derivations, itemBytes)
        maxTiles = max(count, work.tiles)
        tileBytes = work.bytes
        self.configurationBytes = configurationBytes
        self.items = items
        nestsDeeply = Derivation.nestDeeply(derivations)
        fileBytes = bytes.count
        chroma = [nil, .halved, .halvedAcross, ChromaSubsampling.none][chromaFormat]
    }
}

/// An item and those that it is derived from.
private struct Derivation {
    let item: Int
    let sources: [Int]

    /// Whether an item is derived from one that is derived from a derived one.
    static func nestDeeply(_ all: [Derivation]) -> Bool {
        let derived = Set(all.map(\.item))
        let nested = Set(all.filter { !derived.isDisjoint(with: $0.sources) }.map(\.item))
        return all.contains { !nested.isDisjoint(with: $0.sources) }
    }

    /// The most coded pictures and bytes that an item is derived from, over two levels.
    static func mostWork(_ all: [Derivation], _ itemBytes: [Int: Int]) -> (tiles: Int, bytes: Int) {
        typealias Work = (tiles: Int, bytes: Int)
        func sum(_ sources: [Int], _ work: (Int) -> Work) -> Work {
            sources.reduce((0, 0)) { sum, source in
                let next = work(source)
                return (min(sum.tiles + next.tiles, 1 << 40), min(sum.bytes + next.bytes, 1 << 60))
            }
        }
        func coded(_ item: Int) -> Work { (1, itemBytes[item] ?? 0) }
        var first: [Int: Work] = [:]
        for one in all {
            let (known, new) = (first[one.item] ?? (0, 0), sum(one.sources, coded))
            first[one.item] = (min(known.tiles + new.tiles, 1 << 40), min(known.bytes + new.bytes, 1 << 60))
        }
        return all.reduce((0, 0)) { most, one in
            let work = sum(one.sources) { first[$0] ?? coded($0) }
            return (max(most.tiles, work.tiles), max(most.bytes, work.bytes))
        }
    }
}

/// The boxes of a file: 32 bits of size, four letters, content (ISO/IEC 14496-12, 4.2).
struct Boxes {
    let bytes: [UInt8]

    /// A big-endian number at the beginning of a range; nil if the range is shorter.
    func number(in range: Range<Int>, bytes count: Int) -> Int? {
        guard range.count >= count else { return nil }
        return range.prefix(count).reduce(0) { $0 << 8 | Int(bytes[$1]) }
    }

    /// Adds the lengths of the extents of each item (ISO/IEC 14496-12, 8.11.3), each at most the file's.
    func addLengths(in content: Range<Int>, to itemBytes: inout [Int: Int]) {
        guard let version = number(in: content, bytes: 1), version <= 2,
            let sizes = number(in: content.dropFirst(4), bytes: 2)
        else { return }
        let (offset, length, base) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
        let index = version > 0 ? sizes & 15 : 0
        let idBytes = version < 2 ? 2 : 4
        guard [offset, length, base, index].allSatisfy({ $0 <= 8 }),
            let count = number(in: content.dropFirst(6), bytes: idBytes)
        else { return }
        var rest = content.dropFirst(6 + idBytes)
        for _ in 0..<count {
            let before = idBytes + (version > 0 ? 2 : 0) + 2 + base
            guard let item = number(in: rest, bytes: idBytes),
                let extents = number(in: rest.dropFirst(before), bytes: 2)
            else { return }
            rest = rest.dropFirst(before + 2)
            for _ in 0..<extents {
                guard rest.count >= index + offset + length else { return }
                // Of 8 bytes the first holds the sign of an Int.
                let place = rest.dropFirst(index + offset)
                let huge = length == 8 && bytes[place.lowerBound] > 0
                let stated = huge ? bytes.count : number(in: place, bytes: length) ?? 0
                // 0 stands for the whole file.
                let taken = stated == 0 ? bytes.count : min(stated, bytes.count)
                itemBytes[item] = min((itemBytes[item] ?? 0) + taken, 1 << 60)
                rest = rest.dropFirst(index + offset + length)
            }
        }
    }

    /// Calls a function with the content of each box of a type among those that follow each other in a range, until one
    /// is invalid.
    func forEach(_ type: String, in range: Range<Int>, _ body: (Range<Int>) -> Void) {
        forEach(in: range) { found, content in if found == type { body(content) } }
    }

    /// Calls a function with the type and the content of each box that follow each other in a range, until one is
    /// invalid.
    func forEach(in range: Range<Int>, _ body: (_ type: String, Range<Int>) -> Void) {
        var rest = range
        while var size = number(in: rest, bytes: 4), rest.count >= 8 {
            var header = 8
            // 1: a size of 64 bits follows; 0: up to the end.
            if size == 1, let long = number(in: rest.dropFirst(9), bytes: 7) { (size, header) = (long, 16) }
            if size == 0 { size = rest.count }
            guard size >= header, size <= rest.count else { return }
            body(
                String(decoding: bytes[rest.dropFirst(4).prefix(4)], as: UTF8.self),
                rest.prefix(size).dropFirst(header)
            )
            rest = rest.dropFirst(size)
        }
    }
}
