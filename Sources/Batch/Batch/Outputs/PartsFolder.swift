import Encodings
import Glibc
import Synchronization

/// A hidden folder for unfinished files, on the file system of the results.
final class PartsFolder: Sendable {
    private static let suffix = ".part"

    let path: String
    private let count = Atomic(0)

    /// Creates the folder if it is missing, and removes the parts of a run that was killed.
    init(_ path: String) throws(BatchError) {
        self.path = path
        try Self.create(path)
        try FolderNames.forEach(in: path) { name, _ throws(BatchError) in
            if name.hasSuffix(Self.suffix), unlink("\(path)/\(name)".systemPath) != 0 {
                throw .system("\(path)/\(name)")
            }
        }
    }

    /// Writes a part, and returns its path; thread-safe.
    func write(_ bytes: [UInt8]) throws(BatchError) -> String {
        let number = count.wrappingAdd(1, ordering: .relaxed).newValue
        let part = "\(path)/\(number)\(Self.suffix)"
        try OpenFile(part, O_WRONLY | O_CREAT | O_TRUNC).write(bytes)
        return part
    }

    /// Removes the folder, which must be empty.
    func remove() throws(BatchError) {
        guard rmdir(path.systemPath) == 0 else { throw .system(path) }
    }

    /// Creates a folder and its parent folders.
    static func create(_ path: String) throws(BatchError) {
        guard mkdir(path.systemPath, 0o777) != 0, errno != EEXIST else { return }
        let number = errno
        var trimmed = path
        while trimmed.last == "/" { trimmed.removeLast() }
        let parent = RelativePath.folder(of: trimmed)
        guard number == ENOENT, !parent.isEmpty, parent.count < path.count else { throw .system(path, number) }
        try create(String(parent))
        guard mkdir(path.systemPath, 0o777) == 0 || errno == EEXIST else { throw .system(path) }
    }
}
