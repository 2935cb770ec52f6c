/// The location of an image's bytes.
package enum JobSource: Sendable, Hashable {
    /// A whole file.
    case file(String)
    /// A part of a file, such as an archive member. The member's name is for messages.
    case part(of: String, Range<Int>, member: String?)
    /// A URL.
    case url(String)

    /// The text in results.
    package var text: String {
        switch self {
        case .file(let path): path
        case .part(let path, let range, let member): "\(path):\(member ?? "\(range.lowerBound)")"
        case .url(let url): url
        }
    }
}
