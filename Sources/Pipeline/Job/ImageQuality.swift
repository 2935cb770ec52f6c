/// The quality of a lossy encoding.
package enum ImageQuality: Hashable, Codable, Sendable, ExpressibleByIntegerLiteral {
    /// 1…100, on the scale of the format's encoder.
    case level(Int)
    /// The source's quality: a JPEG's quantisation and subsampling, or the closest level in another format. For sources
    /// other than JPEG, the format's default.
    case source

    /// The encoder's level.
    package init(integerLiteral level: Int) { self = .level(level) }

    /// The requested level; nil if it depends on the source.
    var level: Int? {
        if case .level(let level) = self { level } else { nil }
    }
}
