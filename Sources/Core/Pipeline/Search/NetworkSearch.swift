import FaceDetection
import Geometry
import Imaging

/// A face search that runs a network on the colours of an image and a detector on its luma.
///
/// The detector gives a second opinion on images, finds heads to redact, and searches rotated images. It changed no
/// crop of video frames, so only the network searches these.
struct NetworkSearch: FaceSearch {
    private let network: FaceNetwork
    private var detector: any FaceDetector
    private let hasSecondOpinion: Bool
    private let subjects: SubjectSearch?

    /// Creates a search with a network; without a second opinion, `detector` is the same network with grey input.
    init(_ network: FaceNetwork, _ detector: any FaceDetector, hasSecondOpinion: Bool, subjects: SubjectSearch?) {
        (self.network, self.detector) = (network, detector)
        (self.hasSecondOpinion, self.subjects) = (hasSecondOpinion, subjects)
    }

    var detectorName: String { detector.name }
    var needs: any SearchNeeds { NetworkNeeds(smallestDetectableSide: detector.smallestDetectableSide) }

    mutating func faces(
        in source: inout SourcePixels,
        _ task: SearchTask,
        _ context: JobContext
    ) throws(PipelineError) -> DetectionResult {
        var findings = DetectionResult(size: task.size, detectorName: detectorName)
        try task.search(
            with: network,
            hasSecondOpinion: hasSecondOpinion,
            subjects: subjects,
            in: &source,
            detector: &detector,
            context: context,
            into: &findings
        )
        findings = task.settled(findings)
        let opinion = SearchTask.secondOpinion(
            on: task.size,
            smallestDetectableSide: detector.smallestDetectableSide
        )
        try task.measureSharpness(of: &findings.faces, in: &source, atLeast: opinion.workingSize)
        return findings
    }

    mutating func everything(
        in source: inout SourcePixels,
        _ task: SearchTask,
        _ context: JobContext
    ) throws(PipelineError) -> [DetectionResult] {
        var findings: [DetectionResult] = []
        for view in try source.views() {
            findings.append(try task.everything(in: view, of: &source, detector: &detector, context: context))
            let input = FaceNetwork.inputSize(of: task.size)
            let colors: PlanarImage
            if view == .overWhite {
                colors = try source.colors(atLeast: input)
            } else {
                colors = try source.luma(view, atLeast: task.plan.passes[0].workingSize).image
            }
            findings.append(try task.redactable(by: network, colors, input, detectorName))
        }
        return findings
    }

    mutating func everything(
        in views: [Plane],
        atMost pixels: Int,
        _ task: SearchTask,
        _ context: JobContext
    ) throws(PipelineError) -> (views: [DetectionResult], pixels: Int)? {
        let found = try task.everything(in: views, atMost: pixels, detector: &detector, context: context)
        guard var (findings, spent) = found else { return nil }
        let input = FaceNetwork.inputSize(of: task.size)
        for luma in views {
            findings.append(try task.redactable(by: network, luma.image, input, detectorName))
            // The network takes a quarter of the detector's time per pixel.
            spent += input.area / 4
        }
        try task.addTurned(views, atMost: pixels, &spent, detector: &detector, context: context, into: &findings)
        return (findings, spent)
    }

    mutating func faces(
        in frame: PlanarImage,
        atMost pixels: Int,
        _ task: SearchTask
    ) throws(PipelineError) -> [Face]? {
        let inputs = [FaceNetwork.longSide, FaceNetwork.fastLongSide].map {
            FaceNetwork.inputSize(of: task.size, longSide: $0)
        }
        guard let input = inputs.first(where: { $0.area <= pixels }) else { return nil }
        var findings = DetectionResult(size: task.size, detectorName: detectorName)
        let whole = PixelRect(task.size)
        let colors = try codec(frame.flattened())
        let found = try task.search(with: network, at: colors, whole, input, threshold: 0, into: &findings)
        return task.large(Duplicates.merged(found, in: task.size).kept)
    }

    mutating func faces(
        in frame: RawFrame,
        _ task: FrameTask,
        omitsPasses: Bool
    ) throws(PipelineError) -> FrameFaces {
        var found = try task.faces(in: frame, network)
        found.people = try subjects?.people(in: frame) ?? []
        return found
    }

    mutating func faces(near face: PixelRect, in frame: RawFrame) throws(PipelineError) -> [Face] {
        try FrameTask.search(frame, near: face, network)
    }

    mutating func heads(in frame: RawFrame, _ task: FrameTask) throws(PipelineError) -> [Face] {
        let input = FaceNetwork.inputSize(of: task.size)
        return try FrameTask.faces(in: frame, PixelRect(task.size), scaledTo: input, network)
    }
}
