import Encodings
import Requests
import Synchronization

/// One picture of a run.
package struct BatchJob: Sendable {
    /// The name of the picture in results and outputs; unique in a run.
    package var key: String
    /// Whether the row names its key, so that ``KeyRule`` does not apply.
    var hasOwnKey = false
    package var source: JobSource
    /// Parameters of its own, which override those of the run.
    package var parameters: [Parameter] = []
    /// Members of the same archive with the same key, which are copied to an archive of results.
    package var companions: [ArchiveMember] = []

    package struct Parameter: Sendable, Hashable {
        package var name: String
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }
}

/// Where the bytes of a picture are.
package enum JobSource: Sendable, Hashable {
    /// A whole file.
    case file(String)
    /// A part of a file, such as a member of an archive, whose name appears in messages.
    case part(of: String, Range<Int>, member: String?)
    /// A URL.
    case url(String)

    /// The text in results.
    package var text: String {
        switch self {
        case .file(let path): path
        case .part(let path, let range, let member): "\(path):\(member ?? "\(range.lowerBound)")"
        case .url(let url): url
        }
    }
}

/// A regular file in a tar archive.
package struct ArchiveMember: Sendable, Hashable {
    /// The name as stored.
    package var name: String
    /// The archive.
    package var archive: String
    /// The bytes of the content in the archive.
    package var range: Range<Int>

    /// The key in WebDataset's order: the name up to the first dot of its last component.
    package var key: String { String(name[..<dot]) }

    /// What follows the key and its dot: `jpg`, `left.jpg`, `json`; empty without a dot.
    package var suffix: String { dot == name.endIndex ? "" : String(name[name.utf8.index(after: dot)...]) }

    private var dot: String.Index {
        name.utf8[RelativePath.folderEnd(of: name)...].firstIndex(of: UInt8(ascii: ".")) ?? name.endIndex
    }
}

/// Why a row or its picture has no result.
package struct RowError: Error, Sendable, Hashable, Codable {
    /// The type, such as `unreadable-image`: a type of the service's problems, or one of rows.
    package var type: String
    /// One or more sentences.
    package var detail: String
    /// Details that the service would only log, such as the cause of a failed fetch.
    package var cause: String?

    package init(_ type: String, _ detail: String, cause: String? = nil) {
        self.type = type
        self.detail = detail
        self.cause = cause
    }

    static func row(_ detail: String) -> RowError { RowError("invalid-row", detail) }

    /// A parameter that is not valid, or not together with the others.
    static func parameter(_ detail: String) -> RowError { RowError("invalid-parameter", detail) }

    /// A result whose path cannot be used.
    static func output(_ detail: String) -> RowError { RowError("output-refused", detail) }

    /// The error of the service with its kind and text.
    init(_ problem: Problem, cause: String? = nil) { self.init(problem.kind.rawValue, problem.detail, cause: cause) }
}

/// One row of the input: a job, or the error of an invalid row.
package struct InputRow: Sendable {
    package var job: Result<BatchJob, RowError>
    /// The name of the row in messages, such as `jobs.jsonl:12`.
    package var place: String
    /// The line of a list; for other inputs the number of the row in its input.
    package var number = 0
    /// The number of its input in the run.
    package var input = 0
}

/// Reads rows one after another, so that memory does not depend on their number.
protocol RowReader: Sendable {
    /// The next row; nil at the end.
    ///
    /// - Throws: A ``BatchError`` if the input cannot be read any further.
    mutating func next() throws(BatchError) -> InputRow?
}

package enum RowLimits {
    /// The longest row of a list in bytes; a longer one is skipped and becomes an error.
    package static let maxBytes = 1 << 20
    /// The largest number of columns of a row.
    static let maxColumns = 128
}

struct SingleRow: RowReader {
    var row: InputRow?

    mutating func next() -> InputRow? {
        defer { row = nil }
        return row
    }
}

/// 128 bits of a digest that identify a key, a row, or a path of a result.
struct RowIdentity: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    init(key: String) { self.init("k", key) }

    init(row: String) { self.init("r", row) }

    init(output: String) { self.init("o", output) }

    private init(_ kind: String, _ text: String) {
        self.init(digest: SHA256.digest(of: Array("\(kind)\(text)".utf8)))
    }

    /// The first bits of a digest of at least 16 bytes.
    init(digest: [UInt8]) {
        high = digest[0..<8].reduce(0) { $0 << 8 | UInt64($1) }
        low = digest[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// The paths of results of this run and earlier ones; thread-safe.
final class TakenPaths: Sendable {
    private let paths = Mutex<Set<RowIdentity>>([])

    func contains(_ path: String) -> Bool { paths.withLock { $0.contains(RowIdentity(output: path)) } }

    @discardableResult
    func take(_ path: String) -> Bool { paths.withLock { $0.insert(RowIdentity(output: path)).inserted } }

    /// Takes all paths of a row, or none of them, and returns the first that is taken or repeated.
    func takeAll(_ names: [String]) -> String? {
        paths.withLock { paths in
            var taken: [RowIdentity] = []
            for name in names {
                let identity = RowIdentity(output: name)
                guard paths.insert(identity).inserted else {
                    for each in taken { paths.remove(each) }
                    return name
                }
                taken.append(identity)
            }
            return nil
        }
    }

    /// Gives back the paths of a row that has no result.
    func release(_ names: [String]) {
        paths.withLock { paths in for name in names { paths.remove(RowIdentity(output: name)) } }
    }
}
