import Foundation
import Requests

/// The results of a run, read by other code than the program's.
struct ResultsFile {
    /// The lines behind the first.
    let lines: [[String: Any]]

    init(_ folder: Folder, _ name: String = "out/results.jsonl") throws {
        // A line that was cut off does not count.
        let whole = try folder.read(name).split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
        let objects = try whole.map { line in
            try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] ?? [:]
        }
        lines = Array(objects.dropFirst())
    }

    /// The keys in their order; those of errors with `!` and their type.
    var keys: [String] {
        lines.map { line in
            let key = line["key"] as? String ?? "-"
            let error = line["error"] as? [String: Any]
            return error.map { "\(key)!\($0["type"] as? String ?? "")" } ?? key
        }
    }

    /// The paths of all results.
    var paths: [String] {
        lines.flatMap { ($0["outputs"] as? [[String: Any]] ?? []).compactMap { $0["path"] as? String } }
    }

    /// The sentences of all errors.
    var details: [String] { lines.compactMap { ($0["error"] as? [String: Any])?["detail"] as? String } }
}
