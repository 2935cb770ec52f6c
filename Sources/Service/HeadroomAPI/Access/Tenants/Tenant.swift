import Admission
import Encodings
package import Fetching
package import Requests

/// A client of the service with its own keys and limits.
package struct Tenant: Equatable, Sendable {
    /// The name in logs and metrics: letters a to z, digits and hyphens.
    package let name: String
    /// Signing keys: every key verifies signatures, the first key signs links in the tenant's markup.
    package var signingKeys: [Secret] = []
    package var bearerSecrets: [Secret] = []
    /// The allowed hosts of web URLs; nil for all hosts that the service allows.
    package var allowedHosts: [HostPattern]?
    /// The allowed buckets, `*` for all; nil for all buckets that the service allows.
    package var allowedBuckets: [String]?
    /// The presets that requests of the tenant may name; nil for all presets of the service.
    package var allowedPresets: [String]?
    /// Freshness rules for the tenant's requests, instead of the rules of the service.
    package var freshness = FreshnessRules()
    /// The maximum number of pixels of a source or an output; nil and ``unlimited`` for the limit of the service.
    package var maxPixels: Int?
    /// The maximum size of an upload or a fetched source, in bytes; nil and ``unlimited`` for the limit of the service.
    package var maxBytes: Int?
    /// The maximum number of requests per minute; nil and ``unlimited`` for no limit.
    package var requestsPerMinute: Int?
    /// The maximum processor time per minute, in milliseconds; nil and ``unlimited`` for no limit.
    package var processorMillisecondsPerMinute: Int?

    /// The value of a limit that the tenants file disables explicitly.
    ///
    /// A limit that the file does not set is nil.
    package static let unlimited = Int.max

    /// The maximum length of a name, in characters.
    package static let maxNameLength = 40

    /// Creates a tenant without keys, and with the limits of the service; the name must be valid (``isName(_:)``).
    package init(_ name: String) { self.name = name }

    /// Whether a text can be a name: 1 to ``maxNameLength`` lower-case letters, digits and hyphens.
    package static func isName(_ text: String) -> Bool { text.isPlainName(atMost: maxNameLength) }

    /// The limits on the sources that the tenant may fetch.
    package var fetchLimits: FetchLimits {
        var limits = FetchLimits()
        limits.allowedHosts = allowedHosts
        limits.allowedBuckets = allowedBuckets
        limits.maxBytes = Self.limit(maxBytes)
        return limits
    }

    /// The tenant's pixel limit; nil without a limit.
    package var pixelLimit: Int? { Self.limit(maxPixels) }

    /// The amount that one request takes from the request bucket, in microseconds; nil without a limit.
    var requestAmount: Int? { Self.limit(requestsPerMinute).map { TokenBucket.amount(ofOneIn: $0) } }

    var processorLimit: Duration? { Self.limit(processorMillisecondsPerMinute).map { .milliseconds($0) } }

    private static func limit(_ value: Int?) -> Int? { value == unlimited ? nil : value }

    /// Returns the name, as in a tenants file, of the first limit that an earlier version of the tenant had and this
    /// version lacks.
    ///
    /// A limit that the file explicitly disables (``unlimited``) does not count as lost.
    package func lostLimit(since old: Tenant) -> String? {
        let limits: [(String, Bool, Bool)] = [
            ("allow-hosts", old.allowedHosts != nil, allowedHosts != nil),
            ("allow-buckets", old.allowedBuckets != nil, allowedBuckets != nil),
            ("presets", old.allowedPresets != nil, allowedPresets != nil),
            ("max-pixels", old.maxPixels != nil, maxPixels != nil),
            ("max-bytes", old.maxBytes != nil, maxBytes != nil),
            ("requests-per-minute", old.requestsPerMinute != nil, requestsPerMinute != nil),
            (
                "cpu-seconds-per-minute", old.processorMillisecondsPerMinute != nil,
                processorMillisecondsPerMinute != nil
            ),
        ]
        return limits.first { $0.1 && !$0.2 }?.0
    }
}
