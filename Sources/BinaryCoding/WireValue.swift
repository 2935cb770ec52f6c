/// A value with a fixed encoding.
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
