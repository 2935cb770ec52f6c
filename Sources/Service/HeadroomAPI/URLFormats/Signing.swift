/// Whether the URLs of another service carry signatures, and the keys that verify them.
package enum Signing: Sendable {
    /// The service does not have signatures, or they are not verified here.
    case none
    /// URLs can be signed.
    ///
    /// With keys, every URL must have a signature by one of the keys; without keys, no URL needs a signature.
    case keys([Secret])

    /// Whether every URL must have a valid signature.
    package var isRequired: Bool { if case .keys(let keys) = self { !keys.isEmpty } else { false } }

    /// Whether URLs could be signed, but no key is configured, so that they are served without a signature.
    package var lacksKeys: Bool { if case .keys(let keys) = self { keys.isEmpty } else { false } }
}
