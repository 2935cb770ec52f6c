import BinaryCoding

/// The encoded bytes of an image: a whole array, or a slice that is not copied, such as the file in a form's body.
package struct SourceBytes: Sendable {
    private let storage: [UInt8]
    private let range: Range<Int>

    /// Creates bytes from a whole array.
    package init(_ bytes: [UInt8]) {
        storage = bytes
        range = bytes.indices
    }

    /// Creates bytes from a slice of an array; the whole array stays in memory.
    ///
    /// - Parameters:
    ///   - bytes: The whole array, such as the body of a request.
    ///   - range: The range of the slice, within the indices of `bytes`.
    package init(_ bytes: [UInt8], in range: Range<Int>) {
        precondition(range.clamped(to: bytes.indices) == range)
        storage = bytes
        self.range = range
    }

    /// The number of bytes.
    package var count: Int { range.count }

    /// Whether the number of bytes is 0.
    package var isEmpty: Bool { range.isEmpty }

    /// The bytes, without a copy.
    package var slice: ArraySlice<UInt8> { storage[range] }

    /// The bytes as an array: the same array if the slice covers the whole array, otherwise a copy.
    package var array: [UInt8] { range == storage.indices ? storage : Array(slice) }

    /// Calls `body` with the bytes, without a copy.
    package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try slice.withUnsafeBytes(body)
    }
}

extension SourceBytes: Codable {
    /// Encodes the bytes as an array.
    package func encode(to encoder: any Encoder) throws { try array.encode(to: encoder) }

    /// Decodes an array.
    package init(from decoder: any Decoder) throws { self.init(try [UInt8](from: decoder)) }
}

extension SourceBytes: ExpressibleByArrayLiteral {
    /// Creates bytes from a literal.
    package init(arrayLiteral elements: UInt8...) { self.init(elements) }
}
