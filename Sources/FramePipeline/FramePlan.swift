package import FaceDetection
package import Framing
package import ImageCodec

/// Everything that was found and decided; all rectangles in pixels of the upright source image.
package struct FramePlan: Codable, Sendable {
    /// The source as its header describes it.
    package struct Source: Codable, Sendable {
        /// The upright size.
        package var size: PixelSize
        /// The encoding.
        package var format: ImageFormat
        /// The EXIF orientation, 1…8.
        package var orientation: Int
    }

    /// One asked shape.
    package struct Crop: Codable, Sendable {
        /// The shape as it was asked for; nil for the image's own.
        package var aspect: AspectRatio?
        /// The crop.
        package var rect: PixelRect
        /// Where the crop would be if the image had no end.
        package var unclamped: PixelRect
        /// The size of the result.
        package var output: PixelSize
        /// The bars beside the crop; nil when it fills the result.
        package var letterbox: Letterbox?
        /// Where the crop lies in the result, in pixels of that; all of it when there are no bars.
        package var picture: PixelRect
        /// The CSS position that shows the same in a browser.
        package var position: ObjectPosition
        /// What decided, such as `faces`, `fallback:center` or `pad`.
        package var decision: String
        /// What the crop means for each of the plan's faces.
        package var outcomes: [Outcome]
        /// The largest rectangle of the crop that holds nothing of any head; nil when heads cover all of it.
        package var faceFree: PixelRect?

        /// Whether there are bars beside the crop.
        package var hasBars: Bool { picture.size != output }

        /// Crop and bars together, in pixels of the source.
        package var size: PixelSize { letterbox?.size ?? rect.size }
    }

    /// One face.
    package struct Face: Codable, Sendable {
        /// The detector's box, clipped to the image.
        package var box: PixelRect
        /// The head around it.
        package var head: PixelRect
        /// The detector's raw score.
        package var confidence: Double
        /// Which way the face looks, if the detector can tell.
        package var pose: Pose?
        /// Whether the first crop holds the whole head.
        package var kept: Bool
    }

    /// Something that was found and does not count.
    package struct Ignored: Codable, Sendable {
        /// Why it does not count.
        package enum Reason: String, Codable, Sendable, CaseIterable {
            /// The detector is not sure enough.
            case confidence
            /// It is a face that was found before, or better.
            case duplicate
            /// It is smaller than the smallest face that matters.
            case size
        }

        /// The detector's box, clipped to the image.
        package var box: PixelRect
        /// The detector's raw score.
        package var confidence: Double
        /// Why it does not count.
        package var reason: Reason

        init(_ person: Person, _ reason: Reason, in size: PixelSize) {
            box = person.box.intersection(PixelRect(size))
            confidence = person.confidence
            self.reason = reason
        }
    }

    /// One look of the detector at the image.
    package struct Look: Codable, Sendable {
        /// The size of the image as the detector got it, before the turn.
        package var workingSize: PixelSize
        /// Degrees clockwise that the image was turned by.
        package var turn: Int
        /// The smallest face that could be seen, in pixels of the source.
        package var smallestFace: Double
        /// Faces found, whether or not they were known already.
        package var found: Int
        /// The time it took.
        package var duration: Duration
    }

    /// What detection was and cost.
    package struct Detector: Codable, Sendable {
        /// The detector's name.
        package var name: String
        /// How much work was asked for.
        package var accuracy: Accuracy
        /// Every look, in their order.
        package var looks: [Look]
        /// The time they took together.
        package var duration: Duration
        /// Whether the looks were taken for an earlier job, so that this one did without.
        package var isKnown: Bool
    }

    /// The source image.
    package var source: Source
    /// One entry for each shape asked for.
    package var crops: [Crop]
    /// Largest first.
    package var faces: [Face]
    /// What was found and does not count.
    package var ignored: [Ignored] = []
    /// Nil when the answer did not need faces, so that none were looked for.
    package var detector: Detector?
}

/// What a job gives back.
package struct FrameResult: Codable, Sendable {
    /// The encoded result; nil when only the plan was asked for, or all images.
    package var image: EncodedImage?
    /// One image for each of the plan's crops, when all of them were asked for.
    package var images: [EncodedImage] = []
    /// What was found and decided.
    package var plan: FramePlan
    /// How long each stage took.
    package var times: StageTimes
}

/// An encoded image and its format.
package struct EncodedImage: Codable, Sendable {
    /// The encoding.
    package var format: ImageFormat
    /// The file's bytes.
    package var bytes: [UInt8]
    /// Width and height in pixels.
    package var size: PixelSize
}

/// How long each stage of a job took.
package struct StageTimes: Codable, Sendable {
    /// Waiting for a worker.
    package var queue = Duration.zero
    /// From bytes to pixels, once or twice.
    package var decode = Duration.zero
    /// Scaling to the working size and finding faces.
    package var detect = Duration.zero
    /// Choosing the crops, with what attention looks at.
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

    /// The stages that the job went through: all have a queue, but a plan needs no encoding, for example.
    package var spent: [(stage: Stage, time: Duration)] { all.filter { $0.stage == .queue || $0.time > .zero } }
}
