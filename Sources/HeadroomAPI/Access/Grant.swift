import HTTPTypes

/// Why a request for a picture may be answered.
///
/// It goes with the request, so that an answer can depend on who may see it, and for how long.
package enum Grant: Sendable {
    /// The service asks nobody for credentials.
    case everyone
    /// The request has a bearer secret; its place in the list, from 1.
    case bearer(secret: Int)
    /// The request is signed; the place of its key in the list, from 1, and what the signature allows.
    case signature(key: Int, SignatureTerms)

    /// Whether a signature vouches for every parameter of the request, so that nobody else can have made it up.
    package var isSigned: Bool {
        if case .signature = self { true } else { false }
    }

    /// The terms of the signature; nil without one.
    package var terms: SignatureTerms? {
        if case .signature(_, let terms) = self { terms } else { nil }
    }

    /// Whether a body may have parameters: not when a signature leaves open what the body is, for then they would be
    /// whatever the sender likes.
    var allowsParametersInBody: Bool { terms.map { $0.digest != nil } ?? true }

    /// Holds the length that a body is going to have against what was signed.
    func check(bodyLength: Int) throws(Problem) {
        guard let most = terms?.maxBytes, bodyLength > most else { return }
        throw Problem(
            .tooLarge,
            .contentTooLarge,
            "The body has \(bodyLength) bytes, and the signature allows \(most)."
        )
    }

    /// Holds a body against what was signed.
    func check(body: [UInt8]) throws(Problem) {
        try check(bodyLength: body.count)
        guard let digest = terms?.digest, !SHA256.areEqual(digest, SHA256.digest(of: body)) else { return }
        throw Problem(.forbidden, .forbidden, "The body is not the one that the signature was made for.")
    }
}
