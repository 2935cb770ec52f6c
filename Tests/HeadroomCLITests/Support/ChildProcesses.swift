import Foundation

enum ChildProcesses {
    /// The child processes of a process that have not ended.
    static func of(_ id: Int32) throws -> [Int32] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap(Int32.init).filter { child in
            let path = "/proc/\(child)/stat"
            guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return false }
            // After the name, which may contain any characters: the state, and the parent.
            let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
            return fields.count > 1 && fields[0] != "Z" && Int32(fields[1]) == id
        }
    }

    /// Whether a process has ended, although its parent may not have waited for it.
    static func haveEnded(_ processes: [Int32]) -> Bool {
        processes.allSatisfy { !FileManager.default.fileExists(atPath: "/proc/\($0)/exe") }
    }
}
