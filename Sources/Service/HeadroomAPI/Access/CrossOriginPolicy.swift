import UntrustedText
import HTTPServer
import HTTPTypes
import Requests

/// Which web pages of other origins may read responses with scripts (CORS, WHATWG Fetch §3.2).
///
/// An `<img>` needs no CORS. The service uses no cookies, so credentials only matter for a proxy in front of it.
package struct CrossOriginPolicy: Hashable, Sendable {
    /// The allowed origins.
    package enum Origins: Hashable, Sendable {
        /// No page; responses do not contain CORS fields.
        case none
        /// Any page.
        case any
        /// Pages of these origins, at least one.
        case list([OriginPattern])

        /// Parses `*` or a comma-separated list of patterns; nil for any other text.
        package init?(_ text: String) {
            if text == "*" {
                self = .any
                return
            }
            var patterns: [OriginPattern] = []
            for part in text.bytes.split(separator: ",", omittingEmptySubsequences: false) {
                guard let pattern = OriginPattern(part.bytes.withoutSpaces().bytes.lowercased()) else { return nil }
                patterns.append(pattern)
            }
            self = .list(patterns)
        }
    }

    /// The request header fields that pages may send, in addition to the fields that the service reads.
    package enum Fields: Hashable, Sendable {
        /// The fields that the browser asks for, except fields of proxies.
        case requested
        /// Only these fields, in lower case.
        case list([String])

        /// Parses `any`, `none` or a comma-separated list of field names; nil for any other text.
        package init?(_ text: String) {
            switch text {
            case "any": self = .requested
            case "none": self = .list([])
            default:
                guard let names = CrossOriginPolicy.fieldNames(text) else { return nil }
                self = .list(names)
            }
        }
    }

    /// The allowed origins.
    package var origins: Origins
    /// Whether pages may send cookies and other credentials, which a proxy in front of the service may require.
    ///
    /// Ignored with ``Origins/any``, because browsers reject credentials then.
    package var allowsCredentials = false
    /// The fields that pages may send.
    package var fields = Fields.requested

    /// A policy that allows no page to read responses.
    package static let none = CrossOriginPolicy(.none)

    /// Creates a policy without credentials.
    package init(_ origins: Origins) { self.origins = origins }

    /// Creates a policy without credentials from `*` or a comma-separated list of patterns; nil for any other text.
    package init?(_ text: String) {
        guard let origins = Origins(text) else { return nil }
        self.init(origins)
    }

    /// The `Access-Control-Max-Age` of preflight responses, in seconds; no browser caches them for longer than a day.
    private static let preflightSeconds = 86_400

    /// The maximum number of requested fields that a preflight response repeats.
    private static let maxRequestedFields = 64

    /// The maximum length of the name of a requested field.
    private static let maxNameBytes = 64

    /// The request header fields that the service reads, except fields that scripts may always send or never set.
    ///
    /// `tracestate` is not read, but clients send it with `traceparent`.
    private static let readFields: [String] = {
        let fields: [HTTPField.Name] = [
            .authorization, .contentEncoding, .contentType, .ifModifiedSince, .ifNoneMatch, .requestID, .traceParent,
        ]
        return fields.map(\.rawName) + ["tracestate"] + ClientHints.Field.allCases.map(\.rawValue)
    }()

    /// Names and prefixes of fields that proxies use to describe the client and its login; a page must not set them.
    private static let proxyFields = [
        "forwarded", "via", "x-real-ip", "x-client-ip", "x-cluster-client-ip", "true-client-ip", "cf-connecting-ip",
        "fastly-client-ip", "remote-user", "x-remote-user", "x-authenticated-user", "x-http-method-override",
        "x-method-override", "x-http-method", "x-original-url", "x-rewrite-url", "x-original-method",
    ]
    private static let proxyPrefixes = ["x-forwarded-", "x-envoy-", "x-amzn-", "x-goog-", "x-ms-client-principal"]

    /// Whether the CORS fields of a response depend on the origin of the request.
    var dependsOnRequest: Bool {
        if case .list(let patterns) = origins { patterns.count > 1 || patterns.first?.origin == nil } else { false }
    }

    /// Adds the CORS fields to any response, problems included; `request` is nil when the server could not parse it.
    func add(to headers: inout HTTPFields, for request: ServerRequest?) {
        guard let origin = allowedOrigin(for: request, varying: &headers) else { return }
        headers[.accessControlAllowOrigin] = origin
        headers[.timingAllowOrigin] = origin
        if allowsCredentials, origins != .any { headers[.accessControlAllowCredentials] = "true" }
        let exposed: [HTTPField.Name] = [
            .headroomDecision, .headroomFaces, .headroomDegraded, .headroomQuality, .headroomRedacted, .headroomKey,
            .headroomIgnored, .headroomDeprecated, .serverTiming, .cacheStatus, .contentDisposition, .retryAfter, .eTag,
            .lastModified, .requestID,
        ]
        headers[.accessControlExposeHeaders] = exposed.map(\.rawName).joined(separator: ", ")
    }

    /// Adds the CORS fields to a preflight response (WHATWG Fetch §3.2.2).
    ///
    /// Does nothing for requests without `Origin` and `Access-Control-Request-Method`.
    func addPreflight(to headers: inout HTTPFields, for request: ServerRequest, methods: [HTTPRequest.Method]) {
        guard origins != .none, request.headers[.origin] != nil,
            request.headers[.accessControlRequestMethod] != nil
        else { return }
        headers[.accessControlAllowMethods] = methods.map(\.rawValue).joined(separator: ", ")
        headers[.accessControlAllowHeaders] = (Self.readFields + allowedFields(of: request)).joined(separator: ", ")
        headers[.accessControlMaxAge] = "\(Self.preflightSeconds)"
        // The response lists the fields that the browser asks for.
        if fields == .requested {
            headers[.vary] =
                headers[.vary].map { "\($0), Access-Control-Request-Headers" }
                ?? "Access-Control-Request-Headers"
        }
    }

    /// Returns the fields that a request may have in addition to ``readFields``, in lower case.
    private func allowedFields(of request: ServerRequest) -> [String] {
        let read = Self.readFields.map { $0.bytes.lowercased() }
        switch fields {
        case .list(let names): return names.filter { !read.contains($0) }
        case .requested:
            let elements = (request.headers[.accessControlRequestHeaders] ?? "").listElements
            var names: [String] = []
            for element in elements.prefix(Self.maxRequestedFields) {
                guard let name = Self.fieldNames(String(element))?.first, !Self.isOfProxies(name), !read.contains(name),
                    !names.contains(name)
                else { continue }
                names.append(name)
            }
            return names
        }
    }

    private static func isOfProxies(_ name: String) -> Bool {
        proxyFields.contains(name) || proxyPrefixes.contains(where: name.bytes.hasPrefix)
    }

    /// Parses comma-separated field names into lower case; nil if one of them is not the name of a field.
    private static func fieldNames(_ text: String) -> [String]? {
        let names = text.bytes.split(separator: ",", omittingEmptySubsequences: false).map { part in
            part.bytes.trimmed().bytes.lowercased()
        }
        let isValid = names.allSatisfy { name in
            (1...maxNameBytes).contains(name.utf8.count) && HTTPField.Name(name) != nil
        }
        return isValid ? names : nil
    }

    private func allowedOrigin(for request: ServerRequest?, varying headers: inout HTTPFields) -> String? {
        switch origins {
        case .none: return nil
        case .any: return "*"
        case .list(let patterns):
            // A single origin is sent to every client, so that caches do not need to distinguish requests.
            if !dependsOnRequest { return patterns.first?.origin }
            headers[.vary] = headers[.vary].map { "\($0), Origin" } ?? "Origin"
            guard let origin = request?.headers[.origin] else { return nil }
            return patterns.contains { $0.matches(origin) } ? origin : nil
        }
    }
}

/// Security headers of every response, problems included.
enum ProtectiveHeaders {
    /// Prevents a response that is opened as a page from running scripts and loading resources.
    ///
    /// Images, JSON and HTML snippets need neither.
    static let contentSecurityPolicy = "default-src 'none'; sandbox"

    /// Adds the security headers that the response does not set itself.
    ///
    /// The route, not the media type, decides whether pages of other sites may embed the response. A 304 therefore has
    /// the same value as its 200.
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
