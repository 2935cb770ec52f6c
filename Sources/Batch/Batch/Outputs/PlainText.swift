/// Decides whether bytes are plain text, such as a caption, a label or JSON.
///
/// With redaction, only plain text members of an archive are copied, because any other member could show a head. The
/// check uses the bytes, never the name.
struct PlainText {
    /// The number of bytes at the start that are searched for the keywords of images in text form.
    private static let headBytes = 4096

    private var head: [UInt8] = []
    /// Bytes of a character that continues in the next part.
    private var rest: [UInt8] = []
    private var isPlain = true

    /// Whether all parts together are text: UTF-8 without control characters, except tabs, line ends and form feeds,
    /// and not an image in text form (SVG, Netpbm, XPM, XBM, PostScript, PDF).
    var isText: Bool { isPlain && rest.isEmpty && !Self.isImage(head) }

    /// Checks the next part; returns false once the bytes cannot be text.
    mutating func add(_ part: [UInt8]) -> Bool {
        guard isPlain else { return false }
        if head.count < Self.headBytes { head += part.prefix(Self.headBytes - head.count) }
        let bytes = rest + part
        // The last character may be incomplete, with at most three of its bytes.
        var end = bytes.count
        for back in 1...3 where back <= bytes.count {
            let byte = bytes[bytes.count - back]
            guard byte & 0xC0 != 0x80 else { continue }
            let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
            if length > back { end = bytes.count - back }
            break
        }
        rest = Array(bytes[end...])
        let whole = bytes[..<end]
        let blanks: ClosedRange<UInt8> = 0x09...0x0D
        isPlain =
            whole.allSatisfy { $0 >= 0x20 && $0 != 0x7F || blanks.contains($0) && $0 != 0x0B }
            && String(validating: whole, as: UTF8.self) != nil
        return isPlain
    }

    private static func isImage(_ head: [UInt8]) -> Bool {
        let begins = head.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let text = head[begins...].drop { $0 <= 0x20 }.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        if imageBeginnings.contains(where: { text.starts(with: $0.utf8) }) { return true }
        // P1 to P7 of Netpbm, before a space.
        if text.count >= 3, text[0] == UInt8(ascii: "p"), (0x31...0x37).contains(text[1]), text[2] <= 0x20 {
            return true
        }
        guard text.first == UInt8(ascii: "<") else { return false }
        let svg = Array("<svg".utf8)
        return text.indices.contains { text[$0...].starts(with: svg) }
    }

    private static let imageBeginnings = ["/* xpm", "! xpm", "#define", "%!ps", "%pdf-", "#?radiance", "#?rgbe"]
}
