import Testing

/// The requirements of RFC 9112 and RFC 9110 for request parsing, as requests with expected outcomes.
enum Conformance {
    /// A rule, with requests that follow or violate the rule.
    struct Rule: Sendable {
        /// The RFC and section, or the name of an attack.
        let origin: String
        /// The required behaviour of a server.
        let requirement: String
        let cases: [Case]

        init(_ origin: String, _ requirement: String, _ cases: [Case]) {
            self.origin = origin
            self.requirement = requirement
            self.cases = cases
        }
    }

    /// One request with its expected outcome.
    struct Case: Sendable, CustomTestStringConvertible {
        let bytes: [UInt8]
        let outcome: Outcome

        var testDescription: String { "\(outcome) for \(String(decoding: bytes, as: UTF8.self).debugDescription)" }
    }

    /// The outcome of a request; the texts of successful responses are from ``echo(_:)``.
    enum Outcome: Sendable, Hashable {
        /// Status 200 with this text; the connection stays open for the next request.
        case served(String)
        /// Status 200 with this text; the connection is closed.
        case servedLast(String)
        /// This status; the connection is closed, and no further byte is parsed as a request.
        case refused(Int)

        /// The outcome as the documentation names it.
        var words: String {
            switch self {
            case .served: "served"
            case .servedLast: "served, then closed"
            case .refused(let status): "\(status), then closed"
            }
        }
    }

    static let rules = lines + requestLines + fields + bodies + chunks + connections + smuggling + framing

    static let cases = rules.flatMap(\.cases)

    /// The cases that leave the connection open, with the text of their response.
    static let served: [(bytes: [UInt8], text: String)] = cases.compactMap { example in
        guard case .served(let text) = example.outcome else { return nil }
        return (example.bytes, text)
    }

    static func served(_ request: String, _ text: String) -> Case {
        Case(bytes: Array(request.utf8), outcome: .served(text))
    }

    static func servedLast(_ request: String, _ text: String) -> Case {
        Case(bytes: Array(request.utf8), outcome: .servedLast(text))
    }

    static func refused(_ request: String, _ status: Int = 400) -> Case {
        Case(bytes: Array(request.utf8), outcome: .refused(status))
    }

    /// A request with the given header fields and no other irregularity.
    static func head(_ fields: String..., method: String = "GET", version: String = "1.1") -> String {
        "\(method) / HTTP/\(version)\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n"
    }

    /// A request with a chunked body.
    static func chunked(_ body: String, coding: String = "chunked") -> String {
        head("Host: h", "Transfer-Encoding: \(coding)", method: "POST") + body
    }
}
