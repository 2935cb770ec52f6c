import Foundation

enum ChildProcesses {
    /// The running child processes of a process.
    static func of(_ id: Int32) throws -> [Int32] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap(Int32.init).filter { child in
            let path = "/proc/\(child)/stat"
            guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return false }
            // The fields after the name, which may contain any characters: the state and the parent.
            let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
            return fields.count > 1 && fields[0] != "Z" && Int32(fields[1]) == id
        }
    }

    /// Whether a process has ended, even if its parent has not waited for it.
    static func haveEnded(_ processes: [Int32]) -> Bool {
        processes.allSatisfy { !FileManager.default.fileExists(atPath: "/proc/\($0)/exe") }
    }

    /// Whether all threads of a process have stopped after SIGSTOP, which does not wait for them.
    static func haveStopped(_ process: Int32) -> Bool {
        let folder = "/proc/\(process)/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return !threads.isEmpty
            && threads.allSatisfy { thread in
                let text = try? String(contentsOfFile: "\(folder)/\(thread)/stat", encoding: .utf8)
                return text?.split(separator: ")").last?.split(separator: " ").first == "T"
            }
    }
}
