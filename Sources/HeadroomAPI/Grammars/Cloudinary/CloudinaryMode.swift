/// The values of Cloudinary's `c_`.
enum CloudinaryMode: String {
    case scale, fit, limit, fill, lfill, thumb, crop, pad, lpad, auto
    case fillPad = "fill_pad"
    case autoPad = "auto_pad"

    /// The value of the parameter `fit`; of `scale` that for two given sides.
    var fit: String {
        switch self {
        case .scale: "fill"
        case .fit, .limit: "inside"
        case .fill, .thumb, .crop, .auto: "cover"
        case .lfill: "limit"
        case .pad, .lpad: "pad"
        case .fillPad, .autoPad: "auto"
        }
    }

    /// Whether a small picture is enlarged.
    var enlarges: Bool { ![.limit, .lpad, .lfill].contains(self) }

    /// Whether gravity says where to crop.
    var crops: Bool { ["cover", "limit", "auto"].contains(fit) }
}
