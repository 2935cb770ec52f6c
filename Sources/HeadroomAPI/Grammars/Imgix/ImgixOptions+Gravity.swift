import Framing

/// Where imgix' addresses crop.
extension ImgixOptions {
    /// Adds the gravity of `crop`, a list of which the first that works counts.
    func addGravity(to translation: inout Translation) throws(Problem) {
        let words = list("crop")
        let known = ["faces", "entropy", "edges", "focalpoint", "center"] + Self.sides
        if let unknown = words.first(where: { !known.contains($0) }) {
            throw .invalid(option: "crop=\(unknown)", expected: "one of \(known.joined(separator: ", "))")
        }
        guard words.first == "faces" else {
            translation[.gravity] = try place(words)
            return
        }
        translation[.gravity] = "faces"
        let rest = try place(Array(words.dropFirst()))
        guard Fallback(rawValue: rest) != nil else {
            throw .unsupported(option: "crop=\(words.joined(separator: ","))")
        }
        translation[.fallback] = rest
    }

    private static let sides = ["top", "bottom", "left", "right"]

    /// The gravity of a list without faces; the default is the middle.
    private func place(_ words: [String]) throws(Problem) -> String {
        switch words.first {
        case nil, "center": return "center"
        case "entropy", "edges": return "attention"
        case "focalpoint": return try focalPoint()
        case "faces": return try place(Array(words.dropFirst()))
        default:
            let down = words.first { $0 == "top" || $0 == "bottom" }
            let across = words.first { $0 == "left" || $0 == "right" }
            return [down, across].compactMap { $0 }.joined(separator: "-")
        }
    }

    private func focalPoint() throws(Problem) -> String {
        let x = try number("fp-x", in: 0...1) ?? 0.5
        let y = try number("fp-y", in: 0...1) ?? 0.5
        if let zoom = try number("fp-z", in: 1...100), zoom > 1 {
            throw .unsupported(option: "fp-z")
        }
        return "point:\(NumberText.plain(x)),\(NumberText.plain(y))"
    }

    /// The height of a head in heights of a face's box.
    private static let headHeight = 1.82

    /// Adds the gravity of `fit=facearea`: as close to the faces as `facepad` allows, but no closer than their heads.
    func addFaceArea(to translation: inout Translation) throws(Problem) {
        let index = try value("faceindex", expected: "a whole number from 1") { text in
            Int(plainDigits: text).flatMap { $0 > 0 ? $0 : nil }
        }
        translation[.gravity] = index.map { "face:\($0)" } ?? "faces"
        switch list("fit").dropFirst().first {
        case nil, "crop": translation[.fallback] = "center"
        case "clip", "max": translation[.fallback] = "original"
        case let fallback?: throw .unsupported(option: "fit=facearea,\(fallback)")
        }
        translation[.zoom] = "1"
        let faces = try number("facepad", in: 0...100_000) ?? 1
        translation[.padding] = NumberText.plain(min(max(0, (faces / Self.headHeight - 1) / 2), 10))
    }
}
