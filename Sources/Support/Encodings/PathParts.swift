/// Parses file paths byte by byte, because `Foundation` changes names that are not UTF-8.
package enum PathParts {
    /// The part before the last slash; empty without one, and `/` for a file in the root.
    package static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The part after the last slash, without slashes at the end.
    package static func name(of path: String) -> String {
        var end = path.utf8.endIndex
        while end > path.startIndex, path.utf8[path.utf8.index(before: end)] == UInt8(ascii: "/") {
            end = path.utf8.index(before: end)
        }
        let start = path.utf8[..<end].lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) }
        // bounded: the slash is before the end
        return String(path[(start ?? path.startIndex)..<end])
    }

    /// The part after the last dot of a name, in lower case; empty without one, and for a dot at the start.
    package static func ending(of path: String) -> String {
        guard let dot = dot(of: path) else { return "" }
        let bytes = path.utf8[path.utf8.index(after: dot)...].map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The path without its ending and the dot.
    package static func withoutEnding(_ path: String) -> String { dot(of: path).map { String(path[..<$0]) } ?? path }

    private static func dot(of path: String) -> String.Index? {
        let start = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
        guard let dot = path.utf8[start...].lastIndex(of: UInt8(ascii: ".")), dot != start else { return nil }
        return dot
    }
}
