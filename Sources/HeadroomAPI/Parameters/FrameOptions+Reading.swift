import Framing
import Geometry
import Imaging
import Pipeline

extension FrameOptions {
    /// Parses the parameters that choose crops; the reader collects errors.
    init(_ reader: inout ParameterReader) {
        self.init()
        framing.fit = reader.word(.fit) ?? .cover
        faceTurn = FaceTurn(&reader)
        readShape(&reader)
        readArea(&reader)
        readFraming(&reader)
        readFocus(&reader)
        checkFit(&reader)
        isLossless = reader.boolean(.lossless) ?? false
        readTurn(&reader)
        profile = reader.word(.profile) ?? .srgb
        readKey(&reader)
        filters = reader.value(.filter, expected: PictureFilter.form, PictureFilter.list) ?? []
        animation = reader.word(.animation) ?? .auto
        redaction = Redaction(&reader)
        readMotion(&reader)
    }

    private mutating func readShape(_ reader: inout ParameterReader) {
        let ratio = "width:height or one number, from 1:100 to 100:1, such as 16:9 or 1.5"
        let most = FrameParameters.maxAspects
        let given = reader.value(.aspect, expected: "\(ratio); at most \(most), separated by commas") { text in
            let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { AspectRatio(String($0)) }
            return parts.count <= most && !parts.contains(nil) ? parts : nil
        }
        let side = "a whole number of pixels from 1 to \(FrameParameters.maxSide)"
        resultSize.width = reader.value(.width, expected: side, Self.side)
        resultSize.height = reader.value(.height, expected: side, Self.side)
        resultSize.devicePixelRatio = reader.decimal(.dpr, in: 1...5) ?? 1
        resultSize.allowsEnlargement = reader.boolean(.enlarge) ?? false
        let box: BoxChoice? = reader.word(.box)
        resultSize.turnsToImage = box == .turn
        if resultSize.turnsToImage, given != nil {
            reader.refuse(.box, expected: "no box=turn with aspect")
        }
        if framing.fit.keepsShape {
            // Width and height are a box, and not a shape.
            if given != nil {
                let fit = framing.fit.rawValue
                reader.refuse(.aspect, expected: "no aspect with fit=\(fit), which keeps the picture's own")
            }
        } else if let given {
            aspects = given
            checkAgreement(&reader)
        } else if let width = resultSize.width, let height = resultSize.height {
            guard let shape = AspectRatio(ofResult: PixelSize(width: width, height: height)) else {
                reader.refuse(.height, expected: "a height that makes a shape from 1:100 to 100:1 with width=\(width)")
                return
            }
            aspects = [shape]
        }
    }

    /// Width, height and aspect can be combined if they agree.
    private func checkAgreement(_ reader: inout ParameterReader) {
        guard let width = resultSize.width, let height = resultSize.height, let aspect = aspects[0] else { return }
        let agrees =
            abs(aspect.height(forWidth: width) - height) <= 1 || abs(aspect.width(forHeight: height) - width) <= 1
        if !agrees || aspects.count > 1 {
            reader.refuse(.aspect, expected: "the shape of \(width)×\(height), or only one of width and height")
        }
    }

    private mutating func readArea(_ reader: inout ParameterReader) {
        region = reader.value(
            .region,
            expected: "\(Region.form), or \(Region.placedForm); width and height are not 0",
            Region.init
        )
        trim = reader.value(.trim, expected: "a whole number from 0 to 255") { text in
            Int(plainDigits: text).flatMap { (0...255).contains($0) ? $0 : nil }
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

    /// Focal areas alone need no gravity.
    private mutating func readFocus(_ reader: inout ParameterReader) {
        guard let areas = reader.value(.focus, expected: FocalArea.form, FocalArea.list) else { return }
        framing.focal = areas
        if reader.text(.gravity) == nil {
            framing.gravity = .focus
        } else if !framing.gravity.needsFaces {
            reader.refuse(.focus, expected: "no focus with a gravity other than faces, largest, smallest and face:N")
        }
    }

    /// Turns and mirrors the result; the requested shape and size are those of the turned result.
    private mutating func readTurn(_ reader: inout ParameterReader) {
        let degrees = reader.value(.rotate, expected: "0, 90, 180 or 270") { text in
            [0, 90, 180, 270].first { "\($0)" == text }
        }
        let flip: Flip? = reader.word(.flip)
        turn = Orientation(
            quarters: (degrees ?? 0) / 90,
            mirrorsColumns: flip == .horizontal || flip == .both,
            mirrorsRows: flip == .vertical || flip == .both
        )
        if turn.swapsSides {
            aspects = aspects.map { $0?.transposed }
            swap(&resultSize.width, &resultSize.height)
        }
    }

    /// Rejects parameters that have no effect with the chosen fit.
    private mutating func checkFit(_ reader: inout ParameterReader) {
        let color = "a colour such as ffffff or fff in hexadecimal digits, transparent or blur"
        background = reader.value(.background, expected: color, Background.init) ?? background
        if framing.fit != .pad, framing.fit != .auto, faceTurn == nil, reader.text(.background) != nil {
            // Without bars, it is the colour under transparent parts.
            flattensAlpha = true
            if background == .blur || background == .transparent {
                reader.refuse(.background, expected: "a colour without fit=pad or fit=auto")
            }
        }
        guard framing.fit.showsWhole else { return }
        let reason = "fit=\(framing.fit.rawValue), which shows the whole picture"
        if framing.zoom > 0 { reader.refuse(.zoom, expected: "0 for \(reason)") }
        if !framing.focal.isEmpty { reader.refuse(.focus, expected: "no focus with \(reason)") }
    }

    private static func side(_ text: String) -> Int? {
        Int(plainDigits: text).flatMap { (1...FrameParameters.maxSide).contains($0) ? $0 : nil }
    }
}
