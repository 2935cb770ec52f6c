import Encodings
import Glibc

/// A readable file on this machine or in a bucket.
protocol InputFile: Sendable {
    /// The name in messages.
    var path: String { get }

    /// The length in bytes; nil for a pipe.
    func knownLength() throws(BatchError) -> Int?

    /// Reads the next bytes, fewer at the end. This moves the position, so a file supports only one sequential reader.
    func read(upTo count: Int) throws(BatchError) -> [UInt8]

    /// The bytes of a range, fewer if the file ends early.
    func read(_ range: Range<Int>) throws(BatchError) -> [UInt8]
}

/// The names in a folder.
enum FolderNames {
    /// Calls `body` with the name and the type (`DT_REG` and others) of every entry, including `.` and `..`, in no
    /// order.
    ///
    /// - Throws: A ``BatchError`` if the folder cannot be opened, or the error of `body`.
    static func forEach(
        in path: String,
        _ body: (_ name: String, _ type: Int32) throws(BatchError) -> Void
    ) throws(BatchError) {
        guard let folder = opendir(path.systemPath) else { throw .system(path) }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { FileName.text(of: $0) }
            }
            try body(name, Int32(entry.pointee.d_type))
        }
    }
}

/// The time of the last change to a file or its name (`st_ctime`), in seconds since 1970.
///
/// The clock belongs to the file system.
enum ChangeTime {
    /// The time of a file or a link; nil if it does not exist.
    static func of(_ path: String) -> Double? {
        var status = stat()
        guard lstat(path.systemPath, &status) == 0 else { return nil }
        return Double(status.st_ctim.tv_sec) + Double(status.st_ctim.tv_nsec) / 1e9
    }

    /// Sets the times of a file to now, and returns that time; nil if it cannot be set.
    static func now(_ path: String) -> Double? { utimensat(AT_FDCWD, path.systemPath, nil, 0) == 0 ? of(path) : nil }
}
