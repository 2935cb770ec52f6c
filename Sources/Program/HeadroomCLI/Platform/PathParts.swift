import Encodings
import Glibc

/// Parses file paths byte by byte, because `Foundation` changes names that are not UTF-8.
enum PathParts {
    /// The part before the last slash; empty without one, and `/` for a file in the root.
    static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The part after the last slash, without slashes at the end.
    static func name(of path: String) -> String {
        var end = path.utf8.endIndex
        while end > path.startIndex, path.utf8[path.utf8.index(before: end)] == UInt8(ascii: "/") {
            end = path.utf8.index(before: end)
        }
        let start = path.utf8[..<end].lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) }
        return String(path[(start ?? path.startIndex)..<end])
    }

    /// The part after the last dot of a name, in lower case; empty without one, and for a dot at the start.
    static func ending(of path: String) -> String {
        guard let dot = dot(of: path) else { return "" }
        let bytes = path.utf8[path.utf8.index(after: dot)...].map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The path without its ending and the dot.
    static func withoutEnding(_ path: String) -> String { dot(of: path).map { String(path[..<$0]) } ?? path }

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

    private static func dot(of path: String) -> String.Index? {
        let start = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
        guard let dot = path.utf8[start...].lastIndex(of: UInt8(ascii: ".")), dot != start else { return nil }
        return dot
    }
}
