import HTTPTypes
import HeadroomAPI

/// Keys and secrets for these tests, and signed requests.
enum Credentials {
    static let firstKey = "first-key-0123456789abcdefghijkl"
    static let secondKey = "second/key+0123456789abcdefghij="
    static let foreignKey = "foreign-key-0123456789abcdefghij"
    static let bearer = "bearer~secret.0123456789-abcdef_"

    /// A policy with both keys.
    static func signing(now: @escaping @Sendable () -> Int = { 1_000_000 }) -> AccessPolicy {
        AccessPolicy(signingKeys: list("\(firstKey),\(secondKey)"), now: now)
    }

    /// A policy with the bearer secret, optionally with the keys.
    static func bearing(andSigning: Bool = false) -> AccessPolicy {
        var policy = andSigning ? signing() : AccessPolicy()
        policy.bearerSecrets = list(bearer)
        return policy
    }

    static func list(_ text: String) -> [Secret] {
        do {
            return try Secret.list(text)
        } catch {
            preconditionFailure("a secret of the tests \(error.reason)")
        }
    }

    /// The target with its signature appended.
    static func sign(
        _ path: String,
        _ parameters: [(name: String, value: String)],
        method: HTTPRequest.Method = .get,
        key: String = firstKey
    ) -> String {
        CanonicalRequest(method, path: path, pairs: parameters).signedTarget(list(key)[0])
    }
}
