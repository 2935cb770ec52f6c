/// The start of a document in XML: everything before its root element.
enum MarkupStart {
    /// The number of bytes that may precede the end of the root element's name.
    private static let examinedBytes = 16 << 10

    /// Returns the name of the root element, without a namespace prefix; nil if the bytes do not start like XML.
    ///
    /// A byte order mark of UTF-8, blanks, the XML declaration, comments, processing instructions and a document type
    /// may precede it.
    static func root(of bytes: [UInt8]) -> [UInt8]? {
        var rest = bytes.prefix(examinedBytes)
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        while true {
            rest = rest.drop(while: isBlank)
            let next: ArraySlice<UInt8>?
            if rest.starts(with: "<?".utf8) {
                next = skipping(to: "?>", in: rest.dropFirst(2))
            } else if rest.starts(with: "<!--".utf8) {
                next = skipping(to: "-->", in: rest.dropFirst(4))
            } else if rest.starts(with: "<!".utf8) {
                next = skippingDocumentType(rest.dropFirst(2))
            } else if rest.first == UInt8(ascii: "<") {
                return name(rest.dropFirst())
            } else {
                return nil
            }
            guard let next else { return nil }
            rest = next
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

    /// Returns the bytes after a mark; nil without it.
    private static func skipping(to mark: StaticString, in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let mark = mark.withUTF8Buffer { Array($0) }
        var rest = bytes
        while let first = mark.first, let place = rest.firstIndex(of: first) {
            rest = rest[place...]
            if rest.starts(with: mark) { return rest.dropFirst(mark.count) }
            rest = rest.dropFirst()
        }
        return nil
    }

    /// Returns the bytes after a document type, which may contain declarations in brackets; nil without its end.
    private static func skippingDocumentType(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var rest = bytes
        var isInside = false
        while let byte = rest.first {
            if rest.starts(with: "<!--".utf8) {
                guard let next = skipping(to: "-->", in: rest.dropFirst(4)) else { return nil }
                rest = next
                continue
            }
            rest = rest.dropFirst()
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                guard let end = rest.firstIndex(of: byte) else { return nil }
                rest = rest[end...].dropFirst()
            case UInt8(ascii: "["): isInside = true
            case UInt8(ascii: "]"): isInside = false
            case UInt8(ascii: ">") where !isInside: return rest
            default: break
            }
        }
        return nil
    }

    /// Returns the local part of a name that something follows; nil if the name is cut.
    private static func name(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        let end = bytes.firstIndex { isBlank($0) || $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "/") }
        guard let end else { return nil }
        let name = bytes[..<end]
        guard let colon = name.lastIndex(of: UInt8(ascii: ":")) else { return Array(name) }
        return Array(name[colon...].dropFirst())
    }
}
