/// Decodes the chunked transfer coding (RFC 9112 §7.1).
struct ChunkedDecoder {
    /// The maximum length, in bytes, of a line that contains a chunk's size and extensions.
    static let maxSizeLineBytes = 256

    private enum State {
        case size
        case data(remaining: Int)
        case dataEnd
        case trailers
    }

    private let maxBodyBytes: Int
    private let maxExtensionBytes: Int
    private var state = State.size
    private var extensionBytes = 0
    private var trailers: FieldSectionLimit

    init(limits: ServerConfiguration) {
        maxBodyBytes = limits.maxBodyBytes
        maxExtensionBytes = limits.maxHeaderBytes
        trailers = FieldSectionLimit(limits)
    }

    /// Appends decoded bytes to `body`.
    ///
    /// Returns whether the body is complete.
    mutating func decode(_ input: inout InputBuffer, into body: inout [UInt8]) throws(RequestError) -> Bool {
        while true {
            switch state {
            case .size:
                let maximum = Self.maxSizeLineBytes
                guard let length = try input.lineLength(atMost: maximum, tooLong: .chunkExtensionsTooLong) else {
                    return false
                }
                // bounded: the line is in the buffer
                let size = try chunkSize(input.storage.span.extracting(input.start..<input.start + length))
                input.consume(length + 2)
                guard size <= maxBodyBytes - body.count else { throw .bodyTooLarge(limit: maxBodyBytes) }
                state = size == 0 ? .trailers : .data(remaining: size)

            case .data(let remaining):
                let taken = input.move(upTo: remaining, to: &body)
                state = taken == remaining ? .dataEnd : .data(remaining: remaining - taken)
                guard taken == remaining else { return false }

            case .dataEnd:
                guard input.count >= 2 else { return false }
                guard input.storage[input.start] == .carriageReturn, input.storage[input.start + 1] == .lineFeed else {
                    throw .chunkDataUnterminated
                }
                input.consume(2)
                state = .size

            case .trailers:
                guard let length = try trailers.lineLength(&input) else { return false }
                if length > 0 {
                    // Trailers are validated and dropped. If they were merged into the header, they would bypass the
                    // checks of the header (RFC 9110 §6.5.1).
                    // bounded: the line is in the buffer
                    _ = try FieldLine(parsing: input.storage.span.extracting(input.start..<input.start + length))
                }
                input.consume(length + 2)
                guard length > 0 else { return true }
            }
        }
    }

    private mutating func chunkSize(_ line: Span<UInt8>) throws(RequestError) -> Int {
        var size = 0
        var index = 0
        while index < line.count, let digit = line[index].hexValue {
            let (product, overflows) = size.multipliedReportingOverflow(by: 16)
            guard !overflows else { throw .invalidChunkSize }
            size = product | Int(digit)
            index += 1
        }
        guard index > 0 else { throw .invalidChunkSize }
        guard index < line.count else { return size }
        // Extensions are ignored. The limit restricts the work for many small chunks with long extensions.
        extensionBytes += line.count - index
        guard extensionBytes <= maxExtensionBytes else { throw .chunkExtensionsTooLong }
        try ChunkExtensions.check(line.extracting(index...))
        return size
    }
}

/// The syntax of `chunk-ext`, RFC 9112 §7.1.1: `*( BWS ";" BWS name [ BWS "=" BWS ( token / quoted-string ) ] )`.
///
/// Extensions are validated although they are ignored, because another server may find a different line end in an
/// invalid extension.
enum ChunkExtensions {
    /// Validates the bytes between a chunk's size and CRLF; there must be at least one.
    ///
    /// - Throws: ``RequestError/invalidChunkSize`` for bytes that are not an extension, or
    ///   ``RequestError/invalidChunkExtension``.
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
            // Whitespace is valid only before another extension, not at the end of the line.
            guard next == index || next < bytes.count else { throw .invalidChunkExtension }
            index = next
        }
    }

    private static func afterWhitespace(_ bytes: Span<UInt8>, _ start: Int) -> Int {
        bytes.end(of: { $0.isWhitespace }, from: start)
    }

    private static func afterToken(_ bytes: Span<UInt8>, _ start: Int) throws(RequestError) -> Int {
        let end = bytes.end(of: { $0.isToken }, from: start)
        guard end > start else { throw .invalidChunkExtension }
        return end
    }

    private static func afterValue(_ bytes: Span<UInt8>, _ start: Int) throws(RequestError) -> Int {
        guard start < bytes.count, bytes[start] == .quote else { return try afterToken(bytes, start) }
        var index = start + 1
        while index < bytes.count, bytes[index] != .quote {
            // In a quoted pair, the next byte is checked like any other byte (RFC 9110 §5.6.4).
            if bytes[index] == UInt8(ascii: "\\") { index += 1 }
            guard index < bytes.count, bytes[index].isFieldContent else { throw .invalidChunkExtension }
            index += 1
        }
        guard index < bytes.count else { throw .invalidChunkExtension }
        return index + 1
    }
}
