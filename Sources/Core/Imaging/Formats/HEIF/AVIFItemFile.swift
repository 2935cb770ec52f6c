#if AVIF
import Geometry

/// A file with one coded image of an AVIF file and only the properties that a decoder needs, without crops, rotations
/// and profiles.
struct AVIFItemFile {
    let bytes: [UInt8]

    /// `pixi` is omitted: libavif rejects a `pixi` that contradicts the depth of the coded image.
    private static let kept: [BoxType] = ["ispe", "av1C", "colr", "a1op", "lsel", "a1lx"]
    /// The maximum size of a property in bytes; the kept properties have at most about 30.
    private static let maxBytes = HEIFItems.Limit.configurationBytes

    /// Copies the data of an item.
    ///
    /// - Throws: ``CodecError`` if the file ends before the end of the item's data, or if its configuration is too
    ///   long.
    init(_ number: Int, size: PixelSize, of items: HEIFItems) throws(CodecError) {
        let data = try items.data(of: number)
        // The header of the coded image takes precedence, as in dav1d, because some encoders write wrong
        // configurations.
        let coded = AV1SequenceHeader(data)
        var properties: [(content: [UInt8], isEssential: Bool)] = []
        var seen: [BoxType] = []
        for property in items.items[number]?.properties ?? [] {
            // Only the first colour description is kept; a profile is read elsewhere.
            let isProfile = property.type == "colr" && !items.bytes[property.content].starts(with: "nclx".utf8)
            guard Self.kept.contains(property.type), !isProfile, !seen.contains(property.type) else { continue }
            guard property.content.count <= Self.maxBytes else {
                throw .corrupt(.avif, "its configuration has more than \(Self.maxBytes) bytes")
            }
            seen.append(property.type)
            var content = Array(items.bytes[property.content])
            if property.type == "av1C", let coded { content = coded.configuration }
            properties.append((Self.box(property.type, content), property.isEssential))
        }
        // trusted: a type has four bytes
        if !seen.contains("av1C"), let coded { properties.append((Self.box("av1C", coded.configuration), true)) }
        // trusted: a type has four bytes
        if !seen.contains("ispe") {
            let sides = [UInt8](bigEndian: size.width, count: 4) + [UInt8](bigEndian: size.height, count: 4)
            properties.append((Self.box("ispe", [0, 0, 0, 0] + sides), false))
        }
        let type = Self.box("ftyp", Array("avif\0\0\0\0avifmif1".utf8))
        // The number of bytes does not depend on the offset.
        let start = type.count + Self.meta(properties, start: 0, count: data.count).count + 8
        bytes = type + Self.meta(properties, start: start, count: data.count) + Self.head("mdat", data.count) + data
    }

    private static func head(_ type: BoxType, _ count: Int) -> [UInt8] {
        [UInt8](bigEndian: 8 + count, count: 4) + [UInt8](bigEndian: type.code, count: 4)
    }

    private static func box(_ type: BoxType, _ content: [UInt8]) -> [UInt8] { head(type, content.count) + content }

    private static func meta(_ properties: [([UInt8], isEssential: Bool)], start: Int, count: Int) -> [UInt8] {
        let place = [UInt8](bigEndian: start, count: 4) + [UInt8](bigEndian: count, count: 4)
        let associations = properties.enumerated().map { UInt8($0 + 1) | ($1.isEssential ? 0x80 : 0) }
        let numbers: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1, 0, 1, UInt8(properties.count)] + associations
        let version: [UInt8] = [0, 0, 0, 0]
        var content = version
        content += box("hdlr", version + version + Array("pict".utf8) + Array(repeating: 0, count: 13))
        content += box("pitm", version + [0, 1])
        content += box("iloc", version + [0x44, 0, 0, 1, 0, 1, 0, 0, 0, 1] + place)
        content += box("iinf", version + [0, 1] + box("infe", [2, 0, 0, 0, 0, 1, 0, 0] + Array("av01".utf8) + [0]))
        content += box("iprp", box("ipco", properties.flatMap(\.0)) + box("ipma", numbers))
        return box("meta", content)
    }
}
#endif
