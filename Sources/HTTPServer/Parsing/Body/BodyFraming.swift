/// How the body of a request is delimited.
enum BodyFraming: Hashable {
    case none
    /// A body of this many bytes, more than 0.
    case length(Int)
    case chunked
}
