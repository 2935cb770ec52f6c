/// What stands before values, so that a reader knows what comes.
enum WireMark {
    /// An element of an array.
    static let element: UInt16 = 0xFFFF
    /// The name of an enumeration's case.
    static let enumerationCase: UInt16 = 0xFFFE
    /// No value.
    static let none: UInt16 = 0xFFFD
    /// A value that could have been none.
    static let some: UInt16 = 0xFFFC

    /// A member of a struct: FNV-1a of its name, folded, and less than the marks above.
    ///
    /// The depth tells the last member of a struct, should it be left out, from one of the same name that follows outside.
    static func member(_ key: some CodingKey, depth: Int) -> UInt16 {
        var hash: UInt32 = 2_166_136_261 ^ UInt32(truncatingIfNeeded: depth)
        for byte in key.stringValue.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        return UInt16(truncatingIfNeeded: (hash >> 16) ^ hash) & 0x7FFF
    }
}

/// What is written as it is.
protocol WireValue {
    func write(to writer: WireWriter)
    init(from reader: WireReader) throws
}

extension WireValue where Self: FixedWidthInteger {
    func write(to writer: WireWriter) { writer.put(self) }
    init(from reader: WireReader) throws { self = try reader.number(Self.self) }
}

extension Int: WireValue {}
extension Int8: WireValue {}
extension Int16: WireValue {}
extension Int32: WireValue {}
extension Int64: WireValue {}
extension UInt: WireValue {}
extension UInt8: WireValue {}
extension UInt16: WireValue {}
extension UInt32: WireValue {}
extension UInt64: WireValue {}

extension Bool: WireValue {
    func write(to writer: WireWriter) { writer.put(UInt8(self ? 1 : 0)) }
    init(from reader: WireReader) throws { self = try reader.number(UInt8.self) != 0 }
}

extension Double: WireValue {
    func write(to writer: WireWriter) { writer.put(bitPattern) }
    init(from reader: WireReader) throws { self.init(bitPattern: try reader.number(UInt64.self)) }
}

extension Float: WireValue {
    func write(to writer: WireWriter) { writer.put(bitPattern) }
    init(from reader: WireReader) throws { self.init(bitPattern: try reader.number(UInt32.self)) }
}

extension String: WireValue {
    func write(to writer: WireWriter) {
        writer.put(UInt32(utf8.count))
        writer.put(utf8)
    }

    init(from reader: WireReader) throws {
        let count = Int(try reader.number(UInt32.self))
        self.init(decoding: try reader.bytes(count), as: UTF8.self)
    }
}
