/// The grammar of `chunk-ext`, RFC 9112 §7.1.1: `*( BWS ";" BWS name [ BWS "=" BWS ( token / quoted-string ) ] )`.
///
/// Extensions are ignored but validated: another server may find a different line end in an invalid one.
enum ChunkExtensions {
    /// Validates the bytes between a chunk's size and CRLF, which are not empty.
    ///
    /// - Throws: ``RequestError/invalidChunkSize`` for anything but an extension, or ``RequestError/invalidChunkExtension``.
    static func check(_ bytes: Span<UInt8>) throws(RequestError) {
        var index = afterWhitespace(bytes, 0)
        guard index < bytes.count, bytes[index] == .semicolon else { throw .invalidChunkSize }
        while index < bytes.count {
            guard bytes[index] == .semicolon else { throw .invalidChunkExtension }
            index = try afterToken(bytes, afterWhitespace(bytes, index + 1))
            var next = afterWhitespace(bytes, index)
            if next < bytes.count, bytes[next] == UInt8(ascii: "=") {
                index = try afterValue(bytes, afterWhitespace(bytes, next + 1))
                next = afterWhitespace(bytes, index)
            }
            // Whitespace is only valid before another extension, not at the end of the line.
            guard next == index || next < bytes.count else { throw .invalidChunkExtension }
            index = next
        }
    }

    private static func afterWhitespace(_ bytes: Span<UInt8>, _ start: Int) -> Int {
        var index = start
        while index < bytes.count, bytes[index].isWhitespace { index += 1 }
        return index
    }

    private static func afterToken(_ bytes: Span<UInt8>, _ start: Int) throws(RequestError) -> Int {
        var index = start
        while index < bytes.count, bytes[index].isToken { index += 1 }
        guard index > start else { throw .invalidChunkExtension }
        return index
    }

    private static func afterValue(_ bytes: Span<UInt8>, _ start: Int) throws(RequestError) -> Int {
        guard start < bytes.count, bytes[start] == .quote else { return try afterToken(bytes, start) }
        var index = start + 1
        while index < bytes.count, bytes[index] != .quote {
            // A quoted pair; the next byte is checked like any other (RFC 9110 §5.6.4).
            if bytes[index] == UInt8(ascii: "\\") { index += 1 }
            guard index < bytes.count, bytes[index].isFieldContent else { throw .invalidChunkExtension }
            index += 1
        }
        guard index < bytes.count else { throw .invalidChunkExtension }
        return index + 1
    }
}
