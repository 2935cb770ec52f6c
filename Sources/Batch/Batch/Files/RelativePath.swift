import Encodings

/// Rules for paths below the output folder.
///
/// Keys come from untrusted rows, so a path must not lead out of the folder.
package enum RelativePath {
    /// The maximum length of a path in bytes.
    package static let maxBytes = 1024
    /// The maximum length of a component in bytes: file systems allow 255.
    static let maxComponentBytes = 240

    /// The prefix of the hidden folders for unfinished files.
    ///
    /// Paths of results must not start with it.
    static let reserved = ".headroom-parts"

    /// The reason why a text is not a path below a folder, as the end of a sentence; nil if it is valid.
    package static func problem(_ path: String) -> String? {
        let path = FileName.bytes(of: path)
        if path.isEmpty { return "it is empty" }
        if path.count > maxBytes { return "it has more than \(maxBytes) bytes" }
        if path.contains(where: { $0 < 0x20 || $0 == 0x7F }) { return "it has a control character" }
        if path.first == UInt8(ascii: "/") { return "it is an absolute path" }
        for component in path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            if component.isEmpty { return "it has an empty component" }
            if component.elementsEqual(".".utf8) || component.elementsEqual("..".utf8) {
                return "it has the component \(String(decoding: component, as: UTF8.self))"
            }
            if component.count > maxComponentBytes { return "a component has more than \(maxComponentBytes) bytes" }
            if component.starts(with: reserved.utf8) { return "\(reserved) is a reserved name" }
        }
        return nil
    }

    /// The folder of a path with a `/` at its end; empty if there is none.
    static func folder(of path: String) -> Substring {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        return path[...slash]
    }

    static func folderEnd(of path: String) -> String.Index {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
    }

    /// The hidden path for unfinished results, next to a file.
    static func hidden(beside path: String) -> String {
        let start = folderEnd(of: path)
        return "\(path[..<start])\(reserved)-\(path[start...])"
    }

    /// The path without the extension of its last component.
    static func withoutExtension(_ path: String) -> String {
        let name = path.utf8[folderEnd(of: path)...]
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return path }
        return String(path[..<dot])
    }

    /// The extension of the last component, in lower case; empty if there is none.
    static func pathExtension(_ path: String) -> String {
        let name = path.utf8[folderEnd(of: path)...]
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return "" }
        return String(path[path.utf8.index(after: dot)...]).lowercased()
    }
}
