import Framing
import Geometry
import Imaging
import Motion
import UntrustedText

/// One result of `reframe`: the crops of one aspect ratio, as images, as a plan or as filters.
final class ReframeResult {
    /// The requested aspect ratio, framing and layout.
    let motion: MotionRequest
    private var renderer: FrameRenderer
    private let header: Y4MHeader
    private let format: VideoInputFormat
    private let quality: Int
    private let images: OutputFile?
    private let media: MediaOutput?
    private let plan: OutputFile?
    /// Whether the plan is one document instead of a line for each frame.
    let isDocument: Bool
    private let filters: OutputFile?
    private var script: FilterScript
    private var hasHeader = false

    /// The request for the planner.
    ///
    /// A plan, if there is one, supplies the values that the request does not set.
    static func motion(
        _ request: ReframeRequest,
        _ input: VideoInput,
        aspect: AspectRatio,
        _ document: VideoPlan?
    ) -> MotionRequest {
        MotionRequest(
            size: input.header.size,
            fps: input.fps ?? request.fps,
            aspect: aspect,
            framing: request.framing,
            layout: request.wantedLayout ?? document?.layout ?? .follow,
            screen: request.screen?.region(in: input.header.size) ?? document?.screen?.region
        )
    }

    /// Opens the files of a result.
    ///
    /// - Throws: A ``ReframeFailure`` or a ``ReframeConflict``.
    init(
        _ request: ReframeRequest,
        _ input: VideoInput,
        aspect: AspectRatio,
        _ document: VideoPlan? = nil,
        host: any ReframeHost
    ) throws {
        let header = input.header
        self.header = request.redaction == nil ? header : header.withoutComments
        format = input.format
        quality = request.quality
        let fps = input.fps ?? request.fps
        motion = Self.motion(request, input, aspect: aspect, document)
        let widest = SlidingCrop(aspect, in: header.size)
        renderer = FrameRenderer(header, widest: (widest.width, widest.height), wanted: request.size)
        script = FilterScript(fps: fps, result: renderer.size)
        let output = request.path(request.output, for: aspect)
        let planned = request.path(request.plan, for: aspect)
        plan = planned == nil ? nil : try OutputFile(planned == "-" ? nil : planned, host)
        isDocument = planned?.bytes.hasSuffix(".json") == true
        filters = plan == nil && request.format == .ffmpeg ? try OutputFile(output, host) : nil
        let container = request.format == .source ? output.flatMap { MediaOutput.Container(path: $0) } : nil
        if plan == nil, filters == nil, let output, let container {
            guard header.layout.depth == 8, header.layout.subsampling == .halved else {
                throw ReframeFailure.result(
                    output,
                    reason: "expected a source of 8 bits with chroma 4:2:0, such as from ffmpeg -pix_fmt yuv420p"
                )
            }
            media = try MediaOutput(
                output,
                container,
                size: renderer.size,
                fps: fps,
                source: input.media,
                isRedacted: request.redaction != nil
            )
        } else {
            media = nil
        }
        let isRaw = plan == nil && filters == nil && media == nil
        if isRaw, input.media != nil, request.format != .y4m, output?.bytes.hasSuffix(".y4m") != true {
            throw ReframeConflict.unknownFormat(output: output)
        }
        images = isRaw ? try OutputFile(output, host) : nil
    }

    /// Whether images are written, so that ``write(_:_:)`` needs frames.
    var needsFrames: Bool { images != nil || media != nil }

    /// Writes the crop of a frame; frames must come in order, and are nil if ``needsFrames`` is false.
    func write(_ planned: PlannedFrame, _ frame: RawFrame?) throws {
        // Rounded as in a plan, so that rendering from the plan gives the same image.
        let region = PlanRect(region(of: planned)).region
        if !isDocument { try plan?.write(PlanLine(planned, region).planBytes) }
        if filters != nil { script.add(planned.frame, region) }
        guard needsFrames, let frame else { return }
        let shown = try renderer.render(frame, region, planned.panes.rounded)
        try media?.write(shown)
        guard let images else { return }
        if format == .mjpeg {
            return try images.write(ImageEncoder.encode(try shown.image(), as: .jpeg, quality: quality))
        }
        try writeHeader()
        var bytes = Array("FRAME\n".utf8)
        shown.append(to: &bytes)
        try images.write(bytes)
    }

    /// The part of the image in a single crop, or in the first pane.
    func region(of planned: PlannedFrame) -> FractionalRect {
        guard planned.panes == .one else { return planned.crop }
        let widest = SlidingCrop(motion.aspect, in: motion.size)
        return renderer.region(planned.crop, isWidest: planned.crop.width > widest.width - 0.01)
    }

    func write(_ document: VideoPlan) throws {
        if isDocument { try plan?.write(try document.planBytes) }
    }

    func finish() throws {
        try writeHeader()
        try media?.finish()
        try filters?.write(Array(script.text.utf8))
    }

    private func writeHeader() throws {
        guard let images, !hasHeader, format != .mjpeg else { return }
        hasHeader = true
        var result = header
        result.size = renderer.size
        try images.write(result.bytes)
    }
}
