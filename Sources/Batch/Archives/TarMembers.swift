import HeadroomAPI

/// The members of a tar archive, without their contents.
struct TarMembers {
    /// What is found at one place of the archive.
    enum Found: Equatable {
        case member(ArchiveMember)
        /// A member that cannot be read; with its name, if it has one.
        case refused(name: String?, reason: String)
    }

    /// The longest extended header or long name in bytes.
    static let maxHeaderBytes = 1 << 20

    private let file: any InputFile
    private let length: Int
    private var offset = 0
    private var isAtEnd = false
    // Of the next member.
    private var longName: String?
    private var extended: [String: String] = [:]

    init(_ file: any InputFile, length: Int) {
        self.file = file
        self.length = length
    }

    /// The next file; nil at the end.
    ///
    /// What is no file and no picture's content, such as a folder, is passed over.
    mutating func next() throws(BatchError) -> Found? {
        while !isAtEnd {
            guard offset < length else { return finish(nil) }
            let block = try file.read(offset..<min(offset + TarHeader.blockBytes, length))
            if block.allSatisfy({ $0 == 0 }) { return finish(nil) }
            let header: TarHeader
            do {
                header = try TarHeader(block[...])
            } catch {
                return finish("The archive is damaged at byte \(offset) (\(error)); what follows cannot be read.")
            }
            let start = offset + TarHeader.blockBytes
            guard let size = size(of: header), size <= length - start else {
                return finish("The archive ends inside of \(longName ?? header.name).")
            }
            var padded = header
            padded.size = size
            offset = min(start + padded.paddedSize, length)
            if let found = try content(padded, start..<(start + size)) { return found }
        }
        return nil
    }

    /// The size of a content, which an extended header may state; nil for a wrong one.
    private func size(of header: TarHeader) -> Int? {
        guard [.file, .sparse, .other].contains(header.kind), let text = extended["size"] else { return header.size }
        return Int(plainDigits: text)
    }

    /// Nil for what is not a file.
    private mutating func content(_ header: TarHeader, _ range: Range<Int>) throws(BatchError) -> Found? {
        switch header.kind {
        case .longName, .extended:
            guard range.count <= Self.maxHeaderBytes else {
                return finish("A header has more than \(Self.maxHeaderBytes) bytes.")
            }
            let bytes = try file.read(range)
            if header.kind == .longName {
                longName = String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
                if longName == nil { return finish("A name is not UTF-8.") }
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
            let isSparse = header.kind == .sparse || extended.keys.contains { $0.hasPrefix("GNU.sparse.") }
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
