import Encodings
import Glibc

/// What exists at a path.
extension PathParts {
    /// Whether something exists at this path.
    static func exists(_ path: String) -> Bool { access(path.systemPath, F_OK) == 0 }

    /// Whether it is a folder, or a link to one.
    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path.systemPath, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Creates a folder and its parent folders; false if that fails.
    static func createFolder(_ path: String) -> Bool {
        if mkdir(path.systemPath, 0o777) == 0 { return true }
        if errno == EEXIST { return isFolder(path) }
        let parent = folder(of: path)
        guard errno == ENOENT, !parent.isEmpty, parent.utf8.count < path.utf8.count, createFolder(parent) else {
            return false
        }
        return mkdir(path.systemPath, 0o777) == 0 || errno == EEXIST
    }

    /// The names in a folder, including `.` and `..`, in no order; nil if it cannot be read.
    static func names(in folder: String) -> [String]? {
        guard let stream = opendir(folder.systemPath) else { return nil }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) { FileName.text(of: $0) }
                }
            )
        }
        return names
    }
}
