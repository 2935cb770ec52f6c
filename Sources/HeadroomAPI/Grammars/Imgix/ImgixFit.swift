/// The values of imgix' `fit`.
enum ImgixFit: String, CaseIterable {
    case clip, max, crop, min, fill, fillmax, scale, clamp, facearea

    /// The value of the parameter `fit`.
    var fit: String {
        switch self {
        case .clip, .max: "inside"
        case .crop, .min, .facearea: "cover"
        case .fill, .fillmax, .clamp: "pad"
        case .scale: "fill"
        }
    }

    /// Whether a small picture is enlarged.
    var enlarges: Bool {
        switch self {
        case .max, .min, .fillmax: false
        case .clip, .crop, .fill, .scale, .clamp, .facearea: true
        }
    }

    /// Whether something may be cut off.
    var crops: Bool { fit == "cover" }

    /// Whether there may be bars.
    var pads: Bool { fit == "pad" }

    /// Whether `ar` has an effect.
    var hasShape: Bool { crops || pads }
}
