import Foundation
import Requests

/// The results file of a run, parsed independently of the program's code.
struct ResultsFile {
    /// The lines after the first line.
    let lines: [[String: Any]]

    init(_ folder: Folder, _ name: String = "out/results.jsonl") throws {
        // A truncated line does not count.
        let whole = try folder.read(name).split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
        let objects = try whole.map { line in
            try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] ?? [:]
        }
        lines = Array(objects.dropFirst())
    }

    /// The keys in order; the keys of errors are followed by `!` and the error type.
    var keys: [String] {
        lines.map { line in
            let key = line["key"] as? String ?? "-"
            let error = line["error"] as? [String: Any]
            return error.map { "\(key)!\($0["type"] as? String ?? "")" } ?? key
        }
    }

    /// The paths of all outputs.
    var paths: [String] {
        lines.flatMap { ($0["outputs"] as? [[String: Any]] ?? []).compactMap { $0["path"] as? String } }
    }

    /// The messages of all errors.
    var details: [String] { lines.compactMap { ($0["error"] as? [String: Any])?["detail"] as? String } }
}
