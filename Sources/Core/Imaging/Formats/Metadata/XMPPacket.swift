import UntrustedText

/// Reads and writes creator, rights and credit in an XMP packet (ISO 16684-1).
///
/// Only the usual forms are found: elements with the usual prefixes, and `photoshop:Credit` also as an attribute.
struct XMPPacket {
    /// The maximum size of a packet that is searched, in bytes.
    static let maxBytes = 1 << 18

    private let bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes.prefix(Self.maxBytes) }

    var notice: CopyrightNotice {
        CopyrightNotice(
            artist: items(of: "dc:creator"),
            copyright: items(of: "dc:rights"),
            credit: attribute("photoshop:Credit") ?? content(of: "photoshop:Credit", in: bytes).flatMap(Self.text)
        )
    }

    /// The texts in the list of an element.
    private func items(of element: String) -> String? {
        guard let list = content(of: element, in: bytes) else { return nil }
        var texts: [String] = []
        var rest = list
        while texts.count < 16, let item = content(of: "rdf:li", in: rest) {
            if let text = Self.text(item) { texts.append(text) }
            rest = list[item.endIndex...]
        }
        return texts.isEmpty ? nil : CopyrightNotice.text(texts.joined(separator: "; ").utf8)
    }

    /// The content of the first element of a name; nil if there is none.
    private func content(of element: String, in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let start = Self.index(of: "<\(element)", in: bytes),
            let open = bytes[start...].firstIndex(of: UInt8(ascii: ">")), bytes[open - 1] != UInt8(ascii: "/"),
            let end = Self.index(of: "</\(element)>", in: bytes[(open + 1)...])
        else { return nil }
        return bytes[open + 1..<end]
    }

    private func attribute(_ name: String) -> String? {
        guard let start = Self.index(of: " \(name)=\"", in: bytes) else { return nil }
        let value = bytes[(start + name.utf8.count + 3)...]
        return value.firstIndex(of: UInt8(ascii: "\"")).flatMap { Self.text(value[..<$0]) }
    }

    private static func index(of text: String, in bytes: ArraySlice<UInt8>) -> Int? {
        let text = Array(text.utf8)
        guard bytes.count >= text.count else { return nil }
        return (bytes.startIndex...bytes.endIndex - text.count).first { start in
            bytes[start] == text[0] && bytes[start..<start + text.count].elementsEqual(text)
        }
    }

    private static let entities = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]

    /// The text of content, with its entities replaced; nil if it contains other elements.
    private static func text(_ content: ArraySlice<UInt8>) -> String? {
        guard !content.contains(UInt8(ascii: "<")) else { return nil }
        let parts = content.prefix(12 * CopyrightNotice.maxBytes).split(
            separator: UInt8(ascii: "&"),
            omittingEmptySubsequences: false
        )
        var text = Array(parts[0])
        for part in parts.dropFirst() {
            guard let end = part.firstIndex(of: UInt8(ascii: ";")) else { return nil }
            guard end - part.startIndex <= 9 else { return nil }
            let name = String(decoding: part[..<end], as: UTF8.self)
            guard name.bytes.isASCII else { return nil }
            guard let scalar = entities[name] ?? number(name).map(String.init) else { return nil }
            text += scalar.utf8
            text += part[(end + 1)...]
        }
        return CopyrightNotice.text(text)
    }

    /// Returns the character of a numeric reference, for example `#233` or `#xE9`.
    private static func number(_ name: String) -> UnicodeScalar? {
        guard name.bytes.hasPrefix("#"), name.utf8.count <= 9 else { return nil }
        let digits = name.dropFirst()
        let value = digits.bytes.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return value.flatMap(UnicodeScalar.init)
    }

    static func bytes(of notice: CopyrightNotice) -> [UInt8] { bytes("", "", notice) }

    /// A packet with one description.
    ///
    /// - Parameters:
    ///   - attributes: Namespaces and properties of the description, as the text of attributes.
    ///   - elements: Further properties, as the text of elements.
    ///   - notice: A notice to add; nil for none.
    /// - Returns: The packet in UTF-8.
    static func bytes(_ attributes: String, _ elements: String, _ notice: CopyrightNotice? = nil) -> [UInt8] {
        let own = notice.map { _ in
            "xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:photoshop=\"http://ns.adobe.com/photoshop/1.0/\""
        }
        let all = [own, attributes].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " ")
        let packet = """
            <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">\
            <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
            \(all)>\
            \(notice.map(properties(of:)) ?? "")\(elements)</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="r"?>
            """
        return Array(packet.utf8)
    }

    private static func properties(of notice: CopyrightNotice) -> String {
        var properties = ""
        if let artist = notice.artist {
            properties += "<dc:creator><rdf:Seq><rdf:li>\(escaped(artist))</rdf:li></rdf:Seq></dc:creator>"
        }
        if let copyright = notice.copyright {
            properties +=
                "<dc:rights><rdf:Alt><rdf:li xml:lang=\"x-default\">\(escaped(copyright))</rdf:li></rdf:Alt></dc:rights>"
        }
        if let credit = notice.credit {
            properties += "<photoshop:Credit>\(escaped(credit))</photoshop:Credit>"
        }
        return properties
    }

    private static func escaped(_ text: String) -> String {
        text.bytes.replacing("&", with: "&amp;").bytes.replacing("<", with: "&lt;").bytes.replacing(">", with: "&gt;")
    }
}
