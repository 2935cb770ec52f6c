import Geometry
import HTTPServer
package import Imaging
package import Pipeline

/// The form of a response, from the `format` parameter or from `Accept`.
package struct Negotiation: Sendable {
    /// The forms of a response.
    package enum Shape: Hashable, Sendable {
        /// An image; nil takes the source's format if that is accepted.
        case image(ImageFormat?)
        /// The plan, or the faces, as JSON.
        case document
        /// The focal point as JSON.
        case focus
        /// The picture with drawings, in the source's format if that is accepted.
        case debug
        /// The plan as markup.
        case snippet
        /// A ZIP archive with a picture of each face, in the source's format if that is accepted.
        case archive
        /// A multipart body with a picture of each face.
        case parts
    }

    /// The form of the response.
    package let answer: Shape
    /// Whether the response depends on `Accept`, for `Vary`.
    package let dependsOnAccept: Bool

    /// The accepted image formats, best first; empty for the source's own.
    let acceptedFormats: [ImageFormat]

    /// Negotiates the form for a route; `Accept` decides only for ``FrameParameters/Format/auto``.
    package init(_ format: FrameParameters.Format, accept: String?, route: Route) {
        let header = AcceptHeader(accept)
        // Without an acceptable format, the source's own is better than none.
        let accepted = header.imageFormats
        acceptedFormats =
            format == .source ? [] : accepted.isEmpty ? ImageFormat.allCases.filter { !$0.isExpensive } : accepted
        switch (route, format) {
        case (_, .debug):
            answer = .debug
            dependsOnAccept = true
        case (_, .focus):
            answer = .focus
            dependsOnAccept = false
        case (_, .html):
            answer = .snippet
            dependsOnAccept = false
        case (_, .zip):
            answer = .archive
            dependsOnAccept = true
        case (_, .multipart):
            answer = .parts
            dependsOnAccept = true
        case (.faces, .auto):
            answer = header.prefersMultipart ? .parts : .document
            dependsOnAccept = true
        case (.faces, _), (_, .json):
            answer = .document
            dependsOnAccept = false
        case (_, .source):
            answer = .image(nil)
            dependsOnAccept = false
        case (_, .image(let format)):
            answer = .image(format)
            dependsOnAccept = false
        case (_, .auto):
            answer = header.prefersJSON ? .document : .image(nil)
            dependsOnAccept = true
        }
    }

    /// Whether the response has pictures of results, and not only numbers or drawings.
    var makesResults: Bool {
        switch answer {
        case .image, .archive, .parts: true
        case .document, .focus, .debug, .snippet: false
        }
    }

    /// The name of the form, for the response's digest.
    var word: String {
        switch answer {
        case .image(let format): format?.rawValue ?? "image"
        case .document: "document"
        case .focus: "focus"
        case .debug: "debug"
        case .snippet: "snippet"
        case .archive: "archive"
        case .parts: "parts"
        }
    }

    /// The job that produces this form.
    package func job(source: SourceBytes, parameters: FrameParameters, route: Route) -> FrameJob {
        let result: FrameJob.Answer
        switch (answer, route) {
        case (.document, .face(let index)):
            result = .facePlan(index: index)
        case (.document, _), (.snippet, _), (.focus, _):
            result = .plan
        case (.debug, _):
            result = .debug(output(nil, parameters), showsCrop: route != .faces)
        case (.archive, _), (.parts, _):
            result = .portraits(output(nil, parameters))
        case (.image(let format), .face(let index)):
            result = .face(index: index, output(format, parameters))
        case (.image(let format), _):
            result = .image(output(format, parameters))
        }
        var options = parameters.options
        // Faces are those of the first picture.
        if route != .frame { options.animation = .still }
        return FrameJob(source: source, answer: result, options: options)
    }

    /// The error for several ratios in a request for one crop; nil when the request is valid.
    func refusal(of aspects: [AspectRatio?]) -> ParameterError? {
        guard aspects.count > 1, ![.document, .snippet].contains(answer) else { return nil }
        return ParameterError(
            name: Parameter.aspect.name,
            received: aspects.map { $0?.text ?? "" }.joined(separator: ","),
            expected: "one ratio for an image; several require format=json or format=html"
        )
    }

    private func output(_ format: ImageFormat?, _ parameters: FrameParameters) -> ImageOutput {
        // Lossless cropping of a JPEG produces a JPEG.
        let format = parameters.options.isLossless && answer != .debug ? .jpeg : format
        return parameters.output(format, accepted: acceptedFormats)
    }
}

/// The media types that a client accepts (RFC 9110 §12.5.1).
package struct AcceptHeader: Sendable {
    private struct Range: Sendable {
        var type: String
        var weight: Double
    }

    private let ranges: [Range]

    /// Parses the field's value; nil or empty accepts everything.
    package init(_ text: String?) {
        ranges = (text ?? "").listElements.prefix(64).compactMap { item in
            guard let media = MediaType(String(item)) else { return nil }
            let weight = media.parameters["q"].flatMap { Double(plainDecimal: $0) } ?? 1
            return Range(type: media.essence, weight: min(weight, 1))
        }
    }

    /// The weight of a media type by the most specific matching range; 0 if the type is not accepted.
    package func weight(of mediaType: String) -> Double {
        guard !ranges.isEmpty else { return 1 }
        let family = mediaType.prefix { $0 != "/" } + "/*"
        for candidate in [mediaType, String(family), "*/*"] {
            if let range = ranges.first(where: { $0.type == candidate }) { return range.weight }
        }
        return 0
    }

    /// Whether JSON is listed and has a higher weight than every image format.
    ///
    /// `*/*`, which browsers and CDNs send, selects the picture: JSON must be listed by name.
    package var prefersJSON: Bool {
        guard ranges.contains(where: { $0.type == "application/json" }) else { return false }
        let images = ImageFormat.allCases.map { weight(of: $0.mediaType) }
        let json = weight(of: "application/json")
        guard json > 0 else { return false }
        let namesImages = ranges.contains { $0.type.hasPrefix("image/") && $0.weight > 0 }
        return namesImages ? json > (images.max() ?? 0) : true
    }

    /// Whether `multipart/mixed` is listed with a higher weight than JSON.
    package var prefersMultipart: Bool {
        func named(_ type: String) -> Double { ranges.first { $0.type == type }?.weight ?? 0 }
        return named("multipart/mixed") > named("application/json")
    }

    /// The accepted image formats, best first; empty when none is accepted, so that the source's format is used.
    ///
    /// An expensive format must be listed by name, and then precedes others of the same weight.
    package var imageFormats: [ImageFormat] {
        let expensive = ImageFormat.allCases.filter { $0.isExpensive && names($0.mediaType) }
        return (expensive + ImageFormat.allCases.filter { !$0.isExpensive })
            .map { (format: $0, weight: weight(of: $0.mediaType)) }
            .filter { $0.weight > 0 }
            .sorted { $0.weight > $1.weight }
            .map(\.format)
    }

    private func names(_ mediaType: String) -> Bool { ranges.contains { $0.type == mediaType } }
}
