import HTTPServer
import HTTPTypes

/// Which web pages of other origins may read answers with scripts: cross-origin resource sharing (CORS, WHATWG Fetch §3.2).
///
/// An `<img>` needs none of this. Cookies and the like are never allowed, for the service knows none.
package enum CrossOriginPolicy: Hashable, Sendable {
    /// No page; nothing is said.
    case none
    /// Any page.
    case any
    /// Pages of these origins, at least one, each as a browser writes it: `https://example.com`.
    case origins([String])

    /// How long a browser may remember the answer to a preflight, in seconds; none keeps it for longer than a day.
    private static let preflightSeconds = 86_400

    /// Reads `*`, or origins with commas between; nil when it is neither.
    package init?(_ text: String) {
        if text == "*" {
            self = .any
            return
        }
        let origins = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            part.filter { $0 != " " }.lowercased()
        }
        guard origins.allSatisfy(Self.isOrigin) else { return nil }
        self = .origins(origins)
    }

    /// Adds what browsers ask for to the answer to a request.
    ///
    /// - Parameters:
    ///   - headers: Of the answer, be it good or a problem.
    ///   - request: What is answered; nil when it could not be understood.
    func add(to headers: inout HTTPFields, for request: ServerRequest?) {
        guard let origin = allowedOrigin(for: request, varying: &headers) else { return }
        headers[.accessControlAllowOrigin] = origin
        let exposed: [HTTPField.Name] = [
            .headroomDecision, .headroomFaces, .serverTiming, .retryAfter, .eTag, .requestID,
        ]
        headers[.accessControlExposeHeaders] = exposed.map(\.rawName).joined(separator: ", ")
    }

    /// Adds what a browser asks for before it sends a request that a form could not have made (WHATWG Fetch §3.2.2).
    ///
    /// - Parameters:
    ///   - headers: Of the answer to `OPTIONS`.
    ///   - request: With `Origin` and `Access-Control-Request-Method`; nothing is added to another.
    ///   - methods: What the path answers.
    func addPreflight(to headers: inout HTTPFields, for request: ServerRequest, methods: [HTTPRequest.Method]) {
        guard self != .none, request.headers[.origin] != nil, request.headers[.accessControlRequestMethod] != nil else {
            return
        }
        headers[.accessControlAllowMethods] = methods.map(\.rawValue).joined(separator: ", ")
        // What decides an answer, apart from what browsers allow anyway.
        headers[.accessControlAllowHeaders] = "Authorization, Content-Type, If-None-Match"
        headers[.accessControlMaxAge] = "\(Self.preflightSeconds)"
    }

    private func allowedOrigin(for request: ServerRequest?, varying headers: inout HTTPFields) -> String? {
        switch self {
        case .none: return nil
        case .any: return "*"
        case .origins(let origins):
            // The same to everyone when there is one, so that caches need not tell requests apart.
            if origins.count == 1 { return origins[0] }
            headers[.vary] = headers[.vary].map { "\($0), Origin" } ?? "Origin"
            guard let origin = request?.headers[.origin], origins.contains(origin) else { return nil }
            return origin
        }
    }

    /// Scheme, host and perhaps a port, and nothing behind (RFC 6454 §6.2).
    private static func isOrigin(_ text: String) -> Bool {
        guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return false }
        let rest = text.dropFirst(scheme.count)
        return !rest.isEmpty
            && rest.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
                case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"): true
                default: false
                }
            }
    }
}
