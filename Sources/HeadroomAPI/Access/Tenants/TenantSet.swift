import Admission
import Encodings
package import Fetching
import Pipeline

/// The tenants of a service, found by their keys and secrets.
package struct TenantSet: Sendable {
    /// Maximum number of tenants: each has series in the metrics.
    package static let mostTenants = 100

    /// Maximum number of signing keys of all tenants together: a wrong signature is compared with all of them.
    package static let mostSigningKeys = 200

    package let all: [Tenant]

    /// The index of a tenant from 0, and the number of its secret from 1, by the digest of the secret.
    private let secrets: [[UInt8]: (tenant: Int, secret: Int)]

    /// An error in a list of tenants: the rest of a sentence, which contains no key.
    package struct ListError: Error, Sendable {
        package let reason: String
    }

    package init() {
        all = []
        secrets = [:]
    }

    /// Collects tenants with different names.
    ///
    /// - Throws: A ``ListError`` if there are too many tenants or keys, or if two owners, of which the service with `others`
    ///   is one, have the same key or secret.
    package init(_ tenants: [Tenant], besides others: [Secret] = []) throws(ListError) {
        guard tenants.count <= Self.mostTenants else {
            throw ListError(reason: "there are \(tenants.count) tenants: expected at most \(Self.mostTenants)")
        }
        let keys = tenants.reduce(0) { $0 + $1.signingKeys.count }
        guard keys <= Self.mostSigningKeys else {
            let most = Self.mostSigningKeys
            throw ListError(reason: "there are \(keys) signing keys: expected at most \(most) of all tenants")
        }
        var owners: [[UInt8]: String] = [:]
        for secret in others { owners[secret.digest] = "the service" }
        var secrets: [[UInt8]: (tenant: Int, secret: Int)] = [:]
        for (index, tenant) in tenants.enumerated() {
            for digest in Set((tenant.signingKeys + tenant.bearerSecrets).map(\.digest)) {
                if let other = owners.updateValue(tenant.name, forKey: digest) {
                    throw ListError(reason: "\(tenant.name) has a key or secret of \(other): expected others")
                }
            }
            for (place, secret) in tenant.bearerSecrets.enumerated() { secrets[secret.digest] = (index, place + 1) }
        }
        all = tenants
        self.secrets = secrets
    }

    package var isEmpty: Bool { all.isEmpty }

    var hasBearerSecrets: Bool { !secrets.isEmpty }

    var hasSigningKeys: Bool { all.contains { !$0.signingKeys.isEmpty } }

    /// The tenant with a bearer token, and the number of its secret from 1.
    ///
    /// Only digests are compared, so timing reveals no secret.
    func owner(ofToken token: String) -> (tenant: Tenant, secret: Int)? {
        guard let place = secrets[SHA256.digest(of: Array(token.utf8))] else { return nil }
        return (all[place.tenant], place.secret)
    }

    /// The tenant with the key of a signature, and the number of that key from 1.
    func owner(ofSignature signature: [UInt8], of message: [UInt8]) -> (tenant: Tenant, key: Int)? {
        for tenant in all {
            for (index, key) in tenant.signingKeys.enumerated()
            where MessageDigest.areEqual(key.authenticationCode(of: message), signature) {
                return (tenant, index + 1)
            }
        }
        return nil
    }
}

extension TenantSet: Equatable {
    package static func == (left: TenantSet, right: TenantSet) -> Bool { left.all == right.all }
}

/// A client of the service with keys and limits of its own.
package struct Tenant: Equatable, Sendable {
    /// The name in logs and metrics: letters a to z, digits and hyphens.
    package let name: String
    /// Signing keys: all of them verify signatures, the first signs links in the tenant's markup.
    package var signingKeys: [Secret] = []
    package var bearerSecrets: [Secret] = []
    /// The allowed hosts of web addresses; nil for all that the service allows.
    package var allowedHosts: [HostPattern]?
    /// The allowed buckets, `*` for all; nil for all that the service allows.
    package var allowedBuckets: [String]?
    /// The presets that requests of the tenant may name; nil for all presets of the service.
    package var allowedPresets: [String]?
    /// The most pixels of a source or a result; nil and ``unlimited`` for the limit of the service.
    package var maxPixels: Int?
    /// The most bytes of an upload or a fetched source; nil and ``unlimited`` for the limit of the service.
    package var maxBytes: Int?
    /// The most requests a minute; nil and ``unlimited`` for no limit.
    package var requestsPerMinute: Int?
    /// The most processor time a minute, in milliseconds; nil and ``unlimited`` for no limit.
    package var processorMillisecondsPerMinute: Int?

    /// The value of a limit that the file lifts explicitly; a missing line is nil.
    package static let unlimited = Int.max

    /// The longest name, in characters.
    package static let longestName = 40

    package init(_ name: String) { self.name = name }

    package static func isName(_ text: String) -> Bool { text.isPlainName(atMost: longestName) }

    /// The limits on the sources that the tenant may fetch.
    var fetchTerms: FetchTerms {
        var terms = FetchTerms()
        terms.allowedHosts = allowedHosts
        terms.allowedBuckets = allowedBuckets
        terms.maxBytes = Self.limit(maxBytes)
        return terms
    }

    /// The tenant's own limit on pixels; nil without one.
    var pixelLimit: Int? { Self.limit(maxPixels) }

    /// The amount that one request takes from the bucket of requests, in microseconds; nil without a limit.
    var requestAmount: Int? { Self.limit(requestsPerMinute).map { TokenBucket.amount(ofOneIn: $0) } }

    var processorLimit: Duration? { Self.limit(processorMillisecondsPerMinute).map { .milliseconds($0) } }

    private static func limit(_ value: Int?) -> Int? { value == unlimited ? nil : value }

    /// The first limit that an earlier version of the tenant had and this one lacks, by its name in a file of tenants.
    ///
    /// A limit that is lifted explicitly (``unlimited``) is not lost.
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
