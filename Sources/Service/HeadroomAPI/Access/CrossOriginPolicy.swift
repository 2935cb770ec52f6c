import UntrustedText
import HTTPServer
import HTTPTypes
import Requests

/// Which web pages of other origins may read responses with scripts (CORS, WHATWG Fetch §3.2).
///
/// An `<img>` needs no CORS. Credentials are never allowed, because the service uses no cookies.
package enum CrossOriginPolicy: Hashable, Sendable {
    /// No page; responses do not contain CORS fields.
    case none
    /// Any page.
    case any
    /// Pages of these origins, at least one, as browsers write them: `https://example.com`.
    case origins([String])

    /// The `Access-Control-Max-Age` of preflight responses, in seconds; no browser caches them for longer than a day.
    private static let preflightSeconds = 86_400

    /// The request header fields that the service reads, except fields that scripts may always send or never set.
    ///
    /// `tracestate` is not read, but clients send it with `traceparent`.
    private static let readFields: String = {
        let fields: [HTTPField.Name] = [
            .authorization, .contentEncoding, .contentType, .ifModifiedSince, .ifNoneMatch, .requestID, .traceParent,
        ]
        let hints = ClientHints.Field.allCases.map(\.rawValue)
        return (fields.map(\.rawName) + ["tracestate"] + hints).joined(separator: ", ")
    }()

    /// Parses `*` or a comma-separated list of origins; nil for any other text.
    package init?(_ text: String) {
        if text == "*" {
            self = .any
            return
        }
        let origins = text.bytes.split(separator: ",", omittingEmptySubsequences: false).map { part in
            part.bytes.withoutSpaces().bytes.lowercased()
        }
        guard origins.allSatisfy(Self.isOrigin) else { return nil }
        self = .origins(origins)
    }

    /// Whether the CORS fields of a response depend on the origin of the request.
    var dependsOnRequest: Bool { if case .origins(let origins) = self { origins.count > 1 } else { false } }

    /// Adds the CORS fields to any response, problems included; `request` is nil when the server could not parse it.
    func add(to headers: inout HTTPFields, for request: ServerRequest?) {
        guard let origin = allowedOrigin(for: request, varying: &headers) else { return }
        headers[.accessControlAllowOrigin] = origin
        headers[.timingAllowOrigin] = origin
        let exposed: [HTTPField.Name] = [
            .headroomDecision, .headroomFaces, .headroomDegraded, .headroomQuality, .headroomRedacted, .headroomKey,
            .headroomIgnored, .serverTiming, .contentDisposition, .retryAfter, .eTag,
            .lastModified, .requestID,
        ]
        headers[.accessControlExposeHeaders] = exposed.map(\.rawName).joined(separator: ", ")
    }

    /// Adds the CORS fields to a preflight response (WHATWG Fetch §3.2.2).
    ///
    /// Requests without `Origin` and `Access-Control-Request-Method` change nothing.
    func addPreflight(to headers: inout HTTPFields, for request: ServerRequest, methods: [HTTPRequest.Method]) {
        guard self != .none, request.headers[.origin] != nil, request.headers[.accessControlRequestMethod] != nil else {
            return
        }
        headers[.accessControlAllowMethods] = methods.map(\.rawValue).joined(separator: ", ")
        headers[.accessControlAllowHeaders] = Self.readFields
        headers[.accessControlMaxAge] = "\(Self.preflightSeconds)"
    }

    private func allowedOrigin(for request: ServerRequest?, varying headers: inout HTTPFields) -> String? {
        switch self {
        case .none: return nil
        case .any: return "*"
        case .origins(let origins):
            // A single origin is sent to every client, so that caches do not need to distinguish requests.
            if origins.count == 1 { return origins[0] }
            headers[.vary] = headers[.vary].map { "\($0), Origin" } ?? "Origin"
            guard let origin = request?.headers[.origin] else { return nil }
            return origins.first { $0.bytes == origin.bytes }
        }
    }

    /// Whether the text is a scheme, a host and an optional port, and nothing else (RFC 6454 §6.2).
    private static func isOrigin(_ text: String) -> Bool {
        guard let scheme = ["https://", "http://"].first(where: text.bytes.hasPrefix) else { return false }
        let rest = text.bytes.dropFirst(scheme.count)
        return !rest.isEmpty && rest.utf8.allSatisfy("abcdefghijklmnopqrstuvwxyz0123456789-.:[]".utf8.contains)
    }
}

/// Security headers of every response, problems included.
enum ProtectiveHeaders {
    /// A response opened as a page runs and loads nothing.
    ///
    /// Images, JSON and HTML snippets need neither.
    static let contentSecurityPolicy = "default-src 'none'; sandbox"

    /// Adds the security headers that the response does not set itself.
    ///
    /// The route decides whether pages of other sites may embed the response, not the media type, so that a 304 has the
    /// same value as its 200.
    static func add(to headers: inout HTTPFields, isEmbeddable: Bool) {
        let values: [(HTTPField.Name, String)] = [
            (.contentSecurityPolicy, contentSecurityPolicy),
            (.crossOriginResourcePolicy, isEmbeddable ? "cross-origin" : "same-origin"),
            (.referrerPolicy, "no-referrer"),
            (.xContentTypeOptions, "nosniff"),
        ]
        for (name, value) in values where headers[name] == nil { headers[name] = value }
    }
}
