import BinaryCoding
package import Framing
package import Geometry
package import Imaging

/// One piece of work from bytes to bytes.
///
/// A value: it shares nothing, so the same job runs on a server's worker, from the command line, or in another process.
package struct FrameJob: Codable, Sendable {
    /// What comes back.
    package enum Answer: Codable, Sendable {
        /// The crop of the first shape, as an image.
        case image(ImageOutput)
        /// The rectangles only.
        case plan
        /// The picture of one face with some room around it; 1 is the largest face.
        case face(index: Int, ImageOutput)
        /// Where that picture would be.
        case facePlan(index: Int)
        /// The crop of every shape, as images.
        case crops(ImageOutput)
        /// The picture of every face with some room around it, the largest first; the first shape is that of all.
        case portraits(ImageOutput)
        /// The whole picture with what was found drawn over it, and with the crop of the first shape if that is shown.
        case debug(ImageOutput, showsCrop: Bool)
    }

    /// The encoded image, whatever its declared type: the bytes decide.
    package var source: SourceBytes
    /// What comes back.
    package var answer: Answer
    /// The shapes to plan; nil is the image's own shape.
    ///
    /// Never empty; an image has the first one.
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

    /// Whether crops are cut out of a JPEG as it is, their edges moved between its blocks; the result's size is theirs.
    package var isLossless = false

    /// What a search for the same faces in the same picture gave before; nil when it has to be made.
    package var findings: FaceFindings?

    /// Whether the crop is made as if there were no face, because looking for them has failed.
    private var skipsFaces = false

    /// A job with the service's defaults.
    package init(source: [UInt8], answer: Answer) { self.init(source: SourceBytes(source), answer: answer) }

    /// A job with the service's defaults.
    package init(source: SourceBytes, answer: Answer) {
        self.source = source
        self.answer = answer
    }

    /// The same with the fallback in place of faces; nil when the answer would be wrong without them, and not just less good.
    package var withoutFaces: FrameJob? {
        guard case .image = answer, needsFaces, framing.fallback != .error else { return nil }
        var job = self
        job.skipsFaces = true
        return job
    }

    /// The face whose picture is asked for; nil when a crop of the whole is.
    package var faceIndex: Int? {
        switch answer {
        case .face(let index, _), .facePlan(let index): index
        case .image, .plan, .crops, .portraits, .debug: nil
        }
    }

    /// How the result is encoded; nil when no image is asked for.
    package var imageOutput: ImageOutput? {
        switch answer {
        case .image(let output), .crops(let output), .face(_, let output), .portraits(let output),
            .debug(let output, _):
            output
        case .plan, .facePlan: nil
        }
    }

    /// Whether the crop may have to be placed where there is something to look at.
    var mayNeedAttention: Bool { faceIndex == nil && !wantsPortraits && framing.needsAttention(for: []) }

    /// Whether the image is the whole picture with drawings.
    package var showsWholePicture: Bool {
        if case .debug = answer { true } else { false }
    }

    /// Whether every face gets a picture of its own.
    package var wantsPortraits: Bool {
        if case .portraits = answer { true } else { false }
    }

    /// Whether the answer is one picture, and nothing else.
    package var answersWithPicture: Bool { imageOutput != nil && !wantsAllImages }

    /// Whether there is an image for each crop of the plan, however many.
    package var wantsAllImages: Bool {
        switch answer {
        case .crops, .portraits: true
        case .image, .plan, .face, .facePlan, .debug: false
        }
    }

    /// Whether the image is cut out of the picture.
    package var rendersCrop: Bool { imageOutput != nil && !showsWholePicture }

    /// Whether images are cut out of the file itself, so that the picture is decoded for the detector only.
    package var cutsFile: Bool { isLossless && rendersCrop }

    /// Everything of the job that decides what the search for faces finds, beside the picture and the detector.
    package var search: String { "\(accuracy.rawValue),\(smallestFace.map { "\($0)" } ?? "")" }

    /// Bytes that are equal for jobs that ask for the same, whatever the picture.
    package var requestBytes: [UInt8] {
        var job = self
        job.source = SourceBytes([])
        job.findings = nil
        // What cannot be encoded cannot have been given to a worker.
        return (try? BinaryCoder.bytes(of: job)) ?? []
    }

    /// Whether the answer depends on faces, or tells of them.
    package var needsFaces: Bool {
        switch answer {
        case .image: framing.needsFaces && !skipsFaces
        case .plan, .crops, .face, .facePlan, .portraits, .debug: true
        }
    }
}
