/// What imgix' addresses cut off before anything else.
extension ImgixOptions {
    /// The default of `trim-md`: the largest difference from the border's colour.
    private static let trimTolerance = 11

    /// Adds the rectangle of the source that is used, and whether plain borders are cut off.
    func addArea(to translation: inout Translation) throws(Problem) {
        let form = "x,y,w,h: each pixels or a share such as 0.25; x and y also left, center, top, middle; w and h full"
        let region = try value("rect", expected: form) { text -> String?? in
            let parts = text.split(separator: ",", omittingEmptySubsequences: false)
            return parts.count == 4 ? Self.region(parts.map(String.init)) : nil
        }
        if let region {
            guard let region else { throw .unsupported(option: "rect=\(self["rect"] ?? "")") }
            translation[.region] = region
        }
        try addTrim(to: &translation)
    }

    /// A region; nil for invalid parts, and nil inside for a word beside a number, which depends on the source's size.
    private static func region(_ parts: [String]) -> String?? {
        guard let width = length(parts[2]), let height = length(parts[3]), width != "0px", height != "0px" else {
            return nil
        }
        let across = ["left": "left", "center": "", "right": "right", "0": "left"][parts[0]]
        let down = ["top": "top", "middle": "", "bottom": "bottom", "0": "top"][parts[1]]
        if let across, let down {
            let place = [down, across].filter { !$0.isEmpty }.joined(separator: "-")
            return "\(place.isEmpty ? "center" : place),\(width),\(height)"
        }
        let isPlace = (across != nil && parts[0] != "0") || (down != nil && parts[1] != "0")
        let (x, y) = (length(parts[0]), length(parts[1]))
        if isPlace { return (across != nil || x != nil) && (down != nil || y != nil) ? .some(nil) : nil }
        guard let x, let y else { return nil }
        return "\(x),\(y),\(width),\(height)"
    }

    /// A length in the form of the parameter `region`: a number with a point is a share.
    private static func length(_ text: String) -> String? {
        if let share = share(text) { return NumberText.plain(share) }
        return Int(plainDigits: text).map { "\(min($0, 100_000))px" }
    }

    private static func share(_ text: String) -> Double? {
        if text == "full" { return 1 }
        guard text.contains("."), let share = Double(plainDecimal: text), share <= 1 else { return nil }
        return share
    }

    private func addTrim(to translation: inout Translation) throws(Problem) {
        guard let trim = self["trim"], trim != "0", trim != "false" else { return }
        guard trim == "auto" else { throw .unsupported(option: "trim=\(trim)") }
        if self["trim-tol"] != nil { translation.ignore("trim-tol") }
        let tolerance = try number("trim-md", in: 0...255).map { Int($0.rounded()) }
        translation[.trim] = "\(tolerance ?? Self.trimTolerance)"
    }
}
