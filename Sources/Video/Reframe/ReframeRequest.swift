package import Framing
package import Geometry
import Imaging
package import Motion
package import Pipeline
import UntrustedText

/// What ``ReframeRun`` reads, and the results that it writes.
package struct ReframeRequest {
    /// The formats of results.
    package enum Format: String, CaseIterable, Sendable {
        /// Images, in the format of the source.
        case source
        /// Images, as Y4M.
        case y4m
        /// Images, as consecutive JPEGs.
        case mjpeg
        /// A script of filters for ffmpeg.
        case ffmpeg

        /// The format that the source must have; nil for any format.
        var input: VideoInputFormat? { VideoInputFormat(rawValue: rawValue) }
    }

    /// The maximum look-ahead in seconds; all frames of the look-ahead are in memory.
    package static let maxLookAhead = 10.0
    /// The look-ahead for a pipe, in seconds.
    package static let lookAhead = 1.0
    /// The maximum number of people who stay visible.
    package static let maxVisible = 256
    /// The placeholder for an aspect ratio in ``output`` and ``plan``.
    package static let aspectWord = "{aspect}"

    /// The input's path; nil for standard input.
    package var path: String?
    /// The result's path; nil for standard output.
    package var output: String?
    /// The aspect ratios of the results; empty for the aspect ratio of ``planFrom``.
    package var aspects: [AspectRatio] = []
    /// The sides of the results in pixels; a missing side follows from the aspect ratio.
    package var size: (width: Int?, height: Int?) = (nil, nil)
    /// The gravity, the fallback and the size of crops.
    package var framing = FramingRequest()
    /// The requested layout; nil for the layout of ``planFrom``, or ``layout``.
    package var wantedLayout: Layout?
    /// The part of the frames with a screen or slides.
    package var screen: FrameShare?
    /// The minimum face size, as a fraction of the short side; nil for the detector's minimum.
    package var smallestFace: Double?
    /// The heads and areas to redact, and the style; nil for none.
    package var redaction: Redaction?
    /// People who stay visible, by a point and a time.
    package var visible: [VisiblePerson] = []
    /// People who stay visible, by their numbers in a plan.
    package var visibleNumbers: [Int] = []
    /// The number of threads that search for faces.
    package var workers = 1
    /// Seconds of look-ahead; nil to read the video twice, if possible.
    package var lookAhead: Double?
    /// Frames per second of a video that does not state its rate.
    package var fps = 25.0
    /// The path of the plan to write instead of a video, `-` for standard output; nil for none.
    package var plan: String?
    /// The path of the plan to render; nil for none.
    package var planFrom: String?
    /// The format of the results.
    package var format = Format.source
    /// The quality of JPEGs, 1 to 100.
    package var quality = 82

    /// Creates a request without an aspect ratio, which the caller sets.
    package init() {}

    /// The layout; the default is one crop that follows people.
    package var layout: Layout { wantedLayout ?? .follow }

    /// Whether the plan to write is one document instead of a line for each frame.
    package var writesDocument: Bool { plan?.bytes.hasSuffix(".json") == true }

    /// Whether the motion of lips is measured.
    var readsLips: Bool { layout == .hold || layout == .auto || writesDocument }

    /// Whether heads are redacted, not only areas.
    package var redactsHeads: Bool { redaction.map { $0.faces != .none } ?? false }

    /// The input as a name in messages.
    package var inputName: String { path ?? "standard input" }

    /// A path with the aspect ratio in place of ``aspectWord``, such as `9x16`.
    func path(_ template: String?, for aspect: AspectRatio?) -> String? {
        let name = aspect.map { $0.text.bytes.replacing(":", with: "x") } ?? ""
        return template?.bytes.replacing(Self.aspectWord, with: name)
    }
}
