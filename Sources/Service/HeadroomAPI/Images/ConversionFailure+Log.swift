import Workers

extension ConversionFailure {
    /// The cause for logs; nil if the problem contains it.
    var log: String? {
        switch self {
        case .notStarted(let reason), .failed(let reason): "converter: \(reason)"
        case .invalidOutput: "converter: the output has another format"
        default: nil
        }
    }
}
