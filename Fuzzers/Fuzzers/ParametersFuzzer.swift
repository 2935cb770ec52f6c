@testable import HeadroomAPI
import HTTPServer
import HTTPTypes

extension Fuzzer {
    /// Parameters as a JSON object (`{`), as a form (`--b`) or as a query (anything else).
    ///
    /// What a query means is the same
    /// in the one way of writing it that is signed.
    static let parameters = Fuzzer(name: "parameters", maxLength: 1024) {
        [
            "url=https%3A%2F%2Fexample.com%2Fa.jpg&aspect=16:9,1.5&width=400&gravity=face:2&padding=24px&quality=source",
            "aspect=1:1&gravity=point:0.3,0.6&fit=pad&background=blur&dpr=2&enlarge=true&format=webp&lossless=false",
            "expires=1700000000&maxBytes=10&digest=00&signature=ff&minFace=0.1&zoom=0.5&fallback=center&place=left&accuracy=low",
            "{\"url\": \"http://h/\", \"width\": 3, \"zoom\": 1e-1, \"lossless\": true}",
            "--b\r\nContent-Disposition: form-data; name=\"height\"\r\n\r\n10\r\n--b--",
        ].map { Array($0.utf8) }
    } run: { input in
        switch input.first {
        case UInt8(ascii: "{"): readBody(Array(input), type: "application/json")
        case UInt8(ascii: "-"): readBody(Array(input), type: "multipart/form-data; boundary=b")
        default: readQuery(String(decoding: input, as: UTF8.self))
        }
    }

    private static func readBody(_ body: [UInt8], type: String) {
        guard let none = try? SignedQuery(nil) else { preconditionFailure("no query is a query") }
        let request = ServerRequest(method: .post, target: "/frame", headers: [.contentType: type], body: body)
        _ = try? FrameRequest(request, query: none, grant: .everyone, known: ParameterName.allCases)
    }

    private static func readQuery(_ text: String) {
        guard let query = try? SignedQuery(text) else { return }
        let canonical = CanonicalRequest(.get, path: "/frame", pairs: query.signedPairs)
        let request = ServerRequest(method: .get, target: canonical.target)
        guard let again = try? SignedQuery(request.query) else { preconditionFailure("the canonical query is none") }
        precondition(
            CanonicalRequest(.get, path: request.path, pairs: again.signedPairs).target == canonical.target,
            "the canonical query has another"
        )
        _ = try? SignatureTerms(query, method: .post)
        let first = try? FrameParameters(query.pairs, known: ParameterName.allCases)
        let second = try? FrameParameters(again.pairs, known: ParameterName.allCases)
        precondition(first?.given == second?.given, "the canonical query asks for something else")
        precondition(first?.aspects == second?.aspects && first?.framing == second?.framing)
    }
}
