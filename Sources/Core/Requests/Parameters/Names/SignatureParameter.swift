/// The parameters of a signature; the signature covers every parameter except itself.
package enum SignatureParameter: String, CaseIterable, Sendable {
    /// The signature, 64 hexadecimal digits.
    case signature
    /// The expiry of the signature, in seconds since 1970.
    case expires
    /// Maximum freshness of the response, in seconds.
    case maxAge
    /// Maximum length of the body of an upload, in bytes.
    case maxUpload
    /// The SHA-256 of the body of an upload, 64 hexadecimal digits.
    case digest
}
