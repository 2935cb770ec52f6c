import Testing

/// What RFC 9112 and RFC 9110 ask of a server that reads requests, as requests and what has to become of them.
enum Conformance {
    /// One rule, and requests that keep or break it.
    struct Rule: Sendable {
        /// The document's number and the section, or the name of an attack.
        let origin: String
        /// What a server has to do.
        let requirement: String
        let cases: [Case]

        init(_ origin: String, _ requirement: String, _ cases: [Case]) {
            self.origin = origin
            self.requirement = requirement
            self.cases = cases
        }
    }

    /// One request as it is sent.
    struct Case: Sendable, CustomTestStringConvertible {
        let bytes: [UInt8]
        let outcome: Outcome

        var testDescription: String { "\(outcome) for \(String(decoding: bytes, as: UTF8.self).debugDescription)" }
    }

    /// What becomes of a request; the answers that are not refusals are those of ``echo(_:)``.
    enum Outcome: Sendable, Hashable {
        /// 200 with this text, and then the next request of the connection is read.
        case served(String)
        /// 200 with this text, and then the connection ends.
        case servedLast(String)
        /// This status, and then the connection ends without another byte being read as a request.
        case refused(Int)

        /// As the documentation has it.
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

    /// Those that leave their connection open, with what is answered.
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

    /// A request that would be in order but for its header fields.
    static func head(_ fields: String..., method: String = "GET", version: String = "1.1") -> String {
        "\(method) / HTTP/\(version)\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n"
    }

    /// A request with a body that is coded in chunks.
    static func chunked(_ body: String, coding: String = "chunked") -> String {
        head("Host: h", "Transfer-Encoding: \(coding)", method: "POST") + body
    }
}
