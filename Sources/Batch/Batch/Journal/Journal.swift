import Encodings
import FoundationEssentials
import Glibc
import Requests

/// The results file, which is also the journal of the run.
///
/// Each line is written with one system call, after the results of its row are at their final paths. A killed run
/// therefore leaves at most one incomplete line and some results without a line; the next run creates both again.
struct Journal {
    /// State read from an existing results file.
    struct Contents {
        var index = RunIndex()
        let paths = TakenPaths()
        /// The number of rows whose last line contains an error.
        var failed = 0
        /// The length of the archive after the last result.
        var archiveLength = 0
        /// The ``ChangeTime`` of the run's start; see ``ResultsHeader/begun``.
        var begun: Double?
    }

    /// The maximum length of a line; a plan with many faces has several hundred KiB.
    private static let maxLineBytes = 64 << 20

    private let file: OpenFile
    let path: String
    /// The state that earlier runs left.
    let contents: Contents

    /// Opens and locks the results file, and reads the results of an earlier run, unless the run restarts.
    ///
    /// - Throws: A ``BatchError`` if another run has locked the file, if its settings differ, or if it is not a results
    ///   file.
    init(_ path: String, settings: String, restarts: Bool) throws(BatchError) {
        let folder = RelativePath.folder(of: path)
        if !folder.isEmpty { try PartsFolder.create(String(folder)) }
        self.path = path
        file = try OpenFile(path, O_RDWR | O_CREAT)
        guard file.lock() else { throw BatchError("\(path) is in use by another run") }
        guard let length = file.length else { throw BatchError(usage: "--results=\(path) must be a regular file") }
        if !restarts, length > 0, let (contents, end) = try Self.read(file, settings: settings) {
            self.contents = contents
            try file.truncate(to: end)
            return
        }
        contents = Contents(begun: restarts ? nil : ChangeTime.now(path))
        try file.truncate(to: 0)
        try file.write(JSONDocument.bytes(of: ResultsHeader(settings: settings, begun: contents.begun)))
    }

    /// Reads the state of earlier runs without locking their results; empty without a results file.
    static func contents(of path: String, settings: String) throws(BatchError) -> Contents {
        guard access(path.systemPath, F_OK) == 0 else { return Contents() }
        return try read(try OpenFile(path), settings: settings)?.contents ?? Contents()
    }

    func append(_ line: [UInt8]) throws(BatchError) { try file.write(line) }

    /// Calls `body` with every complete line after the first.
    static func forEachLine(of path: String, _ body: (ResultLine) throws(BatchError) -> Void) throws(BatchError) {
        var lines = LineReader(try OpenFile(path), limit: maxLineBytes)
        _ = try lines.next()
        while case .text(let bytes)? = try lines.next(), lines.isTerminated {
            if let line = decode(ResultLine.self, ResultLine.head(of: bytes)) { try body(line) }
        }
    }

    /// Reads the state; nil if the file lacks a complete first line.
    private static func read(
        _ file: OpenFile,
        settings: String
    ) throws(BatchError) -> (contents: Contents, end: Int)? {
        var lines = LineReader(file, limit: maxLineBytes)
        guard case .text(let first)? = try lines.next(), lines.isTerminated else { return nil }
        guard let header = decode(ResultsHeader.self, first), header.results == ResultsHeader.format else {
            throw BatchError(
                "\(file.path) exists but was not written by this version of headroom batch; choose another --results, or delete it"
            )
        }
        guard header.settings == settings else {
            throw BatchError(
                "\(file.path) was written with other settings: use the same settings to resume, --restart to "
                    + "start again, or another --output"
            )
        }
        var contents = Contents(begun: header.begun)
        var (end, number) = (lines.offset, 1)
        while let next = try lines.next(), lines.isTerminated {
            number += 1
            guard case .text(let bytes) = next, let line = decode(ResultLine.self, ResultLine.head(of: bytes)) else {
                throw BatchError("\(file.path):\(number): the line is damaged; use --restart to start again")
            }
            contents.add(line)
            end = lines.offset
        }
        return (contents, end)
    }

    private static func decode<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) -> Value? {
        try? JSONDecoder().decode(type, from: Data(bytes))
    }
}

extension Journal.Contents {
    fileprivate mutating func add(_ line: ResultLine) {
        if index.states.updateValue(line.error == nil ? .done : .failed, forKey: line.identity) == .failed {
            failed -= 1
        }
        if line.error != nil { failed += 1 }
        for output in line.outputs ?? [] { paths.take(output.path) }
        archiveLength = line.archiveBytes ?? archiveLength
    }
}

/// The first line of the results.
private struct ResultsHeader: Codable {
    /// The version of the format.
    static let format = 1

    var headroom = HeadroomVersion.current
    /// The version of the format.
    var results = format
    /// A digest of all settings that results depend on.
    var settings: String
    /// The ``ChangeTime`` of the run's start; nil after `--restart`.
    ///
    /// Results replace only files that changed after this time. If it is nil, they replace every file.
    var begun: Double?
}

/// One line of the results without its plan, which later runs do not read.
struct ResultLine: Codable, Sendable {
    struct Output: Codable, Sendable {
        var path, aspect: String
        var width, height, bytes: Int
    }

    /// The key; nil for an invalid row.
    var key: String?
    /// The place of the row in the input.
    var row: String
    var source: String?
    var outputs: [Output]?
    /// The members of the source archive that were not copied, because the result is redacted and they are not text.
    var skippedMembers: [String]?
    /// The deprecated name of ``skippedMembers``.
    var leftOut: [String]?
    /// SHA-256 of the source, in hexadecimal digits.
    var sha256: String?
    /// The duration of each stage in milliseconds.
    var milliseconds: [String: Double]?
    /// The number of attempts, if there were several.
    var attempts: Int?
    var error: RowError?
    /// The columns of a failed job, for the list of failures.
    var job: [String: String]?
    /// The length of the archive after these results.
    var archiveBytes: Int?

    /// The identity of the row for a later run.
    var identity: RowIdentity {
        guard let key, error?.type != RunIndex.duplicateKey else { return RowIdentity(row: row) }
        return RowIdentity(key: key)
    }

    /// The line with the plan and a line feed.
    func bytes(plan: [UInt8]?) -> [UInt8] {
        let head = JSONDocument.bytes(of: self)
        guard let plan else { return head }
        var line = Array(head.dropLast(2))
        line += Self.planMember
        line += plan.dropLast()
        line += "}\n".utf8
        return line
    }

    /// The bytes before the plan, which is the last member.
    ///
    /// These bytes cannot occur inside a JSON string.
    private static let planMember = Array(#","plan":{"#.utf8.dropLast())

    /// The line without its plan.
    ///
    /// Later runs do not parse the plan, because parsing would take most of the time.
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

/// The jobs that failed, as JSON lines that can be the input of another run.
enum FailureList {
    /// Writes the list in the order of the results; if a key has several lines, only the last line counts.
    static func write(to path: String, from results: String) throws(BatchError) {
        var last: [RowIdentity: Int] = [:]
        var number = 0
        try Journal.forEachLine(of: results) { line in
            number += 1
            last[line.identity] = line.error == nil ? nil : number
        }
        let folder = RelativePath.folder(of: path)
        if !folder.isEmpty { try PartsFolder.create(String(folder)) }
        let part = "\(path).part"
        let file = try OpenFile(part, O_WRONLY | O_CREAT | O_TRUNC)
        number = 0
        try Journal.forEachLine(of: results) { line throws(BatchError) in
            number += 1
            guard let error = line.error, last[line.identity] == number else { return }
            var columns = line.job ?? [:]
            if line.job == nil { columns["row"] = line.row }
            columns["error"] = error.detail
            try file.write(JSONDocument.bytes(of: columns))
        }
        guard rename(part.systemPath, path.systemPath) == 0 else { throw .system(path) }
    }
}
