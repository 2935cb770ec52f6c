import HTTPTypes

extension HTTPField.Name {
    /// What decided the crop, such as `faces` or `fallback:center`.
    static let headroomDecision = known("Headroom-Decision")
    /// The number of faces found; absent when none were looked for.
    static let headroomFaces = known("Headroom-Faces")
    /// In a part of a body: the number of the face that its picture shows.
    static let headroomFace = known("Headroom-Face")
    /// In a part of a body: the rectangle that its picture shows, in pixels of the upright source.
    static let headroomCrop = known("Headroom-Crop")
    /// Milliseconds spent in each stage (W3C Server Timing).
    static let serverTiming = known("Server-Timing")

    /// What the caches of this service did for an answer (RFC 9211).
    static let cacheStatus = known("Cache-Status")

    /// What a request is called in logs, here and at the proxy.
    static let requestID = known("X-Request-Id")
    /// The caller's place in a trace (W3C Trace Context).
    static let traceParent = known("traceparent")

    /// What a CDN's purge finds an answer by.
    static let cacheTag = known("Cache-Tag")
    /// How an answer is related to others (RFC 8288).
    static let link = known("Link")

    /// How much of a page's address a browser tells where it leads (W3C Referrer Policy).
    static let referrerPolicy = known("Referrer-Policy")

    private static func known(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("\(name) is not a header name") }
        return name
    }
}
