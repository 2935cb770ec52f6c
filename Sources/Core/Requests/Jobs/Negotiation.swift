package import Geometry
package import Imaging
package import Pipeline

/// The form of a response, and the job that creates it.
///
/// The form follows from the `format` parameter and the types that the client accepts.
package struct Negotiation: Sendable {
    /// The forms of a response.
    package enum Form: Hashable, Sendable {
        /// An image; nil for the source's format if the client accepts it.
        case image(OutputFormat?)
        /// An image for each aspect ratio; nil for the source's format if the client accepts it.
        case images(OutputFormat?)
        /// The plan or the list of faces, as JSON.
        case document
        /// The focal point as JSON.
        case focus
        /// The image with annotations; nil for the source's format if the client accepts it.
        case debug(OutputFormat?)
        case snippet
        /// A ZIP archive with an image of each face, in the source's format if the client accepts it.
        case archive
        /// A multipart body with an image of each face.
        case parts
        /// The frames of an animation as a video, which a program of the operator encodes.
        case video(VideoFormat)
    }

    /// The response types that a client accepts.
    package struct Accepted: Sendable {
        /// The accepted image formats in order of preference; empty if no format is accepted.
        package var formats: [OutputFormat]
        package var prefersJSON: Bool
        /// Whether the client prefers `multipart/mixed` to JSON.
        package var prefersMultipart: Bool

        /// Creates the accepted types of a client.
        package init(formats: [OutputFormat], prefersJSON: Bool, prefersMultipart: Bool) {
            self.formats = formats
            self.prefersJSON = prefersJSON
            self.prefersMultipart = prefersMultipart
        }
    }

    package let form: Form
    /// Whether the response depends on `Accept`; if so, `Vary` contains it.
    package let dependsOnAccept: Bool
    /// The accepted image formats in order of preference; empty for the source's format.
    package let acceptedFormats: [OutputFormat]
    private let route: ImageRoute

    /// Negotiates the form for a route.
    ///
    /// The accepted types matter only for ``FrameParameters/Format/auto``.
    package init(_ format: FrameParameters.Format, accepted client: Accepted, route: ImageRoute) {
        self.route = route
        // A client that accepts no image format gets any format except the expensive ones, instead of status 406.
        let formats = client.formats
        acceptedFormats =
            format == .source ? [] : formats.isEmpty ? OutputFormat.allCases.filter { !$0.isExpensive } : formats
        (form, dependsOnAccept) =
            switch (route, format) {
            case (_, .debug): (.debug(nil), true)
            case (_, .focus): (.focus, false)
            case (_, .html): (.snippet, false)
            case (_, .zip): (.archive, true)
            case (_, .multipart): (.parts, true)
            case (.faces, .auto): (client.prefersMultipart ? .parts : .document, true)
            case (.faces, _), (_, .json): (.document, false)
            case (_, .source): (.image(nil), false)
            case (_, .image(let format)): (.image(format), false)
            case (_, .video(let format)): (.video(format), false)
            case (_, .auto): (client.prefersJSON ? .document : .image(nil), true)
            }
    }

    /// Creates the form for outputs that are written to files: crops of all aspect ratios, the annotated image, or only
    /// a plan.
    ///
    /// - Parameters:
    ///   - parameters: The parameters of the crop.
    ///   - format: The format of images; nil for the format in the parameters or, if they do not set one, the source's
    ///     format.
    ///   - wantsImages: Whether images are written in addition to the plan.
    package init(files parameters: FrameParameters, format: OutputFormat? = nil, wantsImages: Bool) {
        route = .frame
        dependsOnAccept = false
        acceptedFormats = []
        var wanted = format
        if case .image(let own) = parameters.format { wanted = wanted ?? own }
        form =
            if !wantsImages {
                .document
            } else if parameters.format == .debug {
                .debug(wanted)
            } else {
                parameters.options.aspects.count > 1 ? .images(wanted) : .image(wanted)
            }
    }

    /// Whether the response contains output images, instead of only numbers or annotations.
    package var makesResults: Bool {
        switch form {
        case .image, .images, .archive, .parts, .video: true
        case .document, .focus, .debug, .snippet: false
        }
    }

    /// The name of the form, as part of the response's digest.
    package var word: String {
        switch form {
        case .image(let format): format?.rawValue ?? "image"
        case .images: "images"
        case .document: "document"
        case .focus: "focus"
        case .debug: "debug"
        case .snippet: "snippet"
        case .archive: "archive"
        case .parts: "parts"
        case .video(let format): format.rawValue
        }
    }

    /// The format of a video; nil for all other forms.
    package var video: VideoFormat? { if case .video(let format) = form { format } else { nil } }

    /// Creates the job for this form.
    ///
    /// - Parameters:
    ///   - source: The encoded image.
    ///   - parameters: The parameters of the crop.
    ///   - drawn: The stickers and the watermark that the parameters name.
    ///   - backdrop: The image that replaces the pixels of the chroma key; nil for none.
    /// - Returns: The job.
    package func job(
        source: SourceBytes,
        parameters: FrameParameters,
        drawn: OverlaySet.Drawn = .init(),
        backdrop: SourceBytes? = nil
    ) -> FrameJob {
        func output(_ format: OutputFormat?) -> ImageOutput {
            // Lossless cropping of a JPEG always produces a JPEG.
            let lossless = parameters.options.isLossless && !isDebug
            return parameters.output(lossless ? .jpeg : format, accepted: acceptedFormats)
        }
        let target: FrameJob.Target =
            switch (form, route) {
            case (.document, .face(let index)): .facePlan(index: index)
            case (.document, _), (.snippet, _), (.focus, _): .plan
            case (.debug(let format), _): .debug(output(format), showsCrop: route != .faces)
            case (.archive, _), (.parts, _): .portraits(output(nil))
            case (.image(let format), .face(let index)): .face(index: index, output(format))
            case (.image(let format), _): .image(output(format))
            case (.images(let format), _): .crops(output(format))
            case (.video, _): .image(.videoFrames)
            }
        var options = parameters.options
        options.stickers = drawn.stickers
        options.mark = drawn.mark
        // Images of faces and lists of faces show the first frame of an animation.
        if route != .frame { options.animation = .still }
        var job = FrameJob(source: source, target: target, options: options)
        job.backdrop = backdrop
        return job
    }

    /// Returns the error for several aspect ratios if the request is for one crop; nil if the request is valid.
    package func refusal(of aspects: [AspectRatio?]) -> ParameterError? {
        guard aspects.count > 1, ![.document, .snippet].contains(form) else { return nil }
        return ParameterError(
            name: Parameter.aspect.name,
            received: aspects.map { $0?.text ?? "" }.joined(separator: ","),
            expected: "one aspect ratio for an image; several require format=json or format=html"
        )
    }

    private var isDebug: Bool { if case .debug = form { true } else { false } }
}
