import HTTPTypes
import Requests

/// Signs the URLs of crops in markup.
///
/// A link expires together with the request for the markup.
package struct LinkSigner: Sendable {
    let key: Secret
    let expires: Int?

    /// Returns a path and its parameters with a signature for `GET`.
    func target(_ path: String, _ pairs: [(name: String, value: String)]) -> String {
        let expiry = expires.map { [(name: SignatureParameter.expires.rawValue, value: "\($0)")] } ?? []
        return CanonicalRequest(.get, path: path, pairs: pairs + expiry).signedTarget(key)
    }
}
