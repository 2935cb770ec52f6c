#if AVIF
/// The tracks of an AVIF file that libavif plays; their tables are checked before libavif reads them (ISO/IEC 14496-12,
/// 8.6 and 8.7).
struct AVIFSequence {
    /// Limits of the tables, which are needed because libavif 0.11 finds entries by linear search.
    enum Limit {
        static let tracks = 64
        /// The number of chunks times the number of entries that map chunks to images.
        static let chunkSteps = 50_000_000
    }

    /// The number of images in each run, and the display time of each image in it.
    private var times: [(count: Int, units: Int)] = []
    /// Units of time in a second.
    private var scale = 0
    /// The bytes that replace bytes of the file before libavif 0.11 reads it; see ``hide(_:_:)``.
    private(set) var replacements: [(place: Int, bytes: [UInt8])] = []

    /// Reads the tracks of a file; nil if libavif shows the primary item instead.
    ///
    /// - Throws: ``CodecError`` for tables beyond the limits.
    init?(_ bytes: [UInt8]) throws(CodecError) {
        // libavif shows the primary item if the first brand of the file is a brand of still images.
        guard MediaBrands(Array(bytes.prefix(InputFormat.signatureLength)))?.isSequence == true else { return nil }
        let boxes = Boxes(bytes: bytes)
        let hasItems = boxes.first("meta", in: 0..<bytes.count) != nil
        guard !bytes[8..<12].elementsEqual("avif".utf8) || !hasItems,
            let movie = boxes.first("moov", in: 0..<bytes.count)
        else { return nil }
        // libavif also reads the items.
        if hasItems { _ = try HEIFItems(bytes, .avif) } else { hideBrands(of: bytes, boxes) }
        var (tracks, chunks, entries, isFound) = (0, 0, 0, false)
        var place = movie.lowerBound
        for box in boxes.list(in: movie) {
            defer { place = box.content.upperBound }
            guard box.type == "trak" else { continue }
            tracks += 1
            guard tracks <= Limit.tracks else { throw .corrupt(.avif, "it has more than \(Limit.tracks) tracks") }
            let track = Track(box.content, boxes)
            chunks = min(chunks + track.chunks, DecodeLimits().maxFrames)
            entries += track.chunkEntries
            guard !track.repeatsTimes else { throw .corrupt(.avif, "it has times without frames") }
            if !isFound, track.showsColors { (times, scale, isFound) = (track.times, track.scale, true) }
            if track.isAV1 { correct(track, bytes) } else { hide(place + 4, "free") }
        }
        guard chunks * entries <= Limit.chunkSteps else {
            throw .corrupt(.avif, "its frame tables are too long")
        }
    }

    /// Replaces a name that libavif rejects: the type of tracks without width and height, such as sound tracks, or the
    /// brand of still images in files without items.
    private mutating func hide(_ place: Int, _ name: StaticString) {
        replacements.append((place, name.withUTF8Buffer { Array($0) }))
    }

    private mutating func hideBrands(of bytes: [UInt8], _ boxes: Boxes) {
        guard let brands = boxes.first("ftyp", in: 0..<bytes.count) else { return }
        for place in stride(from: brands.lowerBound, to: brands.upperBound - 3, by: 4)
        where place != brands.lowerBound + 4 && bytes[place..<place + 4].elementsEqual("avif".utf8) {
            hide(place, "avis")
        }
    }

    /// Replaces a configuration that contradicts the coded images.
    private mutating func correct(_ track: Track, _ bytes: [UInt8]) {
        guard let configuration = track.configuration, let start = track.start, start < bytes.count,
            let coded = AV1SequenceHeader(bytes[start...].prefix(HEIFItems.Limit.configurationBytes))
        else { return }
        replacements.append((configuration + 1, Array(coded.configuration[1...2])))
    }

    /// Returns the display times of the first images in milliseconds; 0 for images without a time.
    func milliseconds(_ count: Int) -> [Int] {
        guard scale > 0 else { return Array(repeating: 0, count: count) }
        var all: [Int] = []
        for run in times {
            let seconds = Double(run.units) / Double(scale)
            let time = seconds > 0 && seconds < 1e9 ? Int((seconds * 1000).rounded()) : 0
            all += Array(repeating: time, count: min(run.count, count - all.count))
            if all.count == count { break }
        }
        // The last entry applies to all later images, as in libavif.
        return all + Array(repeating: all.last ?? 0, count: count - all.count)
    }
}

/// Fields parsed from the boxes of a track.
private struct Track {
    var chunks = 0
    var chunkEntries = 0
    var times: [(count: Int, units: Int)] = []
    var scale = 0
    /// Whether an entry applies to no images; libavif would skip such entries again for every image.
    var repeatsTimes = false
    private var hasNumber = false
    private var isAuxiliary = false
    private(set) var isAV1 = false
    /// The offset of the first AV1 configuration.
    private(set) var configuration: Int?
    /// The offset of the first coded image.
    private(set) var start: Int?

    /// Whether the track is an AV1 track with colours, not with alpha.
    var showsColors: Bool { hasNumber && !isAuxiliary && isAV1 && chunks > 0 }

    init(_ content: Range<Int>, _ boxes: Boxes) {
        for box in boxes.list(in: content) {
            switch box.type {
            case "tkhd":
                let isLong = (boxes.number(in: box.content, bytes: 1) ?? 0) > 0
                hasNumber = (boxes.number(in: box.content.dropFirst(isLong ? 20 : 12), bytes: 4) ?? 0) > 0
            case "tref": isAuxiliary = boxes.first("auxl", in: box.content) != nil
            case "mdia": readMedia(box.content, boxes)
            default: break
            }
        }
    }

    private mutating func readMedia(_ content: Range<Int>, _ boxes: Boxes) {
        for box in boxes.list(in: content) {
            switch box.type {
            case "mdhd":
                let isLong = (boxes.number(in: box.content, bytes: 1) ?? 0) > 0
                scale = boxes.number(in: box.content.dropFirst(isLong ? 20 : 12), bytes: 4) ?? 0
            case "minf":
                for inner in boxes.list(in: box.content) where inner.type == "stbl" { readTables(inner.content, boxes) }
            default: break
            }
        }
    }

    private mutating func readTables(_ content: Range<Int>, _ boxes: Boxes) {
        for box in boxes.list(in: content) {
            let count = boxes.number(in: box.content.dropFirst(4), bytes: 4) ?? 0
            let rest = box.content.dropFirst(8)
            switch box.type {
            case "stsd":
                for entry in boxes.list(in: rest) where entry.type == "av01" {
                    isAV1 = true
                    // The boxes of an entry follow its 78 bytes (ISO/IEC 14496-12, 12.1.3).
                    guard configuration == nil, let found = boxes.first("av1C", in: entry.content.dropFirst(78)),
                        found.count >= 4
                    else { continue }
                    configuration = found.lowerBound
                }
            case "stco":
                chunks += min(count, rest.count / 4)
                start = start ?? boxes.number(in: rest, bytes: 4)
            case "co64":
                chunks += min(count, rest.count / 8)
                start = start ?? boxes.number(in: rest, bytes: 8)
            case "stsc": chunkEntries += min(count, rest.count / 12)
            case "stts":
                var reader = BoxReader(boxes, rest)
                for _ in 0..<min(count, DecodeLimits().maxFrames) {
                    guard let images = reader.next(4), let units = reader.next(4) else { break }
                    if images == 0 { repeatsTimes = true }
                    times.append((images, units))
                }
            default: break
            }
        }
    }
}
#endif
