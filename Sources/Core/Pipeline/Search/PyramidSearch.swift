import FaceDetection
import Geometry
import Imaging

/// A face search that runs a luma detector, such as HOG or a custom detector, at several scales.
struct PyramidSearch: FaceSearch {
    private var detector: any FaceDetector
    private let subjects: SubjectSearch?

    init(_ detector: any FaceDetector, subjects: SubjectSearch?) {
        (self.detector, self.subjects) = (detector, subjects)
    }

    var detectorName: String { detector.name }
    var needs: any SearchNeeds { PyramidNeeds(smallestDetectableSide: detector.smallestDetectableSide) }

    mutating func faces(
        in source: inout SourcePixels,
        _ task: SearchTask,
        _ context: JobContext
    ) throws(PipelineError) -> DetectionResult {
        var findings = DetectionResult(size: task.size, detectorName: detectorName)
        try task.runPasses(&source, subjects: subjects, detector: &detector, context: context, into: &findings)
        findings = task.settled(findings)
        try task.measureSharpness(of: &findings.faces, in: &source, atLeast: task.plan.passes[0].workingSize)
        return findings
    }

    mutating func everything(
        in source: inout SourcePixels,
        _ task: SearchTask,
        _ context: JobContext
    ) throws(PipelineError) -> [DetectionResult] {
        try source.views().map { (view) throws(PipelineError) in
            try task.everything(in: view, of: &source, detector: &detector, context: context)
        }
    }

    mutating func everything(
        in views: [Plane],
        atMost pixels: Int,
        _ task: SearchTask,
        _ context: JobContext
    ) throws(PipelineError) -> (views: [DetectionResult], pixels: Int)? {
        let found = try task.everything(in: views, atMost: pixels, detector: &detector, context: context)
        guard var (findings, spent) = found else { return nil }
        try task.addTurned(views, atMost: pixels, &spent, detector: &detector, context: context, into: &findings)
        return (findings, spent)
    }

    mutating func faces(
        in frame: PlanarImage,
        atMost pixels: Int,
        _ task: SearchTask
    ) throws(PipelineError) -> [Face]? {
        guard let pass = task.plan.passes.last(where: { $0.workingSize.area <= pixels }) else { return nil }
        var findings = DetectionResult(size: task.size, detectorName: detectorName)
        try task.take(pass, of: codec(frame.luma()), detector: &detector, into: &findings)
        return task.large(findings.faces)
    }

    mutating func faces(
        in frame: RawFrame,
        _ task: FrameTask,
        omitsPasses: Bool
    ) throws(PipelineError) -> FrameFaces {
        var found = FrameFaces()
        let luma = try codec(frame.luma())
        var last: SearchPlan.Pass?
        for pass in task.plan.passes {
            if let last, omitsPasses, let smallest = found.sure.map(\.box.size.longSide).min(),
                Double(smallest) >= SearchPlan.nearLimit * last.smallestFace
            {
                break
            }
            let faces = try task.faces(in: luma, pass, &detector)
            found.sure = Duplicates.merged(found.sure + faces.filter { $0.confidence > 0 }, in: task.size).kept
            found.doubtful += faces.filter { $0.confidence <= 0 }
            found.all += faces
            last = pass
        }
        found.people = try subjects?.people(in: frame) ?? []
        return found
    }

    mutating func faces(near face: PixelRect, in frame: RawFrame) throws(PipelineError) -> [Face] {
        try FrameTask.search(codec(frame.luma()), near: face, &detector)
    }

    mutating func heads(in frame: RawFrame, _ task: FrameTask) throws(PipelineError) -> [Face] {
        try task.faces(in: codec(frame.luma()), task.plan.passes[0], &detector)
    }
}
