/// How much of the picture's detail a lossy file keeps.
package enum ImageQuality: Hashable, Codable, Sendable, ExpressibleByIntegerLiteral {
    /// 1…100, as the format's encoder counts.
    case level(Int)
    /// As much as the source: a JPEG's own quantisation and subsampling, or what comes closest in another format. The
    /// format's default where the source is no JPEG.
    case source

    /// A level of the encoder.
    package init(integerLiteral level: Int) { self = .level(level) }

    /// The level that is asked for; nil when it depends on the source.
    var level: Int? {
        if case .level(let level) = self { level } else { nil }
    }
}
