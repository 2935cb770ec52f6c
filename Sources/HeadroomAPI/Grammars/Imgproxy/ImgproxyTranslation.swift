import Framing

/// Translates the options of an imgproxy address.
struct ImgproxyTranslation {
    private let options: ImgproxyOptions
    private(set) var result: Translation

    /// Translates options.
    ///
    /// - Throws: A ``Problem`` with status 501 for a combination that this service does not have.
    init(_ options: ImgproxyOptions, source: String) throws(Problem) {
        self.options = options
        result = Translation(source: source, ignored: options.ignored)
        result.expires = options.expires
        result[.format] = "source"
        for name in ParameterName.allCases where options.values[name] != nil { result[name] = options.values[name] }
        try addCrop()
        try addSize()
        addGravity()
        addTurn()
    }

    /// The rectangle before everything else: 0 is the whole side, less than 1 a share.
    private mutating func addCrop() throws(Problem) {
        guard let crop = options.crop, crop.width > 0 || crop.height > 0 else { return }
        if result[.trim] != nil { throw .unsupported(option: "crop with trim") }
        func length(_ number: Double) -> String {
            number == 0
                ? "1"
                : number < 1 ? NumberText.plain(number) : "\(Int(min(number.rounded(), Double(Length.mostPixels))))px"
        }
        let place: String
        switch crop.gravity ?? options.gravity {
        case .word(let word): place = word
        case .point(let x, let y): place = "point:\(NumberText.plain(x)):\(NumberText.plain(y))"
        case .faces: throw .unsupported(option: "crop with the gravity sm")
        }
        result[.region] = "\(place),\(length(crop.width)),\(length(crop.height))"
    }

    private mutating func addSize() throws(Problem) {
        let (width, height) = (options.width, options.height)
        guard width > 0 || height > 0 else {
            result[.dpr] = nil
            return
        }
        if width > 0 { result[.width] = "\(width)" }
        if height > 0 { result[.height] = "\(height)" }
        let hasBoth = width > 0 && height > 0
        if options.enlarges { result[.enlarge] = "true" }
        let extends = options.extends && hasBoth
        switch options.type {
        case .fit:
            result[.fit] = extends ? "pad" : "inside"
        case .fill:
            if extends, !options.enlarges { throw .unsupported(option: "extend with the type fill") }
            // With device pixels, the ratio is reduced instead of the box.
            if !options.enlarges, hasBoth, result[.dpr] == nil { result[.fit] = "limit" }
        case .fillDown:
            if extends { throw .unsupported(option: "extend with the type fill-down") }
        case .force:
            if extends { throw .unsupported(option: "extend with the type force") }
            if hasBoth { result[.fit] = "fill" }
        }
    }

    private mutating func addGravity() {
        switch result[.fit] {
        case "inside", "fill": return
        case "pad":
            if case .word(let word) = options.extendAnchor { result[.gravity] = word }
            if result[.background] == nil { result[.background] = "transparent" }
        default:
            guard options.width > 0, options.height > 0 else { return }
            switch options.gravity {
            case .word(let word): result[.gravity] = word
            case .point(let x, let y): result[.gravity] = "point:\(NumberText.plain(x)),\(NumberText.plain(y))"
            case .faces: result[.gravity] = "faces"
            }
        }
    }

    /// imgproxy mirrors before it turns; here the turn is first.
    private mutating func addTurn() {
        var (columns, rows) = (options.mirrorsColumns, options.mirrorsRows)
        if options.quarters % 2 == 1 { swap(&columns, &rows) }
        if options.quarters > 0 { result[.rotate] = "\(options.quarters * 90)" }
        if columns || rows { result[.flip] = columns && rows ? "both" : columns ? "horizontal" : "vertical" }
    }
}
