/// A regular file in a tar archive.
package struct ArchiveMember: Sendable, Hashable {
    /// The name as stored.
    package var name: String
    /// The path of the archive.
    package var archive: String
    /// The range of the content in the archive, in bytes.
    package var range: Range<Int>

    /// The key in WebDataset's order: the name up to the first dot of its last component.
    package var key: String { String(name[..<dot]) }

    /// The text after the key and its dot: `jpg`, `left.jpg`, `json`; empty without a dot.
    package var suffix: String { dot == name.endIndex ? "" : String(name[name.utf8.index(after: dot)...]) }

    private var dot: String.Index {
        name.utf8[RelativePath.folderEnd(of: name)...].firstIndex(of: UInt8(ascii: ".")) ?? name.endIndex
    }
}
