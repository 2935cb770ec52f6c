#if Video
import ArgumentParser
import Framing
import Geometry
import Imaging
import Motion
import Video

/// One result of `reframe`: the crops of one aspect ratio, as images, as a plan or as filters.
final class ReframeResult {
    /// The requested aspect ratio, framing and layout.
    let request: MotionRequest
    private var renderer: FrameRenderer
    private let header: Y4MHeader
    private let format: VideoInput.Format
    private let quality: Int
    private let images: OutputFile?
    private let media: MediaOutput?
    private let plan: OutputFile?
    /// Whether the plan is one document instead of a line for each frame.
    let isDocument: Bool
    private let filters: OutputFile?
    private var script: FilterScript
    private var hasHeader = false

    /// The request from the options.
    ///
    /// A plan, if there is one, supplies the options that are not set.
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
    init(
        _ settings: ReframeSettings,
        _ input: VideoInput,
        aspect: AspectRatio,
        _ document: VideoPlan? = nil
    ) throws(CommandFailure) {
        let header = input.header
        self.header = settings.redaction == nil ? header : header.withoutComments
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
            media = try MediaOutput(
                output,
                container,
                size: renderer.size,
                fps: fps,
                source: input.media,
                isRedacted: settings.redaction != nil
            )
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
        images = isRaw ? try OutputFile(output) : nil
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
        let widest = SlidingCrop(request.aspect, in: request.size)
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

struct FrameRenderer {
    /// The minimum motion in pixels per frame.
    ///
    /// A crop that moves less stands still, and starts at a whole pixel if it is not scaled.
    private static let still = 0.02

    let size: PixelSize
    private let image: PixelSize
    private let layout: SampleLayout
    /// Whether one pixel of the output corresponds to one pixel of the widest crop.
    private let isUnscaled: Bool
    private var last: (region: FractionalRect, shown: FractionalRect)?

    /// A renderer; `wanted` are the requested sides of the output in pixels; a missing side follows from the aspect
    /// ratio of the widest crop.
    init(_ header: Y4MHeader, widest: (width: Double, height: Double), wanted: (width: Int?, height: Int?)) {
        image = header.size
        layout = header.layout
        isUnscaled = wanted.width == nil && wanted.height == nil
        let maximum = PixelSize(width: Y4MHeader.maxSide, height: Y4MHeader.maxSide)
        switch wanted {
        case (nil, nil): size = header.layout.evenSize(widest.width, widest.height, in: image)
        case (let width?, let height?): size = PixelSize(width: width, height: height)
        case (let width?, nil):
            let height = Double(width) * widest.height / widest.width
            size = PixelSize(width: width, height: header.layout.evenSize(2, height, in: maximum).height)
        case (nil, let height?):
            let width = Double(height) * widest.width / widest.height
            size = PixelSize(width: header.layout.evenSize(width, 2, in: maximum).width, height: height)
        }
    }

    /// The part of the image to render: the crop, or an area of exactly the output's size if the output is not scaled.
    func region(_ crop: FractionalRect, isWidest: Bool) -> FractionalRect {
        guard isUnscaled, isWidest else { return crop }
        let (width, height) = (Double(size.width), Double(size.height))
        let (x, y) = (crop.x + (crop.width - width) / 2, crop.y + (crop.height - height) / 2)
        return FractionalRect(x: x, y: y, width: width, height: height).clamped(to: image)
    }

    mutating func render(_ frame: RawFrame, _ region: FractionalRect, _ panes: Panes) throws -> RawFrame {
        switch panes {
        case .one: return try render(frame, region)
        case .whole:
            last = nil
            return try frame.letterboxed(in: size)
        case .two(let second, let share):
            last = nil
            let (first, rest) = split(share)
            return try RawFrame.joined(
                try frame.resampled(region, to: first),
                try frame.resampled(second, to: rest),
                isWide: isWide
            )
        }
    }

    private var isWide: Bool { size.width >= size.height }

    /// The sizes of two panes; their border lies between two chroma samples.
    private func split(_ share: Double) -> (first: PixelSize, second: PixelSize) {
        let (width, height) = (Double(size.width), Double(size.height))
        let even = layout.evenSize(isWide ? width * share : width, isWide ? height : height * share, in: size)
        var (first, second) = (size, size)
        if isWide {
            first.width = max(1, min(size.width - 1, even.width))
            second.width -= first.width
        } else {
            first.height = max(1, min(size.height - 1, even.height))
            second.height -= first.height
        }
        return (first, second)
    }

    /// The part of the frame, scaled to the size of the output.
    private mutating func render(_ frame: RawFrame, _ region: FractionalRect) throws -> RawFrame {
        var shown = region
        if isUnscaled, let last {
            shown.x = Self.place(region.x, after: last.region.x, shown: last.shown.x)
            shown.y = Self.place(region.y, after: last.region.y, shown: last.shown.y)
        } else if isUnscaled {
            (shown.x, shown.y) = (region.x.rounded(), region.y.rounded())
        }
        last = (region, shown)
        return try frame.resampled(shown, to: size)
    }

    /// The rendered position of an edge.
    ///
    /// While the edge moves, this is `edge`. When the edge stands still, its position is rounded to a whole pixel, and
    /// kept until the edge is more than half a pixel away.
    private static func place(_ edge: Double, after last: Double, shown: Double) -> Double {
        guard abs(edge - last) < still else { return edge }
        return shown == shown.rounded() && abs(edge - shown) < 0.5 + still ? shown : edge.rounded()
    }
}

/// A chain of ffmpeg's filters that crops as planned: `sendcmd` moves the window of `crop`.
///
/// The window moves by whole pixels, and keeps its size.
struct FilterScript {
    private let fps: Double
    private let result: PixelSize
    private var commands: [String] = []
    private var last: (x: Int, y: Int)?
    private var window: PixelSize?

    init(fps: Double, result: PixelSize) {
        self.fps = fps
        self.result = result
    }

    mutating func add(_ frame: Int, _ region: FractionalRect) {
        let size = window ?? PixelSize(width: Int(region.width.rounded()), height: Int(region.height.rounded()))
        window = size
        let x = max(0, Int((region.x + (region.width - Double(size.width)) / 2).rounded()))
        let y = max(0, Int((region.y + (region.height - Double(size.height)) / 2).rounded()))
        if let last, last == (x, y) { return }
        last = (x, y)
        // Half a frame early, so that a rounded time does not miss the frame.
        let time = max(0, (Double(frame) - 0.5) / fps)
        commands.append("\(time.text(decimals: 4)) crop x \(x), crop y \(y)")
    }

    var text: String {
        let size = window ?? result
        let scale = size == result ? "" : ",scale=\(result.width):\(result.height)"
        return "sendcmd=c='\(commands.joined(separator: ";\n"))',\n"
            + "crop=w=\(size.width):h=\(size.height):x=0:y=0:exact=1\(scale)\n"
    }
}
#endif
