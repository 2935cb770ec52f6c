/// The encoded bytes of a picture: an array, or the part of one that a form carried, which is not copied for it.
package struct SourceBytes: Sendable {
    private let storage: [UInt8]
    private let range: Range<Int>

    /// All of an array.
    package init(_ bytes: [UInt8]) {
        storage = bytes
        range = bytes.indices
    }

    /// A part of an array, whose other bytes stay in memory with it.
    ///
    /// - Parameters:
    ///   - bytes: Such as the body of a request.
    ///   - range: Within the indices of `bytes`.
    package init(_ bytes: [UInt8], in range: Range<Int>) {
        precondition(range.clamped(to: bytes.indices) == range)
        storage = bytes
        self.range = range
    }

    /// The number of bytes.
    package var count: Int { range.count }

    /// Whether there are none.
    package var isEmpty: Bool { range.isEmpty }

    /// The bytes, without a copy.
    package var slice: ArraySlice<UInt8> { storage[range] }

    /// The bytes as an array of their own: the same one where they are all of it, else a copy.
    package var array: [UInt8] { range == storage.indices ? storage : Array(slice) }

    /// Calls `body` with the bytes, without a copy.
    package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try slice.withUnsafeBytes(body)
    }
}

extension SourceBytes: Codable {
    /// Writes the bytes as an array.
    package func encode(to encoder: any Encoder) throws { try array.encode(to: encoder) }

    /// Reads an array.
    package init(from decoder: any Decoder) throws { self.init(try [UInt8](from: decoder)) }
}

extension SourceBytes: ExpressibleByArrayLiteral {
    /// The bytes of a literal.
    package init(arrayLiteral elements: UInt8...) { self.init(elements) }
}
