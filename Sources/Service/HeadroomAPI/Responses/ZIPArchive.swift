import CZlib

/// Writes a ZIP file of uncompressed entries (PKWARE APPNOTE 6.3.10).
///
/// Images are already compressed. libzip and minizip would add three compressors and a cipher library, but a ZIP file
/// without compression needs only two headers and the CRC-32 function of zlib.
///
/// Names are ASCII or UTF-8. Entries have a constant date, so equal entries make equal archives.
package struct ZIPArchive {
    /// The reason why an entry was not added.
    package enum Failure: Error, Hashable {
        /// The archive would exceed the limits of a ZIP file without 64-bit extensions: 4 GiB and 65,535 entries.
        case full
        /// The name is longer than its 16-bit length field permits.
        case nameTooLong
    }

    private var local: [UInt8] = []
    private var central: [UInt8] = []
    private var count = 0

    /// Creates an empty archive.
    package init() {}

    /// Adds a file; the name is its path in the archive, with `/` between folders.
    ///
    /// - Throws: ``Failure``, without a change to the archive.
    package mutating func add(_ name: String, _ content: [UInt8]) throws(Failure) {
        let path = Array(name.utf8)
        guard path.count <= Int(UInt16.max) else { throw .nameTooLong }
        let added = content.count + 2 * path.count + Size.localHeader + Size.centralHeader + Size.end
        guard count < Int(UInt16.max), local.count + central.count + added <= Int(UInt32.max) else { throw .full }
        let offset = UInt32(clamping: local.count)
        let description = Self.description(of: content, pathLength: path.count)
        local.append(uint32: 0x0403_4B50)
        local += description
        local += path
        local += content
        central.append(uint32: 0x0201_4B50)
        central.append(uint16: Value.version)  // version made by, with DOS attributes
        central += description
        central.append(uint16: 0)  // comment
        central.append(uint16: 0)  // disk
        central.append(uint16: 0)  // internal attributes
        central.append(uint32: 0)  // external attributes
        central.append(uint32: offset)
        central += path
        count += 1
    }

    /// Returns the file with all entries, in the order of addition.
    package func bytes() -> [UInt8] {
        var file = local
        file.reserveCapacity(local.count + central.count + Size.end)
        file += central
        file.append(uint32: 0x0605_4B50)
        file.append(uint16: 0)  // this disk
        file.append(uint16: 0)  // the directory's disk
        file.append(uint16: UInt16(clamping: count))
        file.append(uint16: UInt16(clamping: count))
        file.append(uint32: UInt32(clamping: central.count))
        file.append(uint32: UInt32(clamping: local.count))
        file.append(uint16: 0)  // comment
        return file
    }

    /// Sizes of the fixed parts, in bytes.
    private enum Size {
        static let localHeader = 30
        static let centralHeader = 46
        static let end = 22
    }

    private enum Value {
        /// Version 1.0, the lowest version; no entry needs a higher version.
        static let version: UInt16 = 10
        /// Bit 11: the name is UTF-8.
        static let flags: UInt16 = 1 << 11
        static let stored: UInt16 = 0
        /// 1 January 1980, the earliest date of the format.
        static let date: UInt16 = 1 << 5 | 1
    }

    /// Returns the fields that occur in both headers of an entry, from the required version to the length of the extra
    /// field.
    private static func description(of content: [UInt8], pathLength: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(uint16: Value.version)
        bytes.append(uint16: Value.flags)
        bytes.append(uint16: Value.stored)
        bytes.append(uint16: 0)  // time
        bytes.append(uint16: Value.date)
        bytes.append(uint32: UInt32(truncatingIfNeeded: crc32_z(0, content, content.count)))
        bytes.append(uint32: UInt32(clamping: content.count))  // compressed
        bytes.append(uint32: UInt32(clamping: content.count))
        bytes.append(uint16: UInt16(clamping: pathLength))
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
