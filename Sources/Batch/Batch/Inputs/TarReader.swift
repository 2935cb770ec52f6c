import Encodings
import Imaging
import Requests
import UntrustedText

/// Rows of a tar archive in WebDataset's order: neighbouring members with equal keys belong together.
struct TarReader: RowReader {
    /// The maximum number of members in a group; a larger group is split.
    static let maxGroup = 256

    private var members: TarMembers
    private let name: String
    private var group: [ArchiveMember] = []
    private var rows: [InputRow] = []

    /// Creates a reader for an archive.
    ///
    /// The archive cannot be a pipe, because the contents of its members are read later.
    init(_ file: any InputFile) throws(BatchError) {
        guard let length = try file.knownLength() else {
            throw BatchError(usage: "\(file.path): an archive must be a file, not a pipe")
        }
        members = TarMembers(file, length: length)
        name = file.path
    }

    mutating func next() throws(BatchError) -> InputRow? {
        while rows.isEmpty {
            guard let found = try members.next() else {
                guard !group.isEmpty else { return nil }
                endGroup()
                continue
            }
            switch found {
            case .member(let member):
                if let first = group.first, first.key != member.key || group.count == Self.maxGroup { endGroup() }
                group.append(member)
            case .refused(let name, let reason):
                endGroup()
                rows.append(InputRow(job: .failure(.row(reason)), place: "\(self.name):\(name ?? "end")"))
            }
        }
        return rows.removeFirst()
    }

    private mutating func endGroup() {
        guard !group.isEmpty else { return }
        let images = group.filter { Self.isImage($0.name) }
        let others = group.filter { !Self.isImage($0.name) }
        if images.isEmpty {
            let names = others.prefix(3).map(\.name).joined(separator: ", ")
            rows.append(
                InputRow(
                    job: .failure(.row("No member with an image extension: \(names).")),
                    place: "\(name):\(others[0].name)"
                )
            )
        }
        let isAlone = images.count == 1
        for index in images.indices {
            let image = images[index]
            let own = isAlone ? image.key : RelativePath.withoutExtension(image.name)
            let source = JobSource.part(of: image.archive, image.range, member: image.name)
            let job = BatchJob(key: own, source: source, companions: index == 0 ? others : [])
            rows.append(InputRow(job: .success(job), place: source.text))
        }
        group = []
    }

    private static let extensions = Set(InputFormat.allCases.flatMap(\.fileExtensions))

    static func isImage(_ name: String) -> Bool { extensions.contains(RelativePath.pathExtension(name)) }
}

/// Reads the members of a tar archive, without their contents.
struct TarMembers {
    enum Found: Equatable {
        case member(ArchiveMember)
        /// A member that cannot be read, with its name if there is one.
        case refused(name: String?, reason: String)
    }

    /// The maximum size of an extended header or long name in bytes.
    static let maxHeaderBytes = 1 << 20

    private let file: any InputFile
    private let length: Int
    private var offset = 0
    private var isAtEnd = false
    // The values of extended headers for the next member.
    private var longName: String?
    private var extended: [String: String] = [:]

    init(_ file: any InputFile, length: Int) {
        self.file = file
        self.length = length
    }

    /// The next file; nil at the end.
    ///
    /// Folders and other entries that are not files are skipped.
    mutating func next() throws(BatchError) -> Found? {
        while !isAtEnd {
            guard offset < length else { return finish(nil) }
            let block = try file.read(offset..<min(offset + TarHeader.blockBytes, length))
            if block.allSatisfy({ $0 == 0 }) { return finish(nil) }
            var header: TarHeader
            do {
                header = try TarHeader(block[...])
            } catch {
                return finish(
                    "The archive is damaged at byte \(offset) (\(error)); the members after it cannot be read."
                )
            }
            let start = offset + TarHeader.blockBytes
            guard let size = size(of: header), size <= length - start else {
                return finish("The archive ends inside \(longName ?? header.name).")
            }
            header.size = size
            offset = min(start + header.paddedSize, length)
            if let found = try content(header, start..<(start + size)) { return found }
        }
        return nil
    }

    /// The size of a member's content; nil for an invalid number.
    ///
    /// A size in the extended header has priority.
    private func size(of header: TarHeader) -> Int? {
        guard [.file, .sparse, .other].contains(header.kind), let text = extended["size"] else { return header.size }
        return Int(plainDigits: text)
    }

    /// The entry of a header and its content; nil for entries that are not files.
    private mutating func content(_ header: TarHeader, _ range: Range<Int>) throws(BatchError) -> Found? {
        switch header.kind {
        case .longName, .extended:
            guard range.count <= Self.maxHeaderBytes else {
                return finish("A header has more than \(Self.maxHeaderBytes) bytes.")
            }
            let bytes = try file.read(range)
            if header.kind == .longName {
                longName = FileName.text(of: bytes.prefix { $0 != 0 })
            } else {
                guard let values = PaxRecords.values(bytes) else {
                    return finish("An extended header at byte \(range.lowerBound) is damaged.")
                }
                extended = values
            }
            return nil
        case .longLink, .global, .folder, .other:
            if header.kind == .folder || header.kind == .other { clear() }
            return nil
        case .file, .link, .sparse:
            let name = extended["path"] ?? longName ?? header.name
            let isSparse = header.kind == .sparse || extended.keys.contains { $0.bytes.hasPrefix("GNU.sparse.") }
            clear()
            if header.kind == .link { return .refused(name: name, reason: "\(name) is a link.") }
            if isSparse { return .refused(name: name, reason: "\(name) is a sparse file.") }
            return .member(ArchiveMember(name: name, archive: file.path, range: range))
        }
    }

    private mutating func clear() {
        longName = nil
        extended = [:]
    }

    private mutating func finish(_ reason: String?) -> Found? {
        isAtEnd = true
        return reason.map { .refused(name: nil, reason: $0) }
    }
}

/// A header in a tar archive (POSIX.1-1988 ustar with the extensions of GNU and POSIX.1-2001), before extended headers
/// are applied.
struct TarHeader: Equatable {
    /// The length of a header, and the unit of contents.
    static let blockBytes = 512

    enum Kind: Equatable {
        case file, folder, link
        /// GNU: a file whose content has holes.
        case sparse
        /// GNU: the name, or the link target, of the next member.
        case longName, longLink
        /// POSIX: fields of the next member, or of all later members.
        case extended, global
        case other
    }

    var name: String
    var size: Int
    var kind: Kind

    enum Problem: Error, Equatable {
        case checksum
        case size
    }

    init(_ block: ArraySlice<UInt8>) throws(Problem) {
        let bytes = Array(block)
        guard bytes.count == Self.blockBytes, Self.number(bytes[148..<156]) == Self.checksum(bytes) else {
            throw .checksum
        }
        guard let size = Self.number(bytes[124..<136]), size <= 1 << 48 else { throw .size }
        self.size = size
        switch bytes[156] {
        case 0, UInt8(ascii: "0"), UInt8(ascii: "7"): kind = .file
        case UInt8(ascii: "1"), UInt8(ascii: "2"): kind = .link
        case UInt8(ascii: "5"): kind = .folder
        case UInt8(ascii: "S"): kind = .sparse
        case UInt8(ascii: "L"): kind = .longName
        case UInt8(ascii: "K"): kind = .longLink
        case UInt8(ascii: "x"): kind = .extended
        case UInt8(ascii: "g"): kind = .global
        default: kind = .other
        }
        // Links and folders have no content in the archive, regardless of their size field.
        if kind == .link || kind == .folder { self.size = 0 }
        // GNU's magic ends with spaces. In this format, the bytes at offset 345 are other fields, not a prefix of the
        // name.
        let hasPrefix = bytes[257..<263].elementsEqual("ustar\0".utf8)
        let parts = (hasPrefix ? [bytes[345..<500]] : []) + [bytes[0..<100]]
        let texts = parts.map { FileName.text(of: $0.prefix { $0 != 0 }) }
        name = texts.filter { !$0.isEmpty }.joined(separator: "/")
    }

    /// The content's length in the archive: a whole number of blocks.
    var paddedSize: Int { (size + Self.blockBytes - 1) / Self.blockBytes * Self.blockBytes }

    /// The sum of all bytes, in which the checksum field counts as spaces.
    static func checksum(_ block: [UInt8]) -> Int {
        block.enumerated().reduce(0) { $0 + (148..<156 ~= $1.offset ? 0x20 : Int($1.element)) }
    }

    /// A number in octal digits, or in GNU's base 256; nil for other bytes and for negative numbers.
    static func number(_ field: ArraySlice<UInt8>) -> Int? {
        if let first = field.first, first & 0x80 != 0 {
            guard first == 0x80, field.dropFirst().dropLast(7).allSatisfy({ $0 == 0 }) else { return nil }
            return field.suffix(7).reduce(0) { $0 << 8 | Int($1) }
        }
        let digits = field.drop { $0 == 0x20 }.prefix { $0 != 0 && $0 != 0x20 }
        guard digits.allSatisfy({ (0x30...0x37).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 << 3 | Int($1 - 0x30) }
    }
}

/// The records of an extended header (POSIX.1-2001 pax): `length keyword=value`, each with a line feed.
private enum PaxRecords {
    /// The maximum length of a stored keyword, in bytes.
    ///
    /// Known keywords are shorter.
    private static let maxKeywordBytes = 64

    static func values(_ bytes: [UInt8]) -> [String: String]? {
        var values: [String: String] = [:]
        var rest = bytes[...]
        while !rest.isEmpty {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            guard let length = Int(plainDigits: String(decoding: digits, as: UTF8.self)), length <= rest.count,
                length > digits.count + 1, rest.dropFirst(digits.count).first == 0x20
            else { return nil }
            let record = rest.prefix(length).dropFirst(digits.count + 1)
            guard record.last == 0x0A, let equals = record.firstIndex(of: UInt8(ascii: "=")),
                let keyword = String(validating: record[..<equals], as: UTF8.self)
            else { return nil }
            rest = rest.dropFirst(length)
            // Keywords with non-ASCII characters are skipped, because keywords become keys of the dictionary.
            guard keyword.bytes.isWord(atMost: maxKeywordBytes) else { continue }
            // Values may be binary.
            values[keyword] = FileName.text(of: record[(equals + 1)...].dropLast())
        }
        return values
    }
}
