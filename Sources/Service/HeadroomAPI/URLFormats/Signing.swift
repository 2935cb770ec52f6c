/// Whether the URLs of another service carry signatures, and the keys that verify them.
package enum Signing: Sendable {
    /// The service does not sign URLs, or signatures are not verified here.
    case none
    /// URLs can be signed.
    ///
    /// If keys are configured, every URL must be signed with one of them. Without keys, no URL needs a signature.
    case keys([Secret])

    /// Whether every URL must have a valid signature.
    package var isRequired: Bool { if case .keys(let keys) = self { !keys.isEmpty } else { false } }

    /// Whether URLs can be signed but no key is configured.
    ///
    /// URLs then do not need a signature.
    package var lacksKeys: Bool { if case .keys(let keys) = self { keys.isEmpty } else { false } }
}
