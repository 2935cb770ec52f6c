import Foundation

/// A new, empty folder, which is removed with this value.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "headroom-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The paths of all files in the folder and its folders, in order.
    package var files: [String] {
        let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return names.map { "\(path)/\($0)" }.sorted().filter { file in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: file, isDirectory: &isFolder) && !isFolder.boolValue
        }
    }

    /// The paths of all files whose names are digests: the entries of a result store.
    package var entries: [String] { files.filter { ($0.split(separator: "/").last?.count ?? 0) == 64 } }

    /// Reads a file; empty if it does not exist.
    package func bytes(of path: String) -> [UInt8] {
        FileManager.default.contents(atPath: path).map { Array($0) } ?? []
    }

    /// Replaces the content of a file.
    package func write(_ bytes: [UInt8], to path: String) throws { try Data(bytes).write(to: URL(filePath: path)) }

    /// Sets the times of the last use and the last change of a file, in seconds since 1970.
    package func setTime(_ time: Int, of path: String) throws {
        let times = [timespec](repeating: timespec(tv_sec: time, tv_nsec: 0), count: 2)
        guard utimensat(AT_FDCWD, path, times, 0) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }
}
