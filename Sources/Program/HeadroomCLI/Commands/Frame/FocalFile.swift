import Encodings
import Fetching
import FoundationEssentials
import Pipeline
import Requests
import Telemetry

/// A file of focal points, one line of JSON for each image, which users may edit by hand.
///
/// The member `by` is the author of a point. Only lines by ``author`` are ever replaced.
struct FocalFile {
    /// The value of `by` in lines of this program.
    static let author = "headroom"

    private struct Known: Decodable {
        var file: String
        var by: String?
    }

    private struct Line {
        var isOwn: Bool
        var text: String
    }

    private let path: String
    private var lines: [Line] = []
    private var places: [String: Int] = [:]
    /// Points that were added or replaced.
    private(set) var written = 0

    /// Reads the file; a missing file counts as empty.
    ///
    /// - Throws: A ``CommandFailure`` for a file that cannot be read, and for a line that is not a JSON object with
    ///   `file`.
    init(_ path: String) throws(CommandFailure) {
        self.path = path
        guard PathParts.exists(path) else { return }
        let bytes: [UInt8]
        do {
            bytes = try RegularFile.bytes(of: path, atMost: LocalFile.maxBytes)
        } catch {
            throw CommandFailure("\(path): \(error.reason)")
        }
        let text = String(decoding: bytes, as: UTF8.self)
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.allSatisfy(\.isWhitespace) { continue }
            guard let known = try? JSONDecoder().decode(Known.self, from: Data(line.utf8)) else {
                throw CommandFailure("\(path):\(number + 1): expected a line of JSON with the member file")
            }
            guard places.updateValue(lines.count, forKey: known.file) == nil else {
                throw CommandFailure("\(path):\(number + 1): duplicate line for \(known.file)")
            }
            lines.append(Line(isOwn: known.by == Self.author, text: String(line)))
        }
    }

    /// The number of lines that were not written, and the number of lines with another author.
    var kept: (count: Int, byHand: Int) { (lines.count - written, lines.count { !$0.isOwn }) }

    /// Whether an image needs a point: it lacks one, or with `again` its point is from this program.
    func needs(_ file: String, again: Bool) -> Bool {
        guard let place = places[file] else { return true }
        return again && lines[place].isOwn
    }

    /// Sets the point of an image; ``needs(_:again:)`` must be true for it.
    mutating func set(_ row: FocalRow) {
        var row = row
        row.by = Self.author
        let text = String(decoding: JSONDocument.bytes(of: row).dropLast(), as: UTF8.self)
        let line = Line(isOwn: true, text: text)
        if let place = places[row.file] {
            lines[place] = line
        } else {
            places[row.file] = lines.count
            lines.append(line)
        }
        written += 1
    }

    func write() throws(CommandFailure) {
        try LocalFile.write(Array(lines.map { $0.text + "\n" }.joined().utf8), to: path)
    }
}

/// The focal point of one file, as a line of CSV (RFC 4180) or JSON.
struct FocalRow: Encodable {
    static let header = "file,faces,x,y\r\n"

    let file: String
    let faces: Int
    let focus: FocusDocument
    /// The author of the point; nil outside a ``FocalFile``.
    var by: String?

    init?(_ input: ImageInput, _ result: FrameResult) {
        guard let focus = FocusDocument(result.plan) else { return nil }
        self.focus = focus
        file = input.name
        faces = result.plan.faces.count
    }

    private enum Key: String, CodingKey {
        case file, faces, by
    }

    func encode(to encoder: any Encoder) throws {
        try focus.encode(to: encoder)
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(file, forKey: .file)
        try members.encode(faces, forKey: .faces)
        try members.encodeIfPresent(by, forKey: .by)
    }

    /// A record of CSV; a name with invisible characters is escaped.
    var csv: String { "\(Self.quoted(QuotedText.line(file))),\(faces),\(focus.point.x),\(focus.point.y)\r\n" }

    /// A field in quotes; quotes inside are doubled.
    private static func quoted(_ text: String) -> String { "\"\(text.replacing("\"", with: "\"\""))\"" }
}
