/// A Redis error.
///
/// The text is for logs and never contains the password.
struct RedisFailure: Error, Equatable, CustomStringConvertible {
    let description: String

    /// The failure that a deadline passed.
    static let timeout = RedisFailure(description: "no reply in time")

    init(description: String) { self.description = description }

    /// Creates a failure with a C string as its text.
    init(text: [CChar]) {
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        description = Self.printable(bytes, atMost: bytes.count)
    }

    /// Makes a text from a server printable: at most `limit` bytes, with question marks instead of non-ASCII
    /// characters.
    static func printable(_ bytes: some Sequence<UInt8>, atMost limit: Int = 200) -> String {
        String(decoding: bytes.prefix(limit).map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }

    /// Returns the failure with the name of its server.
    func of(_ server: String) -> RedisFailure { RedisFailure(description: "\(server): \(description)") }

    /// Whether an error reply means that the server is a replica, which does not accept writes.
    ///
    /// Redis before version 7 reports this inside the error of a script.
    static func isOfReplica(_ reason: String) -> Bool {
        reason.hasPrefix("READONLY ") || reason.contains("-READONLY ")
    }
}
