import Glibc

/// The names in a folder.
enum FolderNames {
    /// Calls `body` with the name and the type (`DT_REG` and others) of every entry, `.` and `..` too, in no order.
    ///
    /// - Throws: A ``BatchError`` if the folder cannot be opened, or the error of `body`.
    static func forEach(
        in path: String,
        _ body: (_ name: String, _ type: Int32) throws(BatchError) -> Void
    ) throws(BatchError) {
        guard let folder = opendir(path) else { throw .system(path) }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            try body(name, Int32(entry.pointee.d_type))
        }
    }
}
