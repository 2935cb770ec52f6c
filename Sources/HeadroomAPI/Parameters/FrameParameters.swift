package import Framing
package import Geometry
package import Imaging
package import Pipeline

/// The parameters of a request, parsed from a query, a form or a JSON object.
package struct FrameParameters: Sendable {
    /// The largest side of a result that can be asked for, in pixels.
    package static let maxSide = 16_384
    /// The most shapes that one plan may ask for.
    package static let maxAspects = 32
    /// The most Unicode characters of `v`: percent-encoded, they leave room in a request line.
    package static let maxVersionLength = 512

    /// Names and values as they came.
    package var given: [ParameterName: String]
    /// Where to fetch the image.
    package var url: String?
    /// The shapes, in the order asked; nil is the image's own.
    package var aspects: [AspectRatio?] = [nil]
    /// Gravity, fallback, zoom, padding and place.
    package var framing = FramingRequest()
    /// The size of the result.
    package var resultSize = ResultSize()
    /// What lies beside a crop that does not fill the result.
    package var background = Background.white
    /// How much work detection may be.
    package var accuracy = Accuracy.high
    /// The smallest face that matters, as a share of the image's short side; nil is the accuracy's own.
    package var smallestFace: Double?
    /// How the answer is to be written.
    package var format = Format.auto
    /// 1…100, or the source's; nil is the format's own default.
    package var quality: ImageQuality?
    /// Whether the result is cut out of a JPEG without loss.
    package var isLossless = false

    /// Reads parameters.
    ///
    /// - Parameters:
    ///   - pairs: Names and values as they came; each name may come once.
    ///   - known: The names that the route takes.
    /// - Throws: All that is wrong, in the order it came.
    package init(_ pairs: [(name: String, value: String)], known: [ParameterName]) throws(ParameterErrors) {
        var reader = ParameterReader(pairs, known: known)
        given = reader.values
        url = reader.text(.url)
        readShape(&reader)
        readFraming(&reader)
        readBars(&reader)
        readAnswer(&reader)
        if !reader.errors.isEmpty { throw ParameterErrors(all: reader.errors) }
    }

    private mutating func readShape(_ reader: inout ParameterReader) {
        let ratio = "width:height or one number, from 1:100 to 100:1, such as 16:9 or 1.5"
        let given = reader.value(.aspect, expected: "\(ratio); at most \(Self.maxAspects), separated by commas") {
            text in
            let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { AspectRatio(String($0)) }
            return parts.count <= Self.maxAspects && !parts.contains(nil) ? parts : nil
        }
        let side = "a whole number of pixels from 1 to \(Self.maxSide)"
        resultSize.width = reader.value(.width, expected: side, Self.side)
        resultSize.height = reader.value(.height, expected: side, Self.side)
        resultSize.devicePixelRatio = reader.decimal(.dpr, in: 1...5) ?? 1
        resultSize.allowsEnlargement = reader.boolean(.enlarge) ?? false
        if let given {
            aspects = given
            checkAgreement(&reader)
        } else if let width = resultSize.width, let height = resultSize.height {
            guard let shape = AspectRatio(PixelSize(width: width, height: height)) else {
                reader.refuse(.height, expected: "a height that makes a shape from 1:100 to 100:1 with width=\(width)")
                return
            }
            aspects = [shape]
        }
    }

    /// Width, height and aspect may be combined if they agree.
    private func checkAgreement(_ reader: inout ParameterReader) {
        guard let width = resultSize.width, let height = resultSize.height, let aspect = aspects[0] else { return }
        let agrees =
            abs(aspect.height(forWidth: width) - height) <= 1 || abs(aspect.width(forHeight: height) - width) <= 1
        if !agrees || aspects.count > 1 {
            reader.refuse(.aspect, expected: "the shape of \(width)×\(height), or only one of width and height")
        }
    }

    private mutating func readFraming(_ reader: inout ParameterReader) {
        let words = Gravity.plainWords.joined(separator: ", ")
        let gravity = "one of \(words), face:N (from 1), point:X,Y (each 0 to 1)"
        framing.gravity = reader.value(.gravity, expected: gravity, Gravity.init) ?? .faces
        framing.fallback = reader.word(.fallback) ?? framing.fallback
        framing.zoom = reader.decimal(.zoom, in: 0...1) ?? 0
        let padding = "a share of a head's height from 0 to 10, such as 0.2, or pixels, such as 24px"
        framing.padding = reader.value(.padding, expected: padding, Padding.init) ?? framing.padding
        framing.place = reader.word(.place) ?? framing.place
        accuracy = reader.word(.accuracy) ?? .high
        smallestFace = reader.decimal(.minFace, in: 0.02...1)
    }

    /// Parameters without effect for the chosen fit are rejected.
    private mutating func readBars(_ reader: inout ParameterReader) {
        framing.fit = reader.word(.fit) ?? .cover
        let color = "a colour such as ffffff or fff in hexadecimal digits, transparent or blur"
        background = reader.value(.background, expected: color, Background.init) ?? background
        if framing.fit == .cover, reader.text(.background) != nil {
            reader.refuse(.background, expected: "no background without fit=pad or fit=auto")
        }
        if framing.fit == .pad, framing.zoom > 0 {
            reader.refuse(.zoom, expected: "0 for fit=pad, which shows the whole picture")
        }
    }

    private mutating func readAnswer(_ reader: inout ParameterReader) {
        let formats = Format.words.joined(separator: ", ")
        format = reader.value(.format, expected: "one of \(formats)", Format.init) ?? .auto
        quality = reader.value(.quality, expected: "a whole number from 1 to 100, or source") { text in
            if text == "source" { return .source }
            return Int(plainDigits: text).flatMap { (1...100).contains($0) ? .level($0) : nil }
        }
        if let version = reader.text(.version), version.unicodeScalars.count > Self.maxVersionLength {
            reader.refuse(.version, expected: "at most \(Self.maxVersionLength) characters")
        }
        isLossless = reader.boolean(.lossless) ?? false
        if isLossless { checkLossless(&reader) }
    }

    /// A lossless crop can neither be scaled nor encoded again.
    private func checkLossless(_ reader: inout ParameterReader) {
        for name in [ParameterName.width, .height, .dpr, .enlarge, .quality] where given[name] != nil {
            reader.refuse(.lossless, expected: "lossless=true without \(name.rawValue)")
        }
        if framing.fit != .cover {
            reader.refuse(.lossless, expected: "lossless=true without fit=\(framing.fit.rawValue)")
        }
        if framing.place != .center {
            reader.refuse(.lossless, expected: "lossless=true without place=\(framing.place.rawValue)")
        }
        switch format {
        case .auto, .json, .debug, .zip, .multipart, .image(.jpeg): break
        case .image, .html: reader.refuse(.lossless, expected: "lossless=true without format=\(format.word)")
        }
    }

    private static func side(_ text: String) -> Int? {
        Int(plainDigits: text).flatMap { (1...maxSide).contains($0) ? $0 : nil }
    }

    /// The job for these parameters.
    package func job(source: SourceBytes, answer: FrameJob.Answer) -> FrameJob {
        var job = FrameJob(source: source, answer: answer)
        job.aspects = aspects
        job.framing = framing
        job.resultSize = resultSize
        job.background = background
        job.accuracy = accuracy
        job.smallestFace = smallestFace
        job.isLossless = isLossless
        return job
    }
}
