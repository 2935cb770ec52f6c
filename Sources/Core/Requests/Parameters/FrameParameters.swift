import Framing
import Geometry
package import Imaging
package import Pipeline

/// The parameters of a request, parsed from a query, a form or a JSON object.
package struct FrameParameters: Sendable {
    /// The maximum length of a value, in bytes; equal to the maximum length of a URL.
    ///
    /// Without this limit, a form field could contain megabytes.
    package static let maxValueBytes = 8192
    /// The maximum side of a requested output, in pixels.
    package static let maxSide = 16_384
    /// The numbers from 1 to ``maxSide``, as a regular expression.
    static let sideDigits = "[1-9][0-9]{0,3}|1[0-5][0-9]{3}|16[0-2][0-9]{2}|163[0-7][0-9]|1638[0-4]"
    /// The maximum number of aspect ratios in a plan.
    package static let maxAspects = 32
    /// The maximum size limit that a request can set for an image, in bytes.
    package static let maxBytes = 1 << 30
    /// The maximum look-ahead, in seconds.
    package static let maxLookAhead = 2.0
    /// The maximum page number.
    package static let maxPage = 9999
    /// The maximum length of `v`, in Unicode characters.
    ///
    /// Even percent-encoded, a value of this length fits into a request line.
    package static let maxVersionLength = 512

    /// The received values by the new names of their parameters.
    ///
    /// Values from client hints replace `auto`.
    package var given: [Parameter: String]
    /// The parameters whose value was `auto`.
    package private(set) var hinted: [Parameter] = []
    /// The deprecated names and values that were received.
    package private(set) var deprecated: [DeprecatedName] = []
    /// The URL of the image; nil for an upload.
    package var url: String?
    var version: String?
    /// The page of a document, from 1; nil for the first page.
    package internal(set) var page: Int?
    /// The position of the frame in a video; nil for the first frame.
    package internal(set) var frame: FrameTime?
    /// The aspect ratios, framing and size of the crops.
    package internal(set) var options = FrameOptions()
    package var format = Format.auto
    /// The quality: 1…100, or the source's quality; nil for the format's default.
    package var quality: ImageQuality?
    /// The chroma subsampling of a JPEG or an AVIF.
    package internal(set) var chroma = ChromaFormat.auto
    /// Whether a JPEG is progressive.
    package internal(set) var isProgressive = false
    /// The maximum size of an encoded image, in bytes.
    package internal(set) var maxBytes: Int?
    /// The names of the stickers for every face.
    package internal(set) var overlays: [String] = []
    /// The time between the arrival of a stream's frame and the crop of this frame, in seconds.
    package var lookAhead = 0.0
    package internal(set) var layout = StreamLayout.follow
    /// The watermark of outputs, without its image; nil for none.
    package internal(set) var mark: Watermark?
    package internal(set) var metadata = Metadata.none
    var parts = Parts()

    /// The layouts of streams, which have the same names as the layouts of videos.
    package enum StreamLayout: String, CaseIterable, Sendable {
        /// One crop with as many heads as possible.
        case follow
        /// One person, until another person speaks.
        case hold
        /// The whole image on a blurred background.
        case wide
    }
    /// The name of the preset; its parameters are part of ``given``.
    package internal(set) var preset: String?
    /// The file name of a saved response; nil if browsers show the response.
    package internal(set) var download: DownloadName?

    /// The source metadata to keep.
    package enum Metadata: String, CaseIterable, Sendable {
        /// None.
        case none
        /// Artist, copyright and credit.
        case copyright
    }

    /// Values of parameters that only together determine an option.
    struct Parts: Sendable {
        var aspects: ShapeChoice?
        var width: SideChoice?
        var height: SideChoice?
        var box = BoxChoice.fixed
        var degrees = 0
        var flip: Flip?
        var tolerance: Double?
        var spill: Double?
        var isUpright = false
        var alignment: Alignment?
        /// The position of the eyes, as a fraction of the output's height.
        var eyes = 0.4
        /// The distance between the eyes, as a fraction of the output's shorter side.
        var eyeDistance = FaceTurn.eyeDistance
        var mark: String?
        var markPlace = Watermark.Place.bottomRight
        var markWidth = 0.2
        var markOpacity = 1.0
        var markMargin = Length.share(0.03)
        var redaction: RedactionStyle?
        var redactedFaces = Redaction.Faces.all
        var redactionShape = RedactionShape.rounded
        var redactedAreas: [Region] = []

        /// Whether faces are rotated upright but their eyes are not aligned.
        var turnsUpright: Bool { isUpright && alignment == nil }
    }

    /// Parses parameters.
    ///
    /// - Parameters:
    ///   - pairs: The names and values as received. Each name may occur once, in its old or its new form.
    ///   - known: The parameters that the route supports.
    ///   - presets: The presets that the pairs may name.
    ///   - allowedPresets: The names of the presets that the client may use; nil for all presets.
    ///   - defaults: Values for parameters that neither the pairs nor their preset contain.
    ///   - formats: The values of `format` that the route supports, for messages; nil for all values.
    ///   - hints: The client's hints, which replace the value `auto`; nil rejects `auto`.
    ///   - encodedPairs: The number of leading pairs that come from a query or an encoded form. There, a URL with an
    ///     unencoded `&` loses the rest of its query.
    /// - Throws: All errors: first errors of single values, then errors of combinations. Errors about presets, and
    ///   about texts that cannot be names, are thrown without other errors.
    package init(
        _ pairs: [(name: String, value: String)],
        known: [Parameter],
        presets: PresetSet = PresetSet(),
        allowedPresets: [String]? = nil,
        defaults: [(parameter: Parameter, value: String)] = [],
        formats: [String]? = nil,
        hints: ClientHints? = ClientHints(),
        encodedPairs: Int = 0
    ) throws(ParameterErrors) {
        do throws(ParameterErrors) {
            try self.init(
                reading: pairs,
                known: known,
                presets: presets,
                allowedPresets: allowedPresets,
                defaults: defaults,
                formats: formats,
                hints: hints
            )
        } catch {
            throw UnencodedAmpersand(pairs.prefix(max(0, encodedPairs))).explained(error)
        }
    }

    private init(
        reading pairs: [(name: String, value: String)],
        known: [Parameter],
        presets: PresetSet,
        allowedPresets: [String]?,
        defaults: [(parameter: Parameter, value: String)],
        formats: [String]?,
        hints: ClientHints?
    ) throws(ParameterErrors) {
        let misnamed = pairs.compactMap { ParameterName.error($0.name, $0.value) }
        if !misnamed.isEmpty { throw ParameterErrors(all: misnamed) }
        var pairs = pairs
        (pairs, deprecated) = try DeprecatedName.resolved(pairs)
        do throws(ParameterErrors) {
            pairs = try presets.expanded(pairs, allowed: allowedPresets)
        } catch {
            throw error.named(as: deprecated)
        }
        if !defaults.isEmpty {
            let own = Set(pairs.map(\.name))
            pairs += defaults.filter { !own.contains($0.parameter.name) }.map { ($0.parameter.name, $0.value) }
        }
        if let hints { (pairs, hinted) = hints.resolved(pairs) }
        var reader = ParameterReader(pairs, known: known, formats: formats, takesHints: hints != nil)
        given = reader.values
        let rows = Parameter.all.filter { reader.text($0) != nil }
        for row in rows { row.read(&reader, &self) }
        for row in rows { row.check(&reader, self) }
        combineShape(&reader)
        combineFraming(&reader)
        combineChanges(&reader)
        checkFormat(&reader)
        checkVideo(&reader)
        if options.motion == .follow { checkMotion(&reader) }
        if options.isLossless { checkLossless(&reader) }
        if options.hdr == .keep { checkHDR(&reader) }
        if !reader.errors.isEmpty { throw ParameterErrors(all: reader.errors).named(as: deprecated) }
    }

    /// Whether images of an ``OverlaySet`` are drawn.
    package var usesOverlays: Bool { !overlays.isEmpty || mark != nil }

    /// Returns the encoding for images.
    ///
    /// - Parameters:
    ///   - format: The format; nil keeps the source's format if it is accepted.
    ///   - accepted: The accepted formats in order of preference; empty for all.
    /// - Returns: The encoding.
    package func output(_ format: OutputFormat?, accepted: [OutputFormat] = []) -> ImageOutput {
        var output = ImageOutput(format: format, accepted: accepted, quality: quality)
        output.chroma = chroma
        output.isProgressive = isProgressive
        output.maxBytes = maxBytes
        output.keepsCopyright = metadata == .copyright
        return output
    }

    // MARK: Values that belong together

    private mutating func combineShape(_ reader: inout ParameterReader) {
        options.resultSize.width = parts.width?.pixels
        options.resultSize.height = parts.height?.pixels
        options.resultSize.widthShare = parts.width?.share
        options.resultSize.heightShare = parts.height?.share
        options.resultSize.turnsToImage = parts.box == .swap
        options.keepsOtherOrientation = parts.box == .inside
        // If the fit keeps the aspect ratio, width and height are the maximum sides.
        if !options.framing.fit.keepsShape {
            if case .list(let aspects) = parts.aspects {
                options.aspects = aspects
                checkAgreement(&reader)
            } else if case .faces = parts.aspects {
                options.framing.fitsHeads = true
                checkGroup(&reader)
            } else if options.framing.fit != .crop, let width = options.resultSize.width,
                let height = options.resultSize.height
            {
                let shape = AspectRatio(ofResult: PixelSize(width: width, height: height))
                options.aspects = [shape]
                if shape == nil {
                    let expected = "a height that gives an aspect ratio from 1:100 to 100:1 with width=\(width)"
                    reader.refuse(.height, expected: expected)
                }
            }
        }
        // The requested aspect ratio and size apply to the output after its rotation.
        options.turn = Orientation(
            quarters: parts.degrees / 90,
            mirrorsColumns: parts.flip == .horizontal || parts.flip == .both,
            mirrorsRows: parts.flip == .vertical || parts.flip == .both
        )
        if options.turn.swapsSides {
            options.aspects = options.aspects.map { $0?.transposed }
            swap(&options.resultSize.width, &options.resultSize.height)
            swap(&options.resultSize.widthShare, &options.resultSize.heightShare)
        }
    }

    /// Rejects several aspect ratios with width and height, and an aspect ratio that differs from width and height by
    /// more than one pixel.
    private func checkAgreement(_ reader: inout ParameterReader) {
        let (size, aspects) = (options.resultSize, options.aspects)
        guard let width = size.width, let height = size.height, let aspect = aspects.first ?? nil else { return }
        let agrees =
            abs(aspect.height(forWidth: width) - height) <= 1 || abs(aspect.width(forHeight: height) - width) <= 1
        if !agrees || aspects.count > 1 {
            reader.refuse(.aspect, expected: "the ratio of \(width)×\(height), or only one of width and height")
        }
    }

    /// Rejects parameters that contradict `aspect=faces`, where only the heads determine the crop.
    private func checkGroup(_ reader: inout ParameterReader) {
        let (framing, reason) = (options.framing, "with aspect=faces, where the heads alone determine the crop")
        if options.resultSize.width != nil, options.resultSize.height != nil {
            reader.refuse(.aspect, expected: "faces with only one of width and height")
        }
        if framing.fit != .cover { reader.refuse(.fit, expected: "cover \(reason)") }
        if framing.zoom > 0 { reader.refuse(.zoom, expected: "0 \(reason)") }
        if framing.place != .center { reader.refuse(.place, expected: "center \(reason)") }
        if !framing.gravity.needsFaces { reader.refuse(.gravity, expected: "a gravity of faces \(reason)") }
        if options.motion == .follow { reader.refuse(.motion, expected: "fixed \(reason)") }
    }

    private mutating func combineFraming(_ reader: inout ParameterReader) {
        let framing = options.framing
        if !framing.focal.isEmpty {
            let avoidsOnly = !framing.focal.contains(where: \.isKept)
            // Focal areas without exclusion areas do not need a gravity; exclusion areas alone do not change the
            // gravity.
            if given[.gravity] == nil {
                if !avoidsOnly { options.framing.gravity = .focus }
            } else if !framing.gravity.needsFaces, !(avoidsOnly && framing.gravity == .attention) {
                let others = avoidsOnly ? "face:N or attention" : "or face:N"
                reader.refuse(
                    .focus,
                    breaks: "requires a gravity of faces, largest, smallest, centermost, \(others)"
                )
            }
        }
        if framing.offset != nil {
            let isPlaced = Gravity.compass.contains(framing.gravity)
            if !isPlaced || framing.fit.showsWhole || !framing.focal.isEmpty {
                reader.refuse(
                    .offset,
                    breaks:
                        "requires a gravity of an edge, a corner or center, and is not allowed with focus or a fit that shows "
                        + "the whole image"
                )
            }
        }
        if framing.fit.showsWhole, framing.zoom > 0 {
            reader.refuse(.zoom, expected: "0 for fit=\(framing.fit.rawValue), which shows the whole image")
        }
    }

    private mutating func combineChanges(_ reader: inout ParameterReader) {
        if var key = options.key {
            key.tolerance = parts.tolerance ?? key.tolerance
            key.spill = parts.spill ?? key.spill
            options.key = key
        }
        mark = parts.mark.map { name in
            var mark = Watermark(name: name)
            mark.place = parts.markPlace
            mark.width = parts.markWidth
            mark.opacity = parts.markOpacity
            mark.margin = parts.markMargin
            return mark
        }
        if parts.alignment != nil {
            options.faceTurn = .eyes(height: parts.eyes, distance: parts.eyeDistance)
        } else if parts.isUpright {
            options.faceTurn = .upright
        }
        if given[.redact] != nil, parts.redactedFaces == .none, given[.redactAreas] == nil {
            reader.refuse(.redactFaces, breaks: "requires redactAreas with the value none")
        }
        options.redaction = parts.redaction.map { style in
            Redaction(style: style, faces: parts.redactedFaces, shape: parts.redactionShape, areas: parts.redactedAreas)
        }
        let hasBars = [.pad, .auto].contains(options.framing.fit) || options.faceTurn != nil
        if !hasBars, given[.background] != nil {
            // Without bars, it is the colour under transparent pixels.
            options.flattensAlpha = true
            if [.blur, .average, .transparent].contains(options.background) {
                let bars = reader.has(.fit) ? "fit=pad or fit=auto" : "upright=true or align=eyes"
                reader.refuse(.background, expected: "a colour without \(bars)")
            }
        }
    }

    // MARK: Values that exclude each other

    /// Rejects options that the requested format does not support.
    ///
    /// With `auto`, unsupported options are ignored.
    private func checkFormat(_ reader: inout ParameterReader) {
        guard case .image(let image) = format else { return }
        if options.key != nil, options.backdrop == nil, !image.keepsAlpha, given[.background] == nil {
            reader.refuse(
                .format,
                expected:
                    "webp, png, avif or gif for chromaKey, or a backdrop or background, because \(format.word) has no transparency"
            )
        }
        if options.mask != nil, !image.keepsAlpha, given[.background] == nil {
            reader.refuse(
                .format,
                expected: "webp, png, avif or gif with mask (or set background: \(format.word) has no transparency)"
            )
        }
        if chroma == .full, image == .png || image == .webp {
            reader.refuse(.chroma, breaks: "is not allowed with format=\(format.word)")
        }
        if isProgressive, image != .jpeg {
            reader.refuse(.progressive, breaks: "is not allowed with format=\(format.word)")
        }
    }

    /// Rejects parameters that a video does not support, or that need transparency without a background.
    private func checkVideo(_ reader: inout ParameterReader) {
        guard case .video = format else { return }
        let rule = "is not allowed with format=\(format.word)"
        if options.animation == .still { reader.refuse(.animation, breaks: rule) }
        if maxBytes != nil { reader.refuse(.maxBytes, breaks: rule) }
        if chroma == .full { reader.refuse(.chroma, breaks: rule) }
        if isProgressive { reader.refuse(.progressive, breaks: rule) }
        if options.key != nil, options.backdrop == nil, given[.background] == nil {
            reader.refuse(.chromaKey, breaks: "requires a backdrop or a background with format=\(format.word)")
        }
        if options.mask != nil, given[.background] == nil {
            reader.refuse(.mask, breaks: "requires a background with format=\(format.word)")
        }
    }

    /// Rejects parameters that contradict `motion=follow`, where a crop of fixed size follows faces.
    private func checkMotion(_ reader: inout ParameterReader) {
        let (framing, reason) = (options.framing, "with motion=follow")
        if options.isLossless { reader.refuse(.losslessCrop, expected: "false \(reason)") }
        if framing.zoom > 0 { reader.refuse(.zoom, expected: "0 \(reason)") }
        if framing.fit != .cover { reader.refuse(.fit, expected: "cover \(reason)") }
        if framing.gravity != .faces, given[.focus] == nil { reader.refuse(.gravity, expected: "faces \(reason)") }
    }

    /// Rejects parameters that contradict `hdr=keep`, because the gain map matches only the source's unchanged pixels
    /// and colours.
    private func checkHDR(_ reader: inout ParameterReader) {
        if [.pad, .auto].contains(options.framing.fit) { reader.refuse(.fit, breaks: "is not allowed with hdr=keep") }
        if given[.profile] != nil, options.profile != .keep { reader.refuse(.profile, expected: "keep with hdr=keep") }
        switch format {
        case .image(.jpeg): break
        case .image, .video: reader.refuse(.format, expected: "jpeg with hdr=keep")
        default: break
        }
    }

    /// Rejects parameters that contradict `losslessCrop=true`, because a lossless crop is neither scaled nor
    /// re-encoded.
    private func checkLossless(_ reader: inout ParameterReader) {
        if options.framing.fit != .cover {
            reader.refuse(.losslessCrop, breaks: "is not allowed with fit=\(options.framing.fit.rawValue)")
        }
        if options.framing.place != .center {
            reader.refuse(.losslessCrop, breaks: "is not allowed with place=\(options.framing.place.word)")
        }
        if given[.profile] != nil, options.profile != .keep {
            reader.refuse(.losslessCrop, breaks: "is not allowed with profile=\(options.profile.rawValue)")
        }
        switch format {
        case .auto, .source, .json, .debug, .focus, .zip, .multipart, .image(.jpeg): break
        case .image, .html, .video: reader.refuse(.losslessCrop, breaks: "is not allowed with format=\(format.word)")
        }
    }
}

/// The values of `align`.
enum Alignment: String, CaseIterable, Sendable {
    case eyes
}

extension FrameParameters {
    /// The requested format of a response.
    package enum Format: Hashable, Sendable {
        /// The best format that the client accepts.
        case auto
        /// An image in the format of the source, or in the most similar format that can be written.
        case source
        case image(OutputFormat)
        /// The plan or the list of faces, as JSON.
        case json
        /// The focal point in the notation of several services, as JSON.
        case focus
        /// The whole image, annotated with the faces and the crop.
        case debug
        /// HTML that shows the image in the requested aspect ratios.
        case html
        /// A ZIP archive with an image of each face.
        case zip
        /// A multipart body with an image of each face.
        case multipart
        /// The frames of an animation as a video.
        case video(VideoFormat)

        private static let others: [Format] = [.auto, .source, .json, .focus, .debug, .html, .zip, .multipart]

        /// Parses a word; `jpg` means `jpeg`.
        package init?(_ word: String) {
            if let format = Self.others.first(where: { $0.word == word }) {
                self = format
            } else if let format = OutputFormat(rawValue: word == "jpg" ? "jpeg" : word) {
                self = .image(format)
            } else if let format = VideoFormat(rawValue: word) {
                self = .video(format)
            } else {
                return nil
            }
        }

        /// The format as a parameter's value.
        package var word: String {
            switch self {
            case .auto: "auto"
            case .source: "source"
            case .image(let format): format.rawValue
            case .json: "json"
            case .focus: "focus"
            case .debug: "debug"
            case .html: "html"
            case .zip: "zip"
            case .multipart: "multipart"
            case .video(let format): format.rawValue
            }
        }

        package static let images = OutputFormat.allCases.map(\.rawValue)

        static let videos = VideoFormat.allCases.map(\.rawValue)

        /// All values of `format`, for messages.
        package static let words = ofFrame + ["zip", "multipart"]

        package static let ofFrame = ["auto", "source"] + images + videos + ["json", "focus", "debug", "html"]
        package static let ofFaces = ["auto", "json", "debug", "zip", "multipart"]
        /// The values of `format` for `/faces/N`.
        package static let ofFace = ["auto", "source"] + images + ["json"]
        package static let ofStream = ["auto", "jpeg", "json"]

        /// Returns the values together with `jpg`, which is accepted but not recommended.
        static func accepted(_ words: [String]) -> [String] { words.flatMap { $0 == "jpeg" ? [$0, "jpg"] : [$0] } }
    }
}
