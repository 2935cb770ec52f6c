/// Writes HEIF files with any items, properties and references (ISO/IEC 23008-12), valid or not.
package struct HEIFWriter: Sendable {
    package struct Item: Sendable {
        package var number: Int
        package var type: String
        package var data: [UInt8]
        /// Indices of properties, counted from 1.
        package var properties: [Int]

        package init(_ number: Int, _ type: String, _ data: [UInt8] = [], properties: [Int] = []) {
            (self.number, self.type, self.data, self.properties) = (number, type, data, properties)
        }
    }

    package var brand = "heic"
    package var primary = 1
    package var items: [Item] = []
    /// Complete boxes.
    package var properties: [[UInt8]] = []
    package var references: [(type: String, from: Int, to: [Int])] = []
    /// Boxes that replace the default boxes of their type.
    package var replaced: [String: [UInt8]] = [:]

    package init() {}

    package static func long(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
    package static func short(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }
    package static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        long(8 + content.count) + Array(type.utf8) + content
    }

    /// The property with the image size in pixels.
    package static func extent(_ width: Int, _ height: Int) -> [UInt8] {
        box("ispe", [0, 0, 0, 0] + long(width) + long(height))
    }

    package func encode() -> [UInt8] {
        let first = Self.box("ftyp", Array("\(brand)\0\0\0\0mif1\(brand)".utf8))
        // The number of bytes does not depend on the offset.
        let start = first.count + meta(0).count + 8
        return first + meta(start) + Self.box("mdat", items.flatMap(\.data))
    }

    private func meta(_ start: Int) -> [UInt8] {
        func number(_ value: Int) -> [UInt8] { Self.short(value) }
        var place = start
        var places: [UInt8] = []
        for item in items {
            places += number(item.number) + [0, 0] + number(1) + Self.long(place) + Self.long(item.data.count)
            place += item.data.count
        }
        let entries = items.flatMap {
            Self.box("infe", [2, 0, 0, 0] + number($0.number) + [0, 0] + Array($0.type.utf8) + [0])
        }
        let all = references.flatMap { reference in
            Self.box(
                reference.type,
                number(reference.from) + number(reference.to.count) + reference.to.flatMap(number)
            )
        }
        let associations = items.flatMap { item in
            number(item.number) + [UInt8(item.properties.count)] + item.properties.map { UInt8($0) }
        }
        let numbers = [0, 0, 0, 0] + Self.long(items.count) + associations
        let parts: [(String, [UInt8])] = [
            ("hdlr", [0, 0, 0, 0, 0, 0, 0, 0] + Array("pict".utf8) + Array(repeating: 0, count: 13)),
            ("pitm", [0, 0, 0, 0] + number(primary)),
            ("iloc", [0, 0, 0, 0, 0x44, 0] + number(items.count) + places),
            ("iinf", [0, 0, 0, 0] + number(items.count) + entries),
            ("iref", [0, 0, 0, 0] + all),
            ("iprp", Self.box("ipco", properties.flatMap { $0 }) + Self.box("ipma", numbers)),
        ]
        return Self.box("meta", [0, 0, 0, 0] + parts.flatMap { Self.box($0.0, replaced[$0.0] ?? $0.1) })
    }
}
