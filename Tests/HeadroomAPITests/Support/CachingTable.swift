import Foundation
import Testing

/// The table in docs/contributing/caching-table.md; each row is a test case.
enum CachingTable {
    struct Row: Sendable, CustomTestStringConvertible {
        var method: String
        var target: String
        /// The conditions of the request, without backticks.
        var conditions: [String]
        var status: Int
        var cacheControl: String
        /// Nil if the field must be absent.
        var vary: String?
        /// `strong` or `weak`; nil for no tag.
        var tag: String?
        var hasCacheTag: Bool
        var hasLink: Bool

        var testDescription: String { "\(method) \(target) \(conditions)" }
    }

    static let rows: [Row] = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        let file = root.appending(path: "docs/contributing/caching-table.md")
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return [] }
        let lines = text.split(separator: "\n")
        var words: [String: String] = [:]
        for word in ["day", "year"] {
            let line = lines.first { $0.hasPrefix("- \(word): ") }
            words[word] = line.map { plain($0.dropFirst("- \(word): ".count)) }
        }
        return lines.filter { $0.hasPrefix("| `") && !$0.hasPrefix("| `Cache") }.compactMap { row(of: $0, words) }
    }()

    private static func row(of line: Substring, _ words: [String: String]) -> Row? {
        let cells = line.split(separator: "|").map { plain($0) }
        guard cells.count == 8, let status = Int(cells[2]) else { return nil }
        let request = cells[0].split(separator: " ").map(String.init)
        let optional = { (cell: String) in cell == "none" ? nil : cell }
        return Row(
            method: request[0],
            target: request[1],
            conditions: cells[1].split(separator: "; ").map(String.init),
            status: status,
            cacheControl: words[cells[3]] ?? cells[3],
            vary: optional(cells[4]),
            tag: optional(cells[5]),
            hasCacheTag: cells[6] == "yes",
            hasLink: cells[7] == "yes"
        )
    }

    private static func plain(_ text: Substring) -> String {
        text.filter { $0 != "`" }.trimmingCharacters(in: .whitespaces)
    }
}
