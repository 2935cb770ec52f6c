/// The problem with an invalid reply.
///
/// The process that sent the reply is killed.
package enum InvalidReply: Error, CustomStringConvertible {
    /// The head cannot be decoded.
    case unreadable
    /// The reply contains neither a result nor an error.
    case empty
    /// The reply contains a value that a correct worker cannot send; the text names the value.
    case containing(String)

    package var description: String {
        switch self {
        case .unreadable: "its reply cannot be decoded"
        case .empty: "its reply is empty"
        case .containing(let problem): "its reply contains \(problem)"
        }
    }
}
