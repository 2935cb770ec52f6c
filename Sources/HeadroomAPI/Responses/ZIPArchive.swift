import CZlib

/// Writes a ZIP file of entries that are stored as they are (PKWARE APPNOTE 6.3.10).
///
/// Made for pictures, which are compressed already. libzip and minizip do far more, and bring along three compressors and
/// a library of ciphers; what they would be needed for here are two headers and a checksum, which zlib has.
///
/// Names are in ASCII or UTF-8. Entries have no time of their own, so equal entries make equal archives.
package struct ZIPArchive {
    /// Why an entry was not added.
    package enum Failure: Error, Hashable {
        /// The archive would exceed what a ZIP file without 64-bit extensions can hold: 4 GiB, and 65,535 entries.
        case full
        /// A name has more bytes than its length field can tell.
        case nameTooLong
    }

    private var local: [UInt8] = []
    private var central: [UInt8] = []
    private var count = 0

    /// An archive without entries.
    package init() {}

    /// Adds a file.
    ///
    /// - Parameters:
    ///   - name: Its path in the archive, with `/` between folders.
    ///   - content: Its bytes.
    /// - Throws: ``Failure``, and the archive stays as it was.
    package mutating func add(_ name: String, _ content: [UInt8]) throws(Failure) {
        let path = Array(name.utf8)
        guard path.count <= Int(UInt16.max) else { throw .nameTooLong }
        let added = content.count + 2 * path.count + Size.localHeader + Size.centralHeader + Size.end
        guard count < Int(UInt16.max), local.count + central.count + added <= Int(UInt32.max) else { throw .full }
        let offset = UInt32(local.count)
        let description = Self.description(of: content, pathLength: path.count)
        local.append(uint32: 0x0403_4B50)
        local += description
        local += path
        local += content
        central.append(uint32: 0x0201_4B50)
        central.append(uint16: Value.version)  // made by, on a system with DOS attributes
        central += description
        central.append(uint16: 0)  // comment
        central.append(uint16: 0)  // disk
        central.append(uint16: 0)  // internal attributes
        central.append(uint32: 0)  // external attributes
        central.append(uint32: offset)
        central += path
        count += 1
    }

    /// The file with all entries, in the order in which they were added.
    package func bytes() -> [UInt8] {
        var file = local
        file.reserveCapacity(local.count + central.count + Size.end)
        file += central
        file.append(uint32: 0x0605_4B50)
        file.append(uint16: 0)  // this disk
        file.append(uint16: 0)  // the directory's disk
        file.append(uint16: UInt16(count))
        file.append(uint16: UInt16(count))
        file.append(uint32: UInt32(central.count))
        file.append(uint32: UInt32(local.count))
        file.append(uint16: 0)  // comment
        return file
    }

    /// Bytes of the fixed parts.
    private enum Size {
        static let localHeader = 30
        static let centralHeader = 46
        static let end = 22
    }

    private enum Value {
        /// 1.0, the least there is, for nothing here needs more.
        static let version: UInt16 = 10
        /// Bit 11: the name is UTF-8.
        static let flags: UInt16 = 1 << 11
        static let stored: UInt16 = 0
        /// 1 January 1980, the earliest date that there is.
        static let date: UInt16 = 1 << 5 | 1
    }

    /// What stands in both headers of an entry, from the version that is needed to the length of the extra field.
    private static func description(of content: [UInt8], pathLength: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(uint16: Value.version)
        bytes.append(uint16: Value.flags)
        bytes.append(uint16: Value.stored)
        bytes.append(uint16: 0)  // time
        bytes.append(uint16: Value.date)
        bytes.append(uint32: UInt32(truncatingIfNeeded: crc32_z(0, content, content.count)))
        bytes.append(uint32: UInt32(content.count))  // compressed
        bytes.append(uint32: UInt32(content.count))
        bytes.append(uint16: UInt16(pathLength))
        bytes.append(uint16: 0)  // extra field
        return bytes
    }
}

extension [UInt8] {
    fileprivate mutating func append(uint16 value: UInt16) {
        append(UInt8(truncatingIfNeeded: value))
        append(UInt8(truncatingIfNeeded: value >> 8))
    }

    fileprivate mutating func append(uint32 value: UInt32) {
        append(uint16: UInt16(truncatingIfNeeded: value))
        append(uint16: UInt16(truncatingIfNeeded: value >> 16))
    }
}
