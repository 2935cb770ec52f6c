import HTTPTypes

/// A complete and valid request line and header section.
struct RequestHead {
    let line: RequestLine
    let headers: HTTPFields
    let authority: String?
    let framing: BodyFraming
    /// The total length of the request line and all fields in bytes, including fields that are not in ``headers``.
    let bytes: Int
    /// Whether the client allows the connection to stay open (RFC 9112 §9.3).
    let isPersistent: Bool
    /// Whether the client sends `keep-alive` in `Connection`, and therefore reads the field `Keep-Alive` of a response.
    let namesKeepAlive: Bool
    /// Whether the client waits for `100 Continue` before it sends the body (RFC 9110 §10.1.1).
    let expectsContinue: Bool

    init(
        _ line: RequestLine,
        _ headers: HTTPFields,
        bytes: Int,
        rules: FramingFields,
        maxBodyBytes: Int
    ) throws(RequestError) {
        let isOld = line.minorVersion == 0
        guard rules.host != nil || isOld else { throw .missingHost }
        framing = try rules.bodyFraming(minorVersion: line.minorVersion, maxBodyBytes: maxBodyBytes)
        // Expectations do not exist in HTTP/1.0, so they are ignored (RFC 9110 §10.1.1).
        guard rules.expectation != .unknown || isOld else { throw .unknownExpectation }
        expectsContinue = rules.expectation == .proceed && !isOld && framing != .none
        isPersistent = !rules.wantsClose && (!isOld || rules.wantsKeepAlive)
        namesKeepAlive = rules.wantsKeepAlive
        authority = line.authority ?? rules.host
        self.line = line
        self.headers = headers
        self.bytes = bytes
    }
}
