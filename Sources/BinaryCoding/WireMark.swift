/// Marks that precede values and identify their kind.
enum WireMark {
    /// An element of an array.
    static let element: UInt16 = 0xFFFF
    /// The name of an enumeration's case.
    static let enumerationCase: UInt16 = 0xFFFE
    /// No value.
    static let none: UInt16 = 0xFFFD
    /// A value of an optional that is not nil.
    static let some: UInt16 = 0xFFFC

    /// A member of a struct: FNV-1a of its name, folded to less than the marks above.
    ///
    /// The depth distinguishes the last member of a struct, if it is omitted, from a member of the same name that
    /// follows the struct.
    static func member(_ key: some CodingKey, depth: Int) -> UInt16 {
        var hash: UInt32 = 2_166_136_261 ^ UInt32(truncatingIfNeeded: depth)
        for byte in key.stringValue.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        return UInt16(truncatingIfNeeded: (hash >> 16) ^ hash) & 0x7FFF
    }
}
