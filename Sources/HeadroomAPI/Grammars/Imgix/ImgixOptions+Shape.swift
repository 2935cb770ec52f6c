import Geometry

/// Size and fit of imgix' addresses.
extension ImgixOptions {
    /// Adds size, fit, gravity and background.
    func addShape(to translation: inout Translation) throws(Problem) {
        let fit = try fit()
        translation[.fit] = fit.fit
        translation[.enlarge] = fit.enlarges ? "true" : "false"
        let size = try size()
        translation.set(size)
        try addAspect(to: &translation, size: size, fit: fit)
        if fit == .facearea {
            try addFaceArea(to: &translation)
        } else if fit.crops {
            try addGravity(to: &translation)
        }
        try addBackground(to: &translation, fit: fit)
    }

    private func fit() throws(Problem) -> ImgixFit {
        let words = list("fit")
        if words.first == ImgixFit.facearea.rawValue { return .facearea }
        let expected = "one of \(ImgixFit.allCases.map(\.rawValue).joined(separator: ", "))"
        return try value("fit", expected: expected, ImgixFit.init) ?? .clip
    }

    private func size() throws(Problem) -> RequestedSize {
        let ratio = try number("dpr", in: 0.01...100).map { min($0, Self.mostPixelRatio) } ?? 1
        return RequestedSize(
            width: try side("w", least: "min-w", most: "max-w", ratio),
            height: try side("h", least: "min-h", most: "max-h", ratio)
        )
    }

    /// Device pixels per pixel; imgix caps them.
    private static let mostPixelRatio = 5.0

    /// A side in pixels; 1 is the whole side of the source, which is no limit.
    private func side(_ name: String, least: String, most: String, _ ratio: Double) throws(Problem) -> Int? {
        let limit = "a whole number of pixels"
        let leastSide = try value(least, expected: limit) { Int(plainDigits: $0) }
        let mostSide = try value(most, expected: limit) { Int(plainDigits: $0) }
        guard let text = self[name] else {
            // The limits would apply to a size that is known only after decoding.
            if leastSide != nil || mostSide != nil {
                throw .unsupported(option: "\(leastSide == nil ? most : least) without \(name)")
            }
            return nil
        }
        if let share = Double(plainDecimal: text), share <= 1 {
            throw .unsupported(option: "\(name)=\(text), a share of the source,")
        }
        let expected = "a whole number of pixels from 2 to \(FrameParameters.maxSide), or a share from 0 to 1"
        return try value(name, expected: expected) { text in
            guard let side = Int(plainDigits: text) else { return nil }
            return NumberText.side(min(max(side, leastSide ?? side), mostSide ?? .max), times: ratio)
        }
    }

    /// Adds the aspect ratio if one side at most is given, as imgix demands.
    private func addAspect(to translation: inout Translation, size: RequestedSize, fit: ImgixFit) throws(Problem) {
        let aspect = try value("ar", expected: "W:H, such as 16:9") { text in
            text.contains(":") ? AspectRatio(text)?.text : nil
        }
        guard let aspect else { return }
        if fit.hasShape, size.width == nil || size.height == nil {
            translation[.aspect] = aspect
        } else {
            translation.ignore("ar")
        }
    }

    private func addBackground(to translation: inout Translation, fit: ImgixFit) throws(Problem) {
        let background = try color("bg")
        guard fit.pads else {
            if let background { translation.setBackground(background, isPadded: false, option: "bg") }
            return
        }
        let fill = self["fill"] ?? "solid"
        if fit == .clamp || fill == "blur" {
            translation[.background] = "blur"
            if fit == .clamp { translation.ignore("fit=clamp") }
            return
        }
        if fill == "gradient" { translation.ignore("fill=gradient") }
        guard fill == "solid" || fill == "gradient" else {
            throw .unsupported(option: "fill=\(fill)")
        }
        let color = try color("fill-color") ?? background
        if let color { translation.setBackground(color, isPadded: true, option: "fill-color") }
    }

    private func color(_ name: String) throws(Problem) -> CSSColor? {
        try value(name, expected: "3 or 6 hexadecimal digits, 4 or 8 with alpha first, or a colour name of CSS") {
            text in
            CSSColor(hexadecimal: text, alpha: .first) ?? CSSColor(name: text)
        }
    }
}
