package import Framing
package import Geometry
package import Imaging

/// The result of detection and framing; all rectangles are in pixels of the upright source image.
package struct FramePlan: Codable, Sendable {
    /// The properties of the source in its header.
    package struct Source: Codable, Sendable {
        /// The size after orientation, in pixels.
        package var size: PixelSize
        /// The format of the file.
        package var format: SourceFormat
        /// The EXIF orientation, 1…8.
        package var orientation: Int
        /// The animation that the crops are for; nil for a still picture, and if only the first picture counts.
        package var animation: AnimationInfo?
        /// Whether a part of the pixels that the result depends on is lost.
        package var isDamaged = false
    }

    /// The crop for one requested shape.
    package struct Crop: Codable, Sendable {
        /// The requested shape; nil for the image's own.
        package var aspect: AspectRatio?
        /// The crop, in pixels of the source.
        package var rect: PixelRect
        /// The crop before it is clamped to the image.
        package var unclamped: PixelRect
        /// The size of the result, in pixels.
        package var output: PixelSize
        /// The bars beside the crop; nil when it fills the result.
        package var letterbox: Letterbox?
        /// The rectangle of the crop in the result, in pixels of the result; the whole result without bars.
        package var picture: PixelRect
        /// The rule that determined the crop.
        package var decision: Decision
        /// The outcome of the crop for each of the plan's faces.
        package var outcomes: [Outcome]
        /// The smallest rectangle around the kept heads and focal areas that determined the crop; nil if there are
        /// none.
        package var subjectArea: PixelRect?
        /// The largest rectangle of the crop that intersects no head; nil when heads cover the whole crop.
        package var faceFree: PixelRect?
        /// The turned rectangle that the result shows, of which `rect` is the part around it; nil if nothing is turned.
        package var turned: TurnedCrop?
        /// The crop of each frame of an animation, all of the size of `rect`; nil if all frames have `rect`.
        package var path: [PixelRect]?
        /// The placeholder; nil if none was requested.
        package var placeholder: Placeholder?
        /// Where the watermark is; nil without one.
        package var mark: PlacedMark?

        /// The crop of a frame of an animation, counted from 0.
        func shown(in frame: Int) -> Crop {
            guard let path, path.indices.contains(frame) else { return self }
            var crop = self
            crop.rect = path[frame]
            return crop
        }

        /// Whether there are bars beside the crop.
        package var hasBars: Bool { picture.size != output }

        /// The size of crop and bars together, or of the crop stretched to its shape, in pixels of the source.
        package var size: PixelSize {
            if let turned { return turned.size }
            if decision == .fill { return aspect?.widestCrop(in: rect.size) ?? rect.size }
            return letterbox?.size ?? rect.size
        }
    }

    /// The detector, its passes, and their time.
    package struct Detector: Codable, Sendable {
        /// The detector's name.
        package var name: String
        /// The requested effort.
        package var accuracy: Accuracy
        /// The detection passes, in their order.
        package var looks: [DetectionPass]
        /// The total time of the passes.
        package var duration: Duration
        /// Whether the passes ran for an earlier job, so that this one needed no search.
        package var isKnown: Bool
        /// The frames of an animation that were searched, counted from 0; nil if one picture was.
        package var frames: [Int]?
    }

    /// The source image.
    package var source: Source
    /// The part of the source that was framed as if it were the whole.
    package var area: PixelRect
    /// The turn and mirroring of the finished pictures; everything else in the plan is before it.
    package var turn = Orientation.up
    /// Whether the crop has the shape of the rectangle around the heads, if there are any.
    package var hugsHeads = false
    /// One crop for each requested shape or face.
    package var crops: [Crop]
    /// The faces, largest first.
    package var faces: [Face]
    /// Detections that do not count as faces.
    package var ignored: [IgnoredFace] = []
    /// The detection; nil when the job needed no faces.
    package var detector: Detector?
    /// Which heads are made unrecognisable in images; nil for none.
    package var redaction: Redaction?

    /// The audit of the redaction; nil without redaction, in answers with images, and for animations.
    package var audit: RedactionAudit?
    /// The number of heads that redaction covers in the whole picture, or in all frames of an animation; nil if no
    /// heads are to be covered, and for plans of animations.
    package var coveredHeads: Int?
    /// The colour that the picture's borders have for `key=auto`; nil with another key or none, and in answers without
    /// images of crops.
    package var borderKey: BorderKey?

    /// Whether the first crop contains the whole head of a face.
    package func keeps(_ face: Face) -> Bool { crops.first?.rect.contains(face.head) ?? false }
}

/// The result of a job.
package struct FrameResult: Codable, Sendable {
    /// The encoded image; nil for a plan, or for a result with several images.
    package var image: EncodedImage?
    /// The image of each crop, in the order of the plan; empty for a plan, or for a result with one image.
    package var images: [EncodedImage] = []
    /// The faces, the crops and their decisions.
    package var plan: FramePlan
    /// The duration of each stage.
    package var times: StageTimes
}

/// An encoded image and its format.
package struct EncodedImage: Codable, Sendable {
    /// The format of the file.
    package var format: ImageFormat
    /// The file's bytes.
    package var bytes: [UInt8]
    /// The size of the image in pixels.
    package var size: PixelSize
    /// The quality that was found for a limit of bytes; nil without a limit, and for lossless formats.
    package var quality: Int?

    init(format: ImageFormat, file: (bytes: [UInt8], quality: Int?), size: PixelSize) {
        self.format = format
        self.bytes = file.bytes
        self.size = size
        self.quality = file.quality
    }
}

/// The duration of each stage of a job.
package struct StageTimes: Codable, Sendable {
    /// Waiting for a worker.
    package var queue = Duration.zero
    /// Decoding the source, all decodes together.
    package var decode = Duration.zero
    /// Scaling to the working size and detection.
    package var detect = Duration.zero
    /// Choosing the crops, with the attention map.
    package var frame = Duration.zero
    /// Cropping, scaling and encoding the result.
    package var encode = Duration.zero

    /// The names of stages, in the order of a job.
    package enum Stage: String, CaseIterable, Sendable {
        case queue, decode, detect, frame, encode
    }

    /// The time of every stage.
    package var all: [(stage: Stage, time: Duration)] {
        [(.queue, queue), (.decode, decode), (.detect, detect), (.frame, frame), (.encode, encode)]
    }

    /// The stages of this job; every job has a queue stage, but a plan, for example, has no encoding.
    package var spent: [(stage: Stage, time: Duration)] { all.filter { $0.stage == .queue || $0.time > .zero } }
}

/// The outcome of a job: a result or an error, and the findings of its own search.
package struct JobOutcome: Sendable {
    /// The findings of the job's own search, even if the job failed afterwards; nil if it made no search.
    package var findings: FaceFindings?
    /// The result or the error.
    package var result: Result<FrameResult, PipelineError>

    package init(findings: FaceFindings? = nil, result: Result<FrameResult, PipelineError>) {
        self.findings = findings
        self.result = result
    }

    /// An outcome that failed without findings.
    package init(_ error: PipelineError) { self.init(result: .failure(error)) }

    /// The same outcome, with the time of the wait for a worker.
    package func queued(for duration: Duration) -> JobOutcome {
        guard case .success(var result) = self.result else { return self }
        result.times.queue = duration
        return JobOutcome(findings: findings, result: .success(result))
    }
}

/// The key colour that `key=auto` found in the picture's borders.
package enum BorderKey: Hashable, Codable, Sendable {
    /// The borders have no colour that can be a key: nothing became transparent.
    case none
    /// The colour of the borders.
    case color(KeyColor)

    /// The outcome of a search for the colour of borders.
    init(_ color: KeyColor?) { self = color.map { .color($0) } ?? .none }

    /// The colour in six hexadecimal digits, or `none`.
    package var word: String {
        switch self {
        case .none: "none"
        case .color(let color): color.digits
        }
    }
}

/// A placeholder that a page shows until a crop is loaded.
package struct Placeholder: Hashable, Codable, Sendable {
    /// The kind of the hash.
    package var kind: PlaceholderKind
    /// The bytes of a ThumbHash, or the text of a BlurHash in ASCII.
    package var hash: [UInt8]
    /// The dominant colour of the crop; nil for a crop without a visible pixel.
    package var color: KeyColor?

    /// The placeholder of a small picture.
    init(_ kind: PlaceholderKind, of pixels: PreviewPixels) {
        self.kind = kind
        hash =
            switch kind {
            case .thumbhash: ThumbHash.bytes(of: pixels)
            case .blurhash: Array(BlurHash.text(of: pixels).utf8)
            }
        color = pixels.dominantColor
    }

    /// Whether the hash has a valid form for its kind; the reply of a worker is untrusted.
    package var isPossible: Bool {
        switch kind {
        case .thumbhash: (5...ThumbHash.mostBytes).contains(hash.count)
        case .blurhash: BlurHash.isHash(String(decoding: hash, as: UTF8.self))
        }
    }
}

extension KeyColor {
    /// The colour in six hexadecimal digits.
    package var digits: String {
        [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

/// A watermark in the result of one crop.
package struct PlacedMark: Hashable, Codable, Sendable {
    /// The place: the requested one, or a corner where no head is.
    package var place: Watermark.Place
    /// The rectangle, in pixels of the finished result, after its turn.
    package var rect: PixelRect
    /// Whether it covers a part of a head, because it would in every corner.
    package var coversHead: Bool

    package init(place: Watermark.Place, rect: PixelRect, coversHead: Bool) {
        self.place = place
        self.rect = rect
        self.coversHead = coversHead
    }
}
