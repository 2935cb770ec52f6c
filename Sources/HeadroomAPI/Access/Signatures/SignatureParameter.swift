/// The parameters of a signature; the signature covers all of them but itself.
package enum SignatureParameter: String, CaseIterable, Sendable {
    /// The signature, 64 hexadecimal digits.
    case signature
    /// When the signature ends, in seconds since 1970.
    case expires
    /// The most bytes that the body of an upload may have.
    case maxUpload
    /// The SHA-256 of the body of an upload, 64 hexadecimal digits.
    case digest
}
