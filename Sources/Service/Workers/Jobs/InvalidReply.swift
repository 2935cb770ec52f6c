/// What is wrong with a reply: the process that sent it is ended.
package enum InvalidReply: Error, CustomStringConvertible {
    /// The head cannot be decoded.
    case unreadable
    /// There is neither a result nor an error.
    case empty
    /// The reply has something that an honest worker cannot send, which the text names.
    case containing(String)

    package var description: String {
        switch self {
        case .unreadable: "its reply cannot be decoded"
        case .empty: "its reply is empty"
        case .containing(let problem): "its reply contains \(problem)"
        }
    }
}
