import Geometry

/// Turn and mirroring by Cloudinary's `a_`, after everything else.
struct CloudinaryTurn {
    private var degrees = 0
    private var flip: String?

    /// Parses `90`, `-90`, `hflip`, `vflip` or several of them separated by points.
    ///
    /// - Throws: A ``Problem`` with status 501 for other turns, and for a second one.
    init?(_ text: String, after earlier: CloudinaryTurn?) throws(Problem) {
        if text == "0" || text == "exif" { return nil }
        guard earlier == nil else { throw .unsupported(option: "a_\(text)") }
        for word in text.split(separator: ".").map(String.init) {
            switch word {
            // Turned first and then mirrored, as the parameters are.
            case "90", "-270": degrees = 90
            case "180", "-180": degrees = 180
            case "270", "-90": degrees = 270
            case "hflip" where flip == nil: flip = "horizontal"
            case "vflip" where flip == nil: flip = "vertical"
            default: throw .unsupported(option: "a_\(text)")
            }
        }
    }

    /// Adds the turn; width, height and aspect become those of the turned result.
    func add(to translation: inout Translation) {
        translation[.flip] = flip
        guard degrees > 0 else { return }
        translation[.rotate] = "\(degrees)"
        guard degrees != 180 else { return }
        (translation[.width], translation[.height]) = (translation[.height], translation[.width])
        if let aspect = translation[.aspect].flatMap({ AspectRatio($0) }) {
            translation[.aspect] = NumberText.plain(1 / aspect.value)
        }
    }
}
