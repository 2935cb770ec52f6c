/// A host name that fails to resolve without a query to a name server, which could be slow or unavailable.
package enum UnknownHost {
    /// Its first label exceeds the limit of 63 bytes (RFC 1035, 2.3.4).
    package static let name = String(repeating: "a", count: 64) + ".invalid"
}
