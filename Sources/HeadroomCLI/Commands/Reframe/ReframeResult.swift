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
    private let plan: OutputFile?
    private let filters: OutputFile?
    private var script: FilterScript
    private var hasHeader = false

    /// Opens the files of a result.
    init(_ settings: ReframeSettings, _ input: VideoInput, aspect: AspectRatio) throws(CommandFailure) {
        let header = input.header
        self.header = header
        format = input.format
        quality = settings.quality
        let fps = header.fps ?? settings.fps
        request = MotionRequest(size: header.size, fps: fps, aspect: aspect, framing: settings.framing)
        let widest = SlidingCrop(aspect, in: header.size)
        renderer = FrameRenderer(header, widest: (widest.width, widest.height), wanted: settings.size)
        script = FilterScript(fps: fps, result: renderer.size)
        let output = settings.path(settings.output, for: aspect)
        let planned = settings.path(settings.plan, for: aspect)
        plan = planned == nil ? nil : try OutputFile(planned == "-" ? nil : planned)
        filters = plan == nil && settings.format == .ffmpeg ? try OutputFile(output) : nil
        pictures = plan == nil && filters == nil ? try OutputFile(output) : nil
    }

    /// Whether frames are needed to write it.
    var needsFrames: Bool { pictures != nil }

    /// Writes the crop of a frame; frames must come in their order, and are nil if ``needsFrames`` is false.
    func write(_ planned: PlannedFrame, _ frame: RawFrame?) throws {
        let widest = SlidingCrop(request.aspect, in: request.size)
        let region = renderer.region(planned.crop, isWidest: planned.crop.width > widest.width - 0.01)
        try plan?.write(PlanLine(planned, region).line)
        try write(region, planned.frame, frame)
    }

    /// Writes a region of a frame.
    func write(_ region: FractionalRect, _ number: Int, _ frame: RawFrame?) throws {
        if filters != nil { script.add(number, region) }
        guard let pictures, let frame else { return }
        let shown = try renderer.render(frame, region)
        if format == .mjpeg {
            return try pictures.write(ImageEncoder.encode(try shown.picture(), as: .jpeg, quality: quality))
        }
        try writeHeader()
        var bytes = Array("FRAME\n".utf8)
        shown.append(to: &bytes)
        try pictures.write(bytes)
    }

    /// Writes what belongs after the last frame.
    func finish() throws {
        try writeHeader()
        try filters?.write(Array(script.text.utf8))
    }

    private func writeHeader() throws {
        guard let pictures, !hasHeader, format == .y4m else { return }
        hasHeader = true
        var result = header
        result.size = renderer.size
        try pictures.write(result.bytes)
    }
}
