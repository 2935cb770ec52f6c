package import HTTPTypes
package import Requests

/// An error that is sent as a problem document: `application/problem+json` (RFC 9457).
package struct Problem: Error, Encodable, Sendable {
    /// Every kind of problem; the raw value is the last part of the type URI.
    package enum Kind: String, CaseIterable, Sendable {
        case invalidRequest = "invalid-request"
        case invalidParameter = "invalid-parameter"
        case notFound = "not-found"
        case methodNotAllowed = "method-not-allowed"
        case unsupportedImage = "unsupported-image"
        case unreadableImage = "unreadable-image"
        case tooLarge = "too-large"
        case responseTooLarge = "response-too-large"
        case noFace = "no-face"
        case sourceNotFound = "source-not-found"
        case sourceFailed = "source-failed"
        case unauthorized
        case forbidden = "forbidden"
        case expired = "expired"
        case unsupportedOption = "unsupported-option"
        case rateLimited = "rate-limited"
        case loopDetected = "loop-detected"
        case overloaded = "overloaded"
        case fetchOverloaded = "fetch-overloaded"
        case internalError = "internal-error"

        var title: String {
            switch self {
            case .invalidRequest: "The request is not valid"
            case .invalidParameter: "A parameter is not valid"
            case .notFound: "No such route"
            case .methodNotAllowed: "Method not allowed"
            case .unsupportedImage: "The image's type is not supported"
            case .unreadableImage: "The image cannot be read"
            case .tooLarge: "The image is too large"
            case .responseTooLarge: "The response is too large"
            case .noFace: "No such face or object"
            case .sourceNotFound: "The source was not found"
            case .sourceFailed: "The source could not be fetched"
            case .unauthorized: "Credentials are required"
            case .forbidden: "A valid signature is required"
            case .expired: "The URL has expired"
            case .unsupportedOption: "The option is not supported"
            case .rateLimited: "The client's limit is reached"
            case .loopDetected: "The request leads back to this service"
            case .overloaded: "The service is busy"
            case .fetchOverloaded: "Too many sources are being fetched"
            case .internalError: "Internal error"
            }
        }
    }

    /// One invalid parameter.
    package struct Invalid: Encodable, Sendable {
        var parameter: String
        var received: String?
        var expected: String
        var detail: String
    }

    /// A cause that does not prevent another service from returning an image.
    package enum Cause: Sendable {
        /// The region starts outside the image.
        case regionOutside
        /// The output exceeds the maximum size in bytes, even at the minimum quality.
        case tooManyBytes
        /// The source is not an image, or it is broken.
        case brokenSource
        /// A video was requested of a still image.
        case stillImage
    }

    package var kind: Kind
    /// The cause, if another service would still return an image; otherwise nil.
    package var cause: Cause?
    package var status: HTTPResponse.Status
    /// One or more sentences for the caller.
    package var detail: String
    package var invalid: [Invalid] = []
    package var retryAfter: Duration?
    /// The allowed methods, for status 405.
    package var allowed: [HTTPRequest.Method] = []
    /// The value of `WWW-Authenticate`, for status 401.
    package var challenge: String?
    /// The caching fields; nil if caches must not store the problem.
    package var caching: HTTPFields?
    /// The tags of the source, as in `Cache-Tag`; nil if the problem does not concern a source.
    package var sourceTags: String?
    /// Whether the same request may soon succeed although neither the request nor the source changes.
    package var isTemporary = false
    package var headers = HTTPFields()
    /// The text that a signature must cover, without secrets, for the log; nil for other problems.
    package var expectedSignedText: String?

    /// Creates a problem without other members.
    package init(_ kind: Kind, _ status: HTTPResponse.Status, _ detail: String) {
        self.kind = kind
        self.status = status
        self.detail = detail
    }

    /// Creates the problem for invalid parameters: status 400, with a sentence and an array element for each error.
    package init(_ errors: ParameterErrors) {
        self.init(.invalidParameter, .badRequest, ParameterError.sentences(errors.all))
        invalid = errors.all.map {
            Invalid(
                parameter: ParameterError.shortened($0.name),
                received: $0.received.map(ParameterError.shortened),
                expected: $0.expected,
                detail: $0.sentence
            )
        }
    }

    private enum Key: String, CodingKey { case type, title, status, detail, errors }

    /// Encodes the members of RFC 9457 §3.1, and `errors` for parameters.
    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encode("urn:headroom:problem:\(kind.rawValue)", forKey: .type)
        try members.encode(kind.title, forKey: .title)
        try members.encode(status.code, forKey: .status)
        try members.encode(detail, forKey: .detail)
        if !invalid.isEmpty { try members.encode(invalid, forKey: .errors) }
    }

    /// The problem as a response with status, header fields and document.
    ///
    /// Caches do not store it unless ``caching`` is set.
    package var reply: ImageReply {
        var headers = caching ?? [.cacheControl: "no-store"]
        for field in self.headers { headers[field.name] = field.value }
        headers[.contentType] = "application/problem+json"
        headers[.wwwAuthenticate] = challenge
        if let retryAfter {
            headers[.retryAfter] = "\(max(1, Int((retryAfter / .seconds(1)).rounded(.up))))"
        }
        if !allowed.isEmpty {
            headers[.allow] = allowed.map(\.rawValue).joined(separator: ", ")
        }
        return ImageReply(status: status, headers: headers, body: JSONDocument.bytes(of: self))
    }

    /// Whether a fallback image may replace the result: the source is absent, its origin failed, or its bytes cannot be
    /// decoded as an image.
    ///
    /// A source that exceeds a limit is not replaced. Its owner would not notice the problem, and a larger limit makes
    /// the image visible.
    var isOfMissingSource: Bool { kind == .sourceNotFound || kind == .sourceFailed || cause == .brokenSource }
}
