package import HTTPTypes

extension HTTPField.Name {
    /// The decision of the crop, such as `faces` or `fallback:center`.
    static let headroomDecision = known("Headroom-Decision")
    /// The number of faces; absent without detection.
    static let headroomFaces = known("Headroom-Faces")
    static let headroomDegraded = known("Headroom-Degraded")
    static let headroomQuality = known("Headroom-Quality")
    /// The number of heads that redaction covers.
    static let headroomRedacted = known("Headroom-Redacted")
    /// The colour of the borders that `chromaKey=auto` makes transparent, or `none`.
    static let headroomKey = known("Headroom-Key")
    /// Options of another service's URL that this service ignores.
    static let headroomIgnored = known("Headroom-Ignored")
    /// Deprecated names in the request, each with its new name: `mark->watermark`.
    static let headroomDeprecated = known("Headroom-Deprecated")
    /// In a part of a body: the number of the face in the part's image.
    static let headroomFace = known("Headroom-Face")
    /// In a part of a body: the rectangle of the part's image, in pixels of the upright source.
    static let headroomCrop = known("Headroom-Crop")
    /// Milliseconds spent in each stage (W3C Server Timing).
    static let serverTiming = known("Server-Timing")

    /// The use of the service's caches (RFC 9211).
    static let cacheStatus = known("Cache-Status")

    /// The ID of a request in the logs of the service and of proxies.
    static let requestID = known("X-Request-Id")
    /// The clients whose requests a proxy forwarded (RFC 7239), and the older field.
    static let forwarded = known("Forwarded")
    static let xForwardedFor = known("X-Forwarded-For")
    /// Fields that proxies and CDNs add.
    ///
    /// A request that contains one of these fields may come from any client.
    static let ofProxies = [
        forwarded, xForwardedFor, .via, known("X-Forwarded-Host"), known("X-Forwarded-Proto"), known("X-Real-IP"),
        known("CF-Connecting-IP"), known("True-Client-IP"), known("Fastly-Client-IP"), known("X-Client-IP"),
    ]
    /// The name of the browser interface that a JavaScript library uses, such as `XMLHttpRequest`.
    static let xRequestedWith = known("X-Requested-With")
    /// The caller's trace context (W3C Trace Context).
    static let traceParent = known("traceparent")

    /// The pages whose scripts may read the times of a response (W3C Resource Timing).
    static let timingAllowOrigin = known("Timing-Allow-Origin")

    /// The client hints that the service requests (RFC 8942).
    static let acceptCH = known("Accept-CH")

    /// Tags that a CDN uses to purge responses.
    static let cacheTag = known("Cache-Tag")
    /// Links to related resources (RFC 8288).
    static let link = known("Link")

    /// The policy for the part of a page's URL that browsers send in `Referer` (W3C Referrer Policy).
    static let referrerPolicy = known("Referrer-Policy")

    /// The detail of a problem, as Cloudinary sends it.
    package static let cldError = known("X-Cld-Error")
    /// The error number of a problem, as Cloudflare sends it.
    package static let cfResized = known("Cf-Resized")

    private static func known(_ name: String) -> HTTPField.Name {
        // bounded: a constant
        guard let name = HTTPField.Name(name) else { preconditionFailure("\(name) is not a header name") }
        return name
    }
}
