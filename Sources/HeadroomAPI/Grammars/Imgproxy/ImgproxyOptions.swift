import HTTPTypes

/// The options of an imgproxy address; of several of one name the last one counts.
struct ImgproxyOptions {
    /// How the picture is brought to the requested size.
    enum ResizingType: String {
        case fit, fill, force
        case fillDown = "fill-down"
    }

    /// A point or an edge to keep.
    enum Anchor: Equatable {
        /// A gravity of this service.
        case word(String)
        /// A focal point, in shares of the sides.
        case point(Double, Double)
        /// Faces, else attention.
        case faces
    }

    var type = ResizingType.fit
    var width = 0
    var height = 0
    var enlarges = false
    var extends = false
    var extendAnchor: Anchor?
    var gravity = Anchor.word("center")
    var crop: (width: Double, height: Double, gravity: Anchor?)?
    var quarters = 0
    var mirrorsColumns = false
    var mirrorsRows = false
    var expires: Int?
    /// Parameters that options set as they are.
    var values: [ParameterName: String] = [:]
    /// Options without an effect.
    var ignored: [String] = []

    private let presets: [String: [ImgproxyPath.Option]]
    private var used: Set<String> = []

    /// No options.
    init(presets: [String: [ImgproxyPath.Option]] = [:]) { self.presets = presets }

    /// Applies the preset of every address.
    mutating func applyDefault() throws(Problem) {
        if presets["default"] != nil { try applyPreset("default") }
    }

    /// Applies a preset; one that contains itself counts once.
    mutating func applyPreset(_ name: String) throws(Problem) {
        guard let options = presets[name] else {
            throw .invalid(option: "preset \(name)", expected: "a preset of --imgproxy-presets", .notFound)
        }
        guard used.insert(name).inserted else { return }
        for option in options { try apply(option) }
    }

    /// Applies one option.
    ///
    /// - Throws: A ``Problem`` with status 404 for an unknown or invalid option, 501 for one that this service does not
    ///   have, or 403 for one that imgproxy reserves.
    mutating func apply(_ option: ImgproxyPath.Option) throws(Problem) {
        let name = String(option.name)
        let arguments = ImgproxyArguments(option.arguments, of: name)
        if let read = ImgproxyTable.readers[ImgproxyTable.longNames[name] ?? name] {
            return try read(&self, arguments)
        }
        if ImgproxyTable.secured.contains(name) {
            throw Problem(.forbidden, .forbidden, "The option \(name) is not allowed.")
        }
        if ImgproxyTable.unsupported.contains(name) { throw .unsupported(option: name) }
        throw .invalid(option: name, expected: "an option of imgproxy", .notFound)
    }

    /// Sets the format of the result.
    mutating func setFormat(_ word: Substring) throws(Problem) {
        let formats = [
            "jpg": "jpeg", "jpeg": "jpeg", "png": "png", "webp": "webp", "gif": "gif", "avif": "avif",
        ]
        if let format = formats[String(word)] {
            values[.format] = format
        } else if ["jxl", "heic", "tiff", "bmp", "ico", "svg", "mp4", "pdf", "best"].contains(word) {
            throw .unsupported(option: "format \(word)")
        } else {
            throw .invalid(option: "format \(word)", expected: "jpg, png, webp, avif or gif", .notFound)
        }
    }
}
