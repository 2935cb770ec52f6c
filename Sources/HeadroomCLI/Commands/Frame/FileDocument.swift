import Requests

/// A plan with the name of its file, as one line of JSON.
struct FileDocument: Encodable {
    let file: String
    let plan: PlanDocument

    private enum Key: String, CodingKey {
        case file
    }

    func encode(to encoder: any Encoder) throws {
        try plan.encode(to: encoder)
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(file, forKey: .file)
    }

    /// The line with its line end.
    var line: String { String(decoding: JSONDocument.bytes(of: self), as: UTF8.self) }
}
