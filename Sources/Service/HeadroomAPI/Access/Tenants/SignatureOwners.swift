import Cryptography
import Synchronization

/// Finds the key of a signature among the keys of all tenants, and caches recent outcomes.
///
/// A signature is compared with every key, and the owner of one request is needed several times: before its body, for
/// its fair share of memory, and when it is served.
final class SignatureOwners: Sendable {
    /// Maximum number of cached outcomes.
    ///
    /// Above it, the oldest half is dropped.
    static let maxOutcomes = 512

    /// The tenant's index from 0, and the number of its key from 1.
    typealias Owner = (tenant: Int, key: Int)

    private struct Outcomes {
        var recent: [[UInt8]: Owner?] = [:]
        var older: [[UInt8]: Owner?] = [:]
    }

    private let keys: [AuthenticationKey]
    private let owners: [Owner]
    private let outcomes = Mutex(Outcomes())

    /// Collects the signing keys of tenants.
    init(_ tenants: [Tenant]) {
        let all = tenants.enumerated().flatMap { index, tenant in
            tenant.signingKeys.enumerated().map { (secret: $1, owner: (tenant: index, key: $0 + 1)) }
        }
        keys = all.map(\.secret.key)
        owners = all.map(\.owner)
    }

    var isEmpty: Bool { keys.isEmpty }

    /// Finds the owner of the key that signed a message; nil if no key matches.
    func owner(ofSignature signature: [UInt8], of message: [UInt8]) -> Owner? {
        guard !keys.isEmpty, signature.count == SHA256.byteCount else { return nil }
        // The signature has a fixed length, so the concatenation is unambiguous.
        let pair = SHA256.digest(of: signature + message)
        if let known = outcomes.withLock({ $0.recent[pair] ?? $0.older[pair] }) { return known }
        let index = AuthenticationKey.firstIndex(in: keys, of: signature, for: message)
        let owner = index.map { owners[$0] }
        outcomes.withLock { outcomes in
            if outcomes.recent.count >= Self.maxOutcomes / 2 {
                outcomes.older = outcomes.recent
                outcomes.recent = [:]
            }
            outcomes.recent[pair] = .some(owner)
        }
        return owner
    }
}
