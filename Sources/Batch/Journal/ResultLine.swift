import HeadroomAPI

/// One line of the results, as far as a later run reads it: everything but the plan.
struct ResultLine: Codable, Sendable {
    /// A result.
    struct Output: Codable, Sendable {
        var path: String
        var aspect: String
        var width: Int
        var height: Int
        var bytes: Int
    }

    /// The key; nil for a row that is no job.
    var key: String?
    /// The place of the row in the input.
    var row: String
    /// The source as text.
    var source: String?
    var outputs: [Output]?
    /// SHA-256 of the source, in hexadecimal digits.
    var sha256: String?
    /// The duration of each stage in milliseconds.
    var milliseconds: [String: Double]?
    /// How often it was tried, if more than once.
    var attempts: Int?
    var error: RowError?
    /// The columns of a job that failed, from which a list of failures is made.
    var job: [String: String]?
    /// The length of the archive behind the results.
    var archiveBytes: Int?

    /// The identity of the row for a later run.
    var identity: RowIdentity {
        guard let key, error?.type != RunIndex.duplicateKey else { return RowIdentity(row: row) }
        return RowIdentity(key: key)
    }

    /// The line with the plan, and with its line feed.
    func bytes(plan: [UInt8]?) -> [UInt8] {
        let head = JSONDocument.bytes(of: self)
        guard let plan else { return head }
        var line = Array(head.dropLast(2))
        line += Self.planMember
        line += plan.dropLast()
        line += "}\n".utf8
        return line
    }

    /// Begins the plan, which is last; in a JSON text these bytes cannot be inside of a string.
    private static let planMember = Array(#","plan":{"#.utf8.dropLast())

    /// The line without its plan, which takes most of the time of parsing.
    static func head(of line: [UInt8]) -> [UInt8] {
        let mark = planMember + [UInt8(ascii: "{")]
        var start = 0
        while let found = line[start...].firstIndex(of: mark[0]) {
            if line[found...].starts(with: mark) { return Array(line[..<found]) + [UInt8(ascii: "}")] }
            start = found + 1
        }
        return line
    }
}
