import Cryptography

/// The tenants of a service, found by their keys and secrets.
package struct TenantSet: Sendable {
    /// Maximum number of tenants; each tenant has its own series in the metrics.
    package static let maxTenants = 100

    /// Maximum number of signing keys over all tenants; a wrong signature is compared with every key.
    package static let maxSigningKeys = 200

    /// The tenants, in the order of their file.
    package let all: [Tenant]

    /// The index of a tenant from 0, and the number of its secret from 1, by the digest of the secret.
    private let secrets: [[UInt8]: (tenant: Int, secret: Int)]
    private let signatures: SignatureOwners

    /// An error in a list of tenants; the reason is the predicate of a sentence and does not contain a key.
    package struct ListError: Error, Sendable {
        package let reason: String
    }

    /// Creates an empty set.
    package init() {
        all = []
        secrets = [:]
        signatures = SignatureOwners([])
    }

    /// Collects tenants with different names.
    ///
    /// - Throws: A ``ListError`` if there are too many tenants or keys, or if two owners have the same key or secret.
    ///   The service itself is also an owner: `others` contains its keys and secrets.
    package init(_ tenants: [Tenant], besides others: [Secret] = []) throws(ListError) {
        guard tenants.count <= Self.maxTenants else {
            throw ListError(reason: "there are \(tenants.count) tenants: expected at most \(Self.maxTenants)")
        }
        let keys = tenants.reduce(0) { $0 + $1.signingKeys.count }
        guard keys <= Self.maxSigningKeys else {
            let maximum = Self.maxSigningKeys
            throw ListError(reason: "all tenants together have \(keys) signing keys: expected at most \(maximum)")
        }
        var owners: [[UInt8]: String] = [:]
        for secret in others { owners[secret.digest] = "the service" }
        var secrets: [[UInt8]: (tenant: Int, secret: Int)] = [:]
        for (index, tenant) in tenants.enumerated() {
            for digest in Set((tenant.signingKeys + tenant.bearerSecrets).map(\.digest)) {
                if let other = owners.updateValue(tenant.name, forKey: digest) {
                    throw ListError(reason: "\(tenant.name) uses a key or secret of \(other): expected a different one")
                }
            }
            for (place, secret) in tenant.bearerSecrets.enumerated() { secrets[secret.digest] = (index, place + 1) }
        }
        all = tenants
        self.secrets = secrets
        signatures = SignatureOwners(tenants)
    }

    package var isEmpty: Bool { all.isEmpty }

    var hasBearerSecrets: Bool { !secrets.isEmpty }

    var hasSigningKeys: Bool { !signatures.isEmpty }

    /// Returns the tenant that owns a bearer token, and the number of its secret from 1.
    ///
    /// Only digests are compared, so timing does not reveal a secret.
    func owner(ofToken token: String) -> (tenant: Tenant, secret: Int)? {
        guard let place = secrets[SHA256.digest(of: Array(token.utf8))] else { return nil }
        return (all[place.tenant], place.secret)
    }

    /// Returns the tenant whose key made a signature, and the number of that key from 1.
    func owner(ofSignature signature: [UInt8], of message: [UInt8]) -> (tenant: Tenant, key: Int)? {
        signatures.owner(ofSignature: signature, of: message).map { (all[$0.tenant], $0.key) }
    }
}

extension TenantSet: Equatable {
    package static func == (left: TenantSet, right: TenantSet) -> Bool { left.all == right.all }
}
