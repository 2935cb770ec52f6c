import Foundation
import Testing

/// Expected texts, stored as files next to these tests.
enum Snapshot {
    /// Set to `1` to regenerate the files; then check `git diff`.
    static let variable = "HEADROOM_UPDATE_SNAPSHOTS"

    /// Compares a text with the file of the given name and reports the lines that differ.
    static func check(_ text: String, _ name: String, location: SourceLocation = #_sourceLocation) throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Snapshots/\(name).txt")
        if ProcessInfo.processInfo.environment[variable] == "1" {
            try Data(text.utf8).write(to: file)
            return
        }
        let kept = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        guard kept != text else { return }
        Issue.record(
            "\(name).txt differs; \(variable)=1 swift test regenerates it.\n\(difference(kept, text))",
            sourceLocation: location
        )
    }

    private static func difference(_ old: String, _ new: String) -> String {
        let new = new.split(separator: "\n", omittingEmptySubsequences: false)
        let changes = new.difference(from: old.split(separator: "\n", omittingEmptySubsequences: false))
        let lines = changes.map { change in
            switch change {
            case .remove(let offset, let line, _): (offset: offset, text: "\(offset + 1) - \(line)")
            case .insert(let offset, let line, _): (offset: offset, text: "\(offset + 1) + \(line)")
            }
        }
        return lines.sorted { $0.offset < $1.offset }.map(\.text).joined(separator: "\n")
    }
}
