import HTTPTypes
@testable import HeadroomAPI

extension Fuzzer {
    /// Request fields other than `Accept`: request ID, trace context, credentials, `Via`, and conditions.
    ///
    /// Invariant: accepted values can be written into a header and parse to equal values.
    static let requestFields = Fuzzer(name: "request-fields", maxLength: 512) {
        [
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "cc-\(String(repeating: "1", count: 32))-",
            "W/\"a\", \"b\" ,, \"\u{e9}\"", " * ", "Bearer 0123456789abcdef", "bearer  a b",
            "1.1 proxy (a, b), 1.1 headroom, HTTP/2 x", "0123-request",
        ].map { Array($0.utf8) }
    } run: { input in
        let text = String(decoding: input, as: UTF8.self)
        var headers = HTTPFields()
        for name in [HTTPField.Name.requestID, .traceParent, .authorization, .via, .ifNoneMatch] {
            headers.append(HTTPField(name: name, value: text))
        }
        let id = RequestID(headers).description
        precondition((1...RequestID.maxLength).contains(id.utf8.count) && id.utf8.allSatisfy { 0x21..<0x7F ~= $0 })
        if let trace = TraceContext(headers) {
            guard let next = TraceContext(trace.traceParent) else { preconditionFailure(trace.traceParent) }
            precondition(next.traceID == trace.traceID && next.parentID == trace.spanID, "another trace")
            precondition(trace.traceParent.utf8.count == 55, trace.traceParent)
        }
        if let token = BearerToken.read(headers) { precondition(headers[.authorization]?.hasSuffix(token) == true) }
        _ = FetchLoop.contains(headers)
        check(IfNoneMatch(text))
    }

    /// Entity tags parse to the same tags when they are written as one field.
    private static func check(_ condition: IfNoneMatch?) {
        guard case .tags(let tags) = condition else { return }
        let written = tags.map { EntityTag($0).text }.joined(separator: ", ")
        precondition(IfNoneMatch(written) == condition, "\(written) is another condition")
        precondition(tags.allSatisfy { IfNoneMatch.holds(written, for: EntityTag($0)) }, "\(written) lacks its own tag")
    }
}
