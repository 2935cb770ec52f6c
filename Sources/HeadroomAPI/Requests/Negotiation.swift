package import FramePipeline
package import ImageCodec

/// What an answer is written as: what the `format` parameter says, else what `Accept` asks for.
package struct Negotiation: Sendable {
    /// The two shapes of an answer.
    package enum Shape: Hashable, Sendable {
        /// An image; nil takes the source's format if that is accepted.
        case image(ImageFormat?)
        /// The plan, or the faces, as JSON.
        case document
        /// The picture with drawings, in the source's format if that is accepted.
        case debug
        /// The plan as markup.
        case snippet
        /// A picture of each face, in the source's format if that is accepted.
        case archive
        /// The same, as the parts of a body.
        case parts
    }

    /// What the answer is.
    package let answer: Shape
    /// Whether another `Accept` could have had another answer, which caches must know.
    package let dependsOnAccept: Bool

    /// The formats of images that the receiver accepts, best first; none for all.
    let acceptedFormats: [ImageFormat]

    /// Negotiates for a route, whose words may have been overruled by `Accept`.
    package init(_ format: FrameParameters.Format, accept: String?, route: Route) {
        let header = AcceptHeader(accept)
        acceptedFormats = header.imageFormats
        switch (route, format) {
        case (_, .debug):
            answer = .debug
            dependsOnAccept = true
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
        case (_, .image(let format)):
            answer = .image(format)
            dependsOnAccept = false
        case (_, .auto):
            answer = header.prefersJSON ? .document : .image(nil)
            dependsOnAccept = true
        }
    }

    /// One word for the answer's shape.
    var word: String {
        switch answer {
        case .image(let format): format?.rawValue ?? "image"
        case .document: "document"
        case .debug: "debug"
        case .snippet: "snippet"
        case .archive: "archive"
        case .parts: "parts"
        }
    }

    /// The job that gives this answer.
    package func job(source: [UInt8], parameters: FrameParameters, route: Route) -> FrameJob {
        let result: FrameJob.Answer
        switch (answer, route) {
        case (.document, .face(let index)):
            result = .facePlan(index: index)
        case (.document, _), (.snippet, _):
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
        return parameters.job(source: source, answer: result)
    }

    private func output(_ format: ImageFormat?, _ parameters: FrameParameters) -> ImageOutput {
        // Nothing but a JPEG can be cut out of a JPEG.
        let format = parameters.isLossless && answer != .debug ? .jpeg : format
        return ImageOutput(format: format, accepted: acceptedFormats, quality: parameters.quality)
    }
}
