import Requests

/// The focal point of one file, as a line of CSV (RFC 4180) or JSON.
struct FocalRow: Encodable {
    /// The first line of a CSV file.
    static let header = "file,faces,x,y\r\n"

    let file: String
    let faces: Int
    let focus: FocusDocument
    /// Who has set the point; nil outside of a ``FocalFile``.
    var by: String?

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

    /// The line with its line end.
    var csv: String { "\(Self.quoted(file)),\(faces),\(focus.point.x),\(focus.point.y)\r\n" }

    /// The line with its line end.
    var json: String { String(decoding: JSONDocument.bytes(of: self), as: UTF8.self) }

    /// A field in quotes, in which a quote is doubled.
    private static func quoted(_ text: String) -> String {
        "\"\(text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
    }
}
