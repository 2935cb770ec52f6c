package import Admission
package import Fetching
import Pipeline

/// A client of the service with keys and limits of its own.
package struct Tenant: Equatable, Sendable {
    /// The name in logs and metrics: letters a to z, digits and hyphens.
    package let name: String
    /// All of them verify, the first signs links in the tenant's markup.
    package var signingKeys: [Secret] = []
    /// Bearer tokens.
    package var bearerSecrets: [Secret] = []
    /// The hosts of web addresses; nil for all that the service allows.
    package var allowedHosts: [HostPattern]?
    /// The buckets, `*` for all; nil for all that the service allows.
    package var allowedBuckets: [String]?
    /// The presets that the tenant may name; nil for all that the service has.
    package var allowedPresets: [String]?
    /// The most pixels of a source or a result; nil and ``unlimited`` for the limit of the service.
    package var maxPixels: Int?
    /// The most bytes of an upload or a fetched source; nil and ``unlimited`` for the limit of the service.
    package var maxBytes: Int?
    /// The most requests a minute; nil and ``unlimited`` for no limit.
    package var requestsPerMinute: Int?
    /// The most processor time a minute, in milliseconds; nil and ``unlimited`` for no limit.
    package var processorMillisecondsPerMinute: Int?

    /// The value of a limit that was lifted on purpose, and not by a line that was lost.
    package static let unlimited = Int.max

    /// The longest name, in characters.
    package static let longestName = 40

    /// A tenant without keys and limits.
    package init(_ name: String) { self.name = name }

    /// Whether a text is a name.
    package static func isName(_ text: String) -> Bool {
        (1...longestName).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
                case UInt8(ascii: "-"): true
                default: false
                }
            }
    }

    /// What the tenant may fetch.
    var fetchTerms: FetchTerms {
        var terms = FetchTerms()
        terms.allowedHosts = allowedHosts
        terms.allowedBuckets = allowedBuckets
        terms.maxBytes = Self.limit(maxBytes)
        return terms
    }

    /// The tenant's own limit on pixels; nil without one.
    var pixelLimit: Int? { Self.limit(maxPixels) }

    /// What a request takes of the bucket of requests; nil without a limit.
    var requestAmount: Int? { Self.limit(requestsPerMinute).map { TokenBucket.amount(ofOneIn: $0) } }

    /// The limit of processor time a minute; nil without one.
    var processorLimit: Duration? { Self.limit(processorMillisecondsPerMinute).map { .milliseconds($0) } }

    private static func limit(_ value: Int?) -> Int? { value == unlimited ? nil : value }

    /// The first limit that an earlier version of the tenant had and this one lacks, by its name in a file of tenants.
    ///
    /// A limit that is lifted with a word is none.
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
