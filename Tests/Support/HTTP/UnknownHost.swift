/// A host that does not exist, found out without a question to a name server, which may be slow or away.
package enum UnknownHost {
    /// Its first label is longer than the 63 bytes that one may have (RFC 1035, 2.3.4).
    package static let name = String(repeating: "a", count: 64) + ".invalid"
}
