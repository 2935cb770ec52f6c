/// Where the bytes of a picture are.
package enum JobSource: Sendable, Hashable {
    /// A whole file.
    case file(String)
    /// A part of a file: a member of an archive, with the name of that for messages.
    case part(of: String, Range<Int>, member: String?)
    /// Something to fetch.
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
