/// Enforces the line and byte limits of one header or trailer section.
struct FieldSectionLimit {
    private let maxBytes: Int
    private let maxCount: Int
    private var bytes = 0
    private var count = 0

    init(_ limits: ServerConfiguration) {
        maxBytes = limits.maxHeaderBytes
        maxCount = limits.maxHeaderCount
    }

    /// The length of the next line without CRLF, 0 at the section's end, or nil until the line is complete.
    mutating func lineLength(_ input: inout InputBuffer) throws(RequestError) -> Int? {
        guard
            let length = try input.lineLength(atMost: maxBytes - bytes, tooLong: .headerTooLarge(limit: maxBytes))
        else { return nil }
        guard length > 0 else { return 0 }
        bytes += length + 2
        count += 1
        guard bytes <= maxBytes else { throw .headerTooLarge(limit: maxBytes) }
        guard count <= maxCount else { throw .tooManyFields(limit: maxCount) }
        return length
    }
}
