import UntrustedText
import Requests

/// The components of a transformation, folded into one crop.
struct CloudinaryTransformation {
    /// The part of the source that is used, as a value of `region`.
    private var region: String?
    private var resize: CloudinaryResize?
    private var output = CloudinaryOutput()

    /// Adds the next component.
    ///
    /// - Throws: A ``Problem`` with status 501 that names a component which cannot be part of one crop.
    mutating func add(_ component: CloudinaryComponent) throws(Problem) {
        if component["a"] != nil, component.isResize { throw .unsupported(option: component.text) }
        if component.isResize {
            if output.isTurned { throw .unsupported(option: component.text) }
            let next = try CloudinaryResize(component)
            if let area = try next.area(component) {
                guard region == nil, resize == nil else { throw .unsupported(option: component.text) }
                region = area
            } else if let earlier = resize {
                guard let folded = earlier.folding(next) else { throw .unsupported(option: component.text) }
                resize = folded
            } else {
                resize = next
            }
        }
        try output.add(component)
    }

    func translation(of source: String) throws(Problem) -> Translation {
        var translation = Translation(source: source)
        translation[.region] = region
        if let resize {
            try resize.add(to: &translation, output: output)
        } else {
            if region == nil { translation[.fit] = "inside" } else { translation[.gravity] = "center" }
            try output.addBackground(to: &translation, isPadded: false)
        }
        output.add(to: &translation)
        return translation
    }
}

extension RequestedSide {
    /// Parses a number of Cloudinary's `w_`, `h_`, `x_` and `y_`: pixels such as `300`, or with a decimal point a share
    /// of the source; nil for other text.
    init?(cloudinary text: String) {
        if text.bytes.contains(".") {
            guard let share = Double(plainDecimal: text) else { return nil }
            self = .share(share)
        } else {
            guard let pixels = Int(plainDigits: text) else { return nil }
            self = .pixels(pixels)
        }
    }

    /// A length in the form of the parameter `region`; nil for a share above 1.
    var region: String? {
        switch self {
        case .pixels(let pixels): NumberText.pixels(pixels)
        case .share(let share): share <= 1 ? NumberText.plain(share) : nil
        }
    }
}
