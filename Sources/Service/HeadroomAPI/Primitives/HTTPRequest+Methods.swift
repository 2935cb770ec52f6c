import HTTPTypes
import UntrustedText

extension HTTPRequest.Method {
    /// Whether RFC 9110 §9.3 or RFC 5789 defines the method; methods are case-sensitive.
    var isKnown: Bool {
        [.get, .head, .post, .put, .delete, .connect, .options, .trace, .patch].contains(self)
    }

    /// Whether caches and CDNs use the method to remove responses.
    var isPurge: Bool {
        ["DELETE", "PURGE", "BAN", "REFRESH", "PURGEALL", "INVALIDATE"].contains { $0.bytes == rawValue.bytes }
    }

    /// Returns methods as the value of `Allow`.
    static func list(_ methods: [HTTPRequest.Method]) -> String { methods.map(\.rawValue).joined(separator: ", ") }
}
