import UntrustedText

/// The meaning of a gain map's samples, from its file: from XMP, from the segment of ISO 21496-1, or from both.
///
/// Values are kept unchanged. Everything else in the metadata is dropped.
struct GainMapMetadata: Sendable, Equatable {
    /// The properties of Adobe's specification, in its order; each has one value, or one value each for red, green and
    /// blue.
    let properties: [(name: String, values: [String])]
    /// The binary metadata of ISO 21496-1 (annex C.2), starting at their minimum version; nil if there are none.
    let iso: [UInt8]?

    static func == (first: GainMapMetadata, second: GainMapMetadata) -> Bool {
        first.iso == second.iso && first.properties.elementsEqual(second.properties) { $0 == $1 }
    }

    private static let names = [
        "Version", "BaseRenditionIsHDR", "GainMapMin", "GainMapMax", "Gamma", "OffsetSDR", "OffsetHDR",
        "HDRCapacityMin", "HDRCapacityMax",
    ]
    /// The name of the segments of ISO 21496-1.
    static let isoName = "urn:iso:std:iso:ts:21496:-1\0"
    private static let maxXMPBytes = 1 << 16

    /// The metadata of a map; nil if neither form can be read.
    init?(_ segments: JPEGSegments) {
        let iso = segments.content(0xE2, Self.isoName).flatMap { ISOGainMap($0) == nil ? nil : Array($0) }
        self.init(xmp: segments.xmp, iso: iso)
    }

    /// The metadata of an item of a HEIF file, which has only the binary form.
    init?(iso: [UInt8]) { self.init(xmp: nil, iso: ISOGainMap(iso[...]) == nil ? nil : iso) }

    private init?(xmp: ArraySlice<UInt8>?, iso: [UInt8]?) {
        self.iso = iso
        let written = xmp.flatMap { Self.properties(in: Self.text($0)) } ?? []
        guard let iso, written.isEmpty else {
            properties = written
            if written.isEmpty { return nil }
            return
        }
        properties = ISOGainMap(iso[...])?.properties ?? []
    }

    /// Whether the base image is the HDR image.
    var isBasedOnHDR: Bool {
        properties.contains { $0.name == "BaseRenditionIsHDR" && $0.values[0].bytes.matches("true") }
    }

    static func text(_ packet: ArraySlice<UInt8>) -> String {
        String(decoding: packet.prefix(maxXMPBytes), as: UTF8.self)
    }

    /// The properties in a packet; nil if a required property is missing.
    private static func properties(in packet: String) -> [(name: String, values: [String])]? {
        let found = names.compactMap { name in
            values(of: "hdrgm:\(name)", in: packet).map { (name: name, values: $0) }
        }
        let present = Set(found.map(\.name))
        return present.isSuperset(of: ["Version", "GainMapMax", "HDRCapacityMax"]) ? found : nil
    }

    /// Returns the values of a property, which is an attribute or an element with or without a list; nil if they are
    /// not numbers or words.
    private static func values(of name: String, in packet: String) -> [String]? {
        if let start = packet.bytes.firstRange(of: "\(name)=\"") {
            let value = String(packet[start.upperBound...].bytes.prefix(before: "\""))
            return isValue(value) ? [value] : nil
        }
        guard let open = packet.bytes.firstRange(of: "<\(name)>"),
            let end = packet[open.upperBound...].bytes.firstRange(of: "</\(name)>")
        else { return nil }
        let content = packet[open.upperBound..<end.lowerBound]
        let items = content.bytes.split(separator: "<rdf:li>").dropFirst().map { String($0.bytes.prefix(before: "<")) }
        let values = items.isEmpty ? [String(decoding: content.utf8.filter { $0 > 0x20 }, as: UTF8.self)] : items
        return (values.count == 1 || values.count == 3) && values.allSatisfy(isValue) ? values : nil
    }

    private static func isValue(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    // MARK: Writing

    private static let namespace = "xmlns:hdrgm=\"http://ns.adobe.com/hdr-gain-map/1.0/\""

    /// Returns a gain map's file with its metadata after the JFIF segment.
    func added(toMap file: [UInt8]) -> [UInt8] {
        var (attributes, elements) = ("", "")
        for (name, values) in properties {
            if values.count == 1 {
                attributes += " hdrgm:\(name)=\"\(values[0])\""
            } else {
                let items = values.map { "<rdf:li>\($0)</rdf:li>" }.joined()
                elements += "<hdrgm:\(name)><rdf:Seq>\(items)</rdf:Seq></hdrgm:\(name)>"
            }
        }
        let packet = XMPPacket.bytes(Self.namespace + attributes, elements)
        var segments = JPEGSegments.segment(0xE1, JPEGSegments.xmpName, packet)
        if let iso { segments += JPEGSegments.segment(0xE2, Self.isoName, iso) }
        let place = JPEGSegments.placeToAdd(in: file)
        return file[..<place] + segments + file[place...]
    }

    /// Returns a file with an image and its gain map (Ultra HDR 1.1).
    ///
    /// The image contains a directory in XMP and the list of CIPA DC-007, and the map follows it.
    func joined(_ image: [UInt8], _ map: [UInt8], _ copyright: CopyrightNotice?) -> [UInt8] {
        let directory = """
            <Container:Directory><rdf:Seq><rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="Primary" \
            Item:Mime="image/jpeg"/></rdf:li><rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="GainMap" \
            Item:Mime="image/jpeg" Item:Length="\(map.count)"/></rdf:li></rdf:Seq></Container:Directory>
            """
        let attributes = """
            xmlns:Container="http://ns.google.com/photos/1.0/container/" \
            xmlns:Item="http://ns.google.com/photos/1.0/container/item/" \(Self.namespace) hdrgm:Version="1.0"
            """
        let packet = XMPPacket.bytes(attributes, directory, copyright)
        let exif = copyright.flatMap(EXIF.bytes(of:))
        var segments = exif.map { JPEGSegments.segment(0xE1, JPEGSegments.exifName, $0) } ?? []
        segments += JPEGSegments.segment(0xE1, JPEGSegments.xmpName, packet)
        // The image states only the versions; the map contains the complete metadata.
        if iso != nil { segments += JPEGSegments.segment(0xE2, Self.isoName, [0, 0, 0, 0]) }
        let place = JPEGSegments.placeToAdd(in: image)
        let count = image.count + segments.count + ImageList.segmentBytes
        // The distance from the list's header (after marker, length and "MPF") to the map.
        let offset = count - (place + segments.count + 8)
        return image[..<place] + segments + ImageList.segment(first: count, second: map.count, at: offset)
            + image[place...] + map
    }
}

/// The list of two images in a file (CIPA DC-007, 5.2).
private enum ImageList {
    /// Marker, length, name, header, three entries, the end and two images.
    static let segmentBytes = 4 + 4 + 8 + 2 + 3 * 12 + 4 + 2 * 16

    static func segment(first: Int, second: Int, at offset: Int) -> [UInt8] {
        func number(_ value: Int, _ count: Int = 4) -> [UInt8] { [UInt8](bigEndian: value, count: count) }
        let header: [UInt8] = [0x4D, 0x4D, 0, 0x2A] + number(8) + number(3, 2)
        let version = number(0xB000, 2) + number(7, 2) + number(4) + Array("0100".utf8)
        let count = number(0xB001, 2) + number(4, 2) + number(1) + number(2)
        let entries = number(0xB002, 2) + number(7, 2) + number(32) + number(50)
        // The first is the primary image.
        let images =
            number(0x030000) + number(first) + number(0) + number(0)
            + number(0) + number(second) + number(offset) + number(0)
        let list = header + version + count + entries + number(0) + images
        return JPEGSegments.segment(0xE2, "MPF\0", list)
    }
}

/// The binary metadata of ISO 21496-1 (annex C.2).
private struct ISOGainMap {
    let properties: [(name: String, values: [String])]

    /// Parses the metadata; nil if they are truncated or require an unknown version.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count <= 256 else { return nil }
        var rest = bytes
        func number(_ count: Int) -> Int? {
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
        }
        guard number(2) == 0, number(2) != nil, let flags = number(1) else { return nil }
        let channels = flags & 0x80 == 0 ? 1 : 3
        var common: Int?
        if flags & 0x08 != 0 {
            common = number(4)
            guard common != nil else { return nil }
        }
        func fraction(signed: Bool) -> Double? {
            guard let numerator = number(4), let denominator = common ?? number(4), denominator > 0 else { return nil }
            return Double(signed ? Int(Int32(truncatingIfNeeded: numerator)) : numerator) / Double(denominator)
        }
        guard let base = fraction(signed: false), let alternate = fraction(signed: false) else { return nil }
        var lists: [[Double]] = []
        for _ in 0..<channels {
            guard let minimum = fraction(signed: true), let maximum = fraction(signed: true),
                let gamma = fraction(signed: false), let before = fraction(signed: true),
                let after = fraction(signed: true), gamma > 0
            else { return nil }
            lists.append([minimum, maximum, gamma, before, after])
        }
        let isHDR = base > alternate
        func texts(_ index: Int) -> [String] {
            let values = lists.map { $0[index] }
            return (values.allSatisfy { $0 == values[0] } ? [values[0]] : values).map { "\($0)" }
        }
        properties = [
            ("Version", ["1.0"]), ("BaseRenditionIsHDR", [isHDR ? "True" : "False"]), ("GainMapMin", texts(0)),
            ("GainMapMax", texts(1)), ("Gamma", texts(2)), ("OffsetSDR", texts(isHDR ? 4 : 3)),
            ("OffsetHDR", texts(isHDR ? 3 : 4)), ("HDRCapacityMin", ["\(min(base, alternate))"]),
            ("HDRCapacityMax", ["\(max(base, alternate))"]),
        ]
    }
}
