/// The options of Cloudflare's addresses, by their full names.
enum CloudflareOption: String, CaseIterable {
    case width, height, dpr, fit, gravity, zoom, quality, format, background, rotate, flip, anim, metadata
    case brightness, contrast, saturation
    case trim
    case trimLeft = "trim.left"
    case trimTop = "trim.top"
    case trimWidth = "trim.width"
    case trimHeight = "trim.height"
    // Without effect on the size, the crop and the content.
    case slowConnectionQuality = "slow-connection-quality"
    case compression, onerror, sharpen
    // Not supported.
    case blur, border, gamma, segment, upscale, draw

    /// The option of a name or an abbreviation; nil for an unknown one.
    init?(name: String) {
        if let option = Self.abbreviations[name] {
            self = option
        } else {
            self.init(rawValue: name)
        }
    }

    private static let abbreviations: [String: CloudflareOption] = [
        "w": .width, "h": .height, "g": .gravity, "q": .quality, "f": .format, "face-zoom": .zoom,
        "scq": .slowConnectionQuality,
    ]

    /// Whether the option is accepted and reported as ignored: with it, a result differs in looks or bytes only.
    var isIgnored: Bool {
        switch self {
        case .slowConnectionQuality, .compression, .onerror, .sharpen: true
        default: false
        }
    }

    /// The value at which an unsupported option has no effect; nil for a supported one.
    var neutralValues: [String]? {
        switch self {
        case .blur, .border: ["0"]
        case .gamma: ["1", "1.0"]
        case .segment, .upscale, .draw: []
        default: nil
        }
    }
}
