import ArgumentParser
import Foundation
import Framing
import Geometry
import Imaging
import Motion

/// One result of `reframe`: the crops of one shape, as pictures, as a plan or as filters.
final class ReframeResult {
    /// What the crops are asked for.
    let request: MotionRequest
    private var renderer: FrameRenderer
    private let header: Y4MHeader
    private let format: VideoInput.Format
    private let quality: Int
    private let pictures: OutputFile?
    private let media: MediaOutput?
    private let plan: OutputFile?
    /// Whether the plan is one document instead of a line for each frame.
    let isDocument: Bool
    private let filters: OutputFile?
    private var script: FilterScript
    private var hasHeader = false

    /// What is asked for by options, or else by a plan.
    static func request(
        _ settings: ReframeSettings,
        _ input: VideoInput,
        aspect: AspectRatio,
        _ document: VideoPlan?
    ) -> MotionRequest {
        MotionRequest(
            size: input.header.size,
            fps: input.fps ?? settings.fps,
            aspect: aspect,
            framing: settings.framing,
            layout: settings.wantedLayout ?? document?.layout ?? .follow,
            screen: settings.screen?.region(in: input.header.size) ?? document?.screen?.region
        )
    }

    /// Opens the files of a result.
    ///
    /// - Throws: A ``CommandFailure``.
    init(
        _ settings: ReframeSettings,
        _ input: VideoInput,
        aspect: AspectRatio,
        _ document: VideoPlan? = nil
    ) throws(CommandFailure) {
        let header = input.header
        self.header = header
        format = input.format
        quality = settings.quality
        let fps = input.fps ?? settings.fps
        request = Self.request(settings, input, aspect: aspect, document)
        let widest = SlidingCrop(aspect, in: header.size)
        renderer = FrameRenderer(header, widest: (widest.width, widest.height), wanted: settings.size)
        script = FilterScript(fps: fps, result: renderer.size)
        let output = settings.path(settings.output, for: aspect)
        let planned = settings.path(settings.plan, for: aspect)
        plan = planned == nil ? nil : try OutputFile(planned == "-" ? nil : planned)
        isDocument = planned?.hasSuffix(".json") == true
        filters = plan == nil && settings.format == .ffmpeg ? try OutputFile(output) : nil
        let container = settings.format == .source ? output.flatMap { MediaOutput.Container(path: $0) } : nil
        if plan == nil, filters == nil, let output, let container {
            guard header.layout.depth == 8, header.layout.subsampling == .halved else {
                throw CommandFailure(
                    "\(output): expected a source of 8 bits with chroma 4:2:0, such as from ffmpeg -pix_fmt yuv420p"
                )
            }
            media = try MediaOutput(output, container, size: renderer.size, fps: fps, source: input.media)
        } else {
            media = nil
        }
        let isRaw = plan == nil && filters == nil && media == nil
        if isRaw, input.media != nil, settings.format != .y4m, output?.hasSuffix(".y4m") != true {
            throw .usage(
                "--output=\(output ?? "-") is not valid for \(settings.inputName): expected a name with .mp4, .m4v, .mov, .mkv, "
                    + ".webm or .y4m, or --format y4m."
            )
        }
        pictures = isRaw ? try OutputFile(output) : nil
    }

    /// Whether frames are needed to write it.
    var needsFrames: Bool { pictures != nil || media != nil }

    /// Writes the crop of a frame; frames must come in their order, and are nil if ``needsFrames`` is false.
    func write(_ planned: PlannedFrame, _ frame: RawFrame?) throws {
        // What is rendered is what the plan says, to the last digit.
        let region = PlanRect(region(of: planned)).region
        if !isDocument { try plan?.write(PlanLine(planned, region).line) }
        if filters != nil { script.add(planned.frame, region) }
        guard needsFrames, let frame else { return }
        let shown = try renderer.render(frame, region, planned.panes.rounded)
        try media?.write(shown)
        guard let pictures else { return }
        if format == .mjpeg {
            return try pictures.write(ImageEncoder.encode(try shown.picture(), as: .jpeg, quality: quality))
        }
        try writeHeader()
        var bytes = Array("FRAME\n".utf8)
        shown.append(to: &bytes)
        try pictures.write(bytes)
    }

    /// The part of the picture that a single crop shows, or the first pane.
    func region(of planned: PlannedFrame) -> FractionalRect {
        guard planned.panes == .one else { return planned.crop }
        let widest = SlidingCrop(request.aspect, in: request.size)
        return renderer.region(planned.crop, isWidest: planned.crop.width > widest.width - 0.01)
    }

    /// Writes a plan as a document.
    func write(_ document: VideoPlan) throws {
        if isDocument { try plan?.write(try document.bytes) }
    }

    /// Writes what belongs after the last frame.
    func finish() throws {
        try writeHeader()
        try media?.finish()
        try filters?.write(Array(script.text.utf8))
    }

    private func writeHeader() throws {
        guard let pictures, !hasHeader, format != .mjpeg else { return }
        hasHeader = true
        var result = header
        result.size = renderer.size
        try pictures.write(result.bytes)
    }
}
