import Framing
import HeadroomAPI
import HTTPTypes
import Imaging
import Requests
import TotalFunctions

/// Translates the options of an imgproxy URL.
struct ImgproxyTranslation {
    private let options: ImgproxyOptions
    private(set) var result: Translation

    /// Translates options.
    ///
    /// - Throws: A ``Problem`` with status 501 for a combination that this service does not support.
    init(_ options: ImgproxyOptions, source: String) throws(Problem) {
        self.options = options
        result = Translation(source: source, ignored: options.ignored)
        result.expires = options.expires
        result.fallbackImage = options.fallbackImage
        result[.format] = "source"
        for name in Parameter.all where options.values[name] != nil { result[name] = options.values[name] }
        addFilters()
        try addCrop()
        try addSize()
        addGravity()
        try addObjects()
        if options.isAttachment {
            result.setDownload(options.fileName)
        } else if options.fileName != nil {
            result.ignore("filename")
        }
        result.setTurn(
            quarters: options.quarters,
            mirrorsColumns: options.mirrorsColumns,
            mirrorsRows: options.mirrorsRows
        )
    }

    private mutating func addFilters() {
        var filters = FilterText()
        filters.addOffset(options.brightness)
        filters.add(.contrast, options.contrast)
        filters.add(.saturation, options.saturation)
        filters.add(.blur, options.blur)
        filters.add(.sharpen, options.sharpness)
        result[.filter] = filters.text
    }

    /// Adds the parameters of the crop around detected objects.
    private mutating func addObjects() throws(Problem) {
        if let shape = options.cropShape {
            if result[.region] != nil { return try addObjectScale() }
            let isFitted = options.type == .fit && !options.extends
            guard options.width == 0 || options.height == 0 || isFitted, isFitted || options.type == .fill else {
                throw .unsupported(option: "crop_aspect_ratio with both sides and a type other than fit")
            }
            if options.width > 0, options.height > 0 {
                // The crop fits into the box, so the tighter side determines its size.
                let isWide = shape * Double(options.height) >= Double(options.width)
                result[isWide ? .height : .width] = nil
            }
            result[.fit] = nil
            result[.aspect] = NumberText.plain(shape)
            result[.gravity] = options.gravity.gravity
        }
        try addObjectScale()
    }

    private mutating func addObjectScale() throws(Problem) {
        if let scale = options.objectScale {
            guard result[.fit] != "inside", result[.fit] != "fill", result[.fit] != "pad" else {
                throw .unsupported(option: "crop_objects without a shape")
            }
            if case .detected = options.gravity {} else { result[.gravity] = "faces" }
            result[.offset] = nil
            result.setCloseness(scale)
        }
        if let place = options.place, result[.gravity] == "faces" { result[.place] = place }
    }

    /// Adds the rectangle that is cut out first: 0 is the whole side, less than 1 a fraction of it, otherwise pixels.
    private mutating func addCrop() throws(Problem) {
        guard var crop = options.crop, crop.width > 0 || crop.height > 0 else { return }
        if let shape = options.cropShape {
            guard crop.width >= 1, crop.height >= 1 else {
                throw .unsupported(option: "crop_aspect_ratio with a crop in fractions")
            }
            let isWide = crop.width > shape * crop.height
            if isWide == options.cropGrows {
                crop.height = crop.width / shape
            } else {
                crop.width = crop.height * shape
            }
        }
        if result[.trim] != nil { throw .unsupported(option: "crop with trim") }
        func length(_ number: Double) -> String {
            number == 0 ? "1" : number < 1 ? NumberText.plain(number) : NumberText.pixels(number)
        }
        let place: String
        switch crop.gravity ?? options.gravity {
        case .word(let word, let across, let down):
            place = ([word] + Self.distances(word, across, down, half: 0.5)).joined(separator: ":")
        case .point(let x, let y): place = "point:\(NumberText.plain(x)):\(NumberText.plain(y))"
        case .detected(let gravity):
            // The position of a face or an object is unknown before detection, so this step must be the last.
            guard options.width == 0, options.height == 0, options.zoom == (1, 1), ratio == 1, options.cropShape == nil,
                crop.width == 0 || crop.width >= 1, crop.height == 0 || crop.height >= 1
            else { throw .unsupported(option: "crop with the gravity sm before a resize") }
            func side(_ number: Double) -> String? {
                number > 0 ? "\(Int(clamping: min(number.rounded(), Double(FrameParameters.maxSide))))" : nil
            }
            result[.fit] = "crop"
            (result[.width], result[.height]) = (side(crop.width), side(crop.height))
            result[.gravity] = gravity
            return
        }
        result[.region] = "\(place),\(length(crop.width)),\(length(crop.height))"
    }

    /// The distances of a crop from its anchor, as texts.
    ///
    /// imgproxy centres a crop at half of the remaining side plus one pixel, rounded to even, so the centre is half a
    /// pixel further.
    private static func distances(_ word: String, _ across: Double, _ down: Double, half: Double) -> [String] {
        func text(_ distance: Double, isMiddle: Bool) -> String {
            if distance != 0, abs(distance) < 1 { return NumberText.signed(distance) }
            return "\(NumberText.signed(distance + (isMiddle ? half : 0)))px"
        }
        return [
            text(across, isMiddle: ["center", "top", "bottom"].contains(word)),
            text(down, isMiddle: ["center", "left", "right"].contains(word)),
        ]
    }

    private var ratio: Double { result[.dpr].flatMap { Double(plainDecimal: $0) } ?? 1 }

    private mutating func addSize() throws(Problem) {
        let (width, height) = try zoomedSize()
        guard width > 0 || height > 0 else {
            if options.zoom != (1, 1) { return try addZoom() }
            // Without a size, a pixel ratio below 1 reduces the image.
            if ratio < 1 {
                result[.width] = NumberText.percent(ratio)
                result[.fit] = "inside"
            }
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
        case .fill, .auto:
            if options.type == .auto, hasBoth { result[.boxOrientation] = "inside" }
            // If an image is smaller than the box, the bars are missing.
            if extends, !options.enlarges { result.ignore("extend") }
            // With a pixel ratio above 1, the ratio is reduced instead of the box.
            if !options.enlarges, hasBoth, ratio <= 1 { result[.fit] = "limit" }
        case .fillDown:
            if extends { result.ignore("extend") }
        case .force:
            if extends, !options.enlarges { result.ignore("extend") }
            if hasBoth { result[.fit] = "fill" }
        }
    }

    /// The requested sides times the factors of `zoom`; 0 is a side that follows from the other.
    private func zoomedSize() throws(Problem) -> (width: Int, height: Int) {
        let (across, down) = options.zoom
        let hasBoth = options.width > 0 && options.height > 0
        guard across == down || hasBoth && options.type == .force || options.width == 0 && options.height == 0 else {
            let factors = "\(NumberText.plain(across)):\(NumberText.plain(down))"
            throw .unsupported(option: "zoom:\(factors), which distorts an image that keeps its aspect ratio,")
        }
        func scaled(_ side: Int, _ factor: Double) throws(Problem) -> Int {
            if side == 0 { return 0 }
            let scaled = max(1, (Double(side) * factor).rounded())
            guard scaled <= Double(FrameParameters.maxSide) else {
                throw .invalid(option: "zoom", expected: "at most \(FrameParameters.maxSide) pixels", .notFound)
            }
            return Int(clamping: scaled)
        }
        return (try scaled(options.width, across), try scaled(options.height, down))
    }

    /// Scales the whole image, which lacks a requested size; it is not enlarged.
    private mutating func addZoom() throws(Problem) {
        var (across, down) = (options.zoom.across * min(ratio, 1), options.zoom.down * min(ratio, 1))
        let maximum = max(across, down, 1)
        if maximum > 1, options.enlarges { throw .unsupported(option: "zoom above 1 without a size") }
        (across, down) = (across / maximum, down / maximum)
        result[.dpr] = nil
        if across == 1, down == 1 { return }
        result[.width] = NumberText.percent(across)
        if across == down {
            result[.fit] = "inside"
        } else {
            result[.height] = NumberText.percent(down)
            result[.fit] = "fill"
        }
    }

    private mutating func addGravity() {
        switch result[.fit] {
        case "inside", "fill": return
        case "pad":
            if case .word(let word, _, _) = options.extendAnchor { result[.gravity] = word }
            if result[.background] == nil { result[.background] = "transparent" }
        default:
            guard options.width > 0, options.height > 0 else { return }
            result[.gravity] = options.gravity.gravity
            if case .word(let word, let across, let down) = options.gravity {
                result[.offset] = Self.distances(word, across, down, half: 0.5 / ratio).joined(separator: ",")
            }
        }
    }
}
