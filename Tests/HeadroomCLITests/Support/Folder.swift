import Foundation

/// A temporary folder, deleted when the last reference is released.
final class Folder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "headroom-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Writes a file and creates its parent folders.
    func write(_ bytes: [UInt8], to path: String) throws {
        let file = url.appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(bytes).write(to: file)
    }

    func read(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: url.appending(path: path))) }

    /// The paths of all files, sorted.
    func files() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: url.path)
            .filter {
                var isFolder: ObjCBool = false
                return FileManager.default.fileExists(atPath: url.appending(path: $0).path, isDirectory: &isFolder)
                    && !isFolder.boolValue
            }
            .sorted()
    }
}
