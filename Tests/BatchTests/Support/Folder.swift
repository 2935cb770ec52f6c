import Foundation

/// A temporary folder, deleted when the last reference is released.
final class Folder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "headroom-batch-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a file in the folder.
    func place(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file, creates its folder if necessary, and returns its path.
    @discardableResult
    func write(_ bytes: [UInt8], to name: String) throws -> String {
        let url = URL(filePath: place(name))
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
        return url.path
    }

    @discardableResult
    func write(_ text: String, to name: String) throws -> String { try write(Array(text.utf8), to: name) }

    func read(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: place(name)))) }

    /// The lines of a file.
    func lines(_ name: String) throws -> [String] {
        String(decoding: try read(name), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: place(name)) }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: place(name)) }

    /// The contents of all files below a folder, including hidden files, by path.
    func files(below name: String) throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: place(name)) {
            var isFolder: ObjCBool = false
            let whole = "\(place(name))/\(path)"
            if FileManager.default.fileExists(atPath: whole, isDirectory: &isFolder), !isFolder.boolValue {
                files[path] = try read("\(name)/\(path)")
            }
        }
        return files
    }
}
