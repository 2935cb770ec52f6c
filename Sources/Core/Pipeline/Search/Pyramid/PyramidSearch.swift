import FaceDetection
import Geometry
import Imaging
import SubjectDetection

/// A face search that runs a luma detector, such as HOG or a custom detector, at several scales.
struct PyramidSearch: FaceSearch {
    private var detector: LumaDetector
    private let subjects: SubjectSearch?

    /// Creates the search with a detector; without `subjects`, it does not search subjects.
    init(_ detector: any FaceDetector, subjects: SubjectSearch?) {
        (self.detector, self.subjects) = (LumaDetector(detector), subjects)
    }

    var detectorName: String { detector.name }
    var needs: any SearchNeeds { PyramidNeeds(smallestDetectableSide: detector.smallestDetectableSide) }

    mutating func faces(
        in source: inout SourcePixels,
        _ task: SearchTask,
        _ context: JobContext
    ) throws(PipelineError) -> DetectionResult {
        var findings = DetectionResult(size: task.size, detectorName: detectorName)
        try runPasses(&source, task, context, into: &findings)
        findings = task.settled(findings)
        try task.measureSharpness(of: &findings.faces, in: &source, atLeast: task.plan.passes[0].workingSize)
        return findings
    }

    /// Runs the passes of the plan, and the first pass in all rotations if they find nothing; then searches subjects.
    ///
    /// The people that the subject network finds have no effect, because the detector may be trained for other objects
    /// than faces.
    private mutating func runPasses(
        _ source: inout SourcePixels,
        _ task: SearchTask,
        _ context: JobContext,
        into findings: inout DetectionResult
    ) throws(PipelineError) {
        for pass in task.plan.passes {
            if let smallest = findings.faces.map(\.box.size.longSide).min(),
                let last = findings.passes.last, Double(smallest) >= SearchPlan.nearLimit * last.smallestFace
            {
                break
            }
            try context.check()
            try detector.run(pass, on: source.luma(atLeast: pass.workingSize), into: &findings)
        }
        // People may lie down, and some images are rotated although their EXIF orientation is normal.
        for turn in task.searchesTurned ? Orientation.searchedTurns : [] where findings.faces.isEmpty {
            try context.check()
            let luma = try source.luma(atLeast: task.plan.passes[0].workingSize)
            try detector.run(task.plan.passes[0], turn: turn, on: luma, into: &findings)
        }
        if let subjects, task.searchesSubjects || findings.faces.isEmpty {
            try context.check()
            let colors = try source.colors(atLeast: SubjectNetwork.inputSize(of: task.size))
            findings.subjects = try subjects.subjects(in: colors, size: task.size)
        }
    }

    mutating func everything(
        in source: inout SourcePixels,
        _ task: SearchTask,
        _ context: JobContext
    ) throws(PipelineError) -> [DetectionResult] {
        try source.views().map { (view) throws(PipelineError) in
            try detector.everything(in: view, of: &source, task, context)
        }
    }

    mutating func everything(
        in views: [Plane],
        atMost pixels: Int,
        _ task: SearchTask,
        _ context: JobContext
    ) throws(PipelineError) -> (views: [DetectionResult], pixels: Int)? {
        let found = try detector.everything(in: views, atMost: pixels, task, context)
        guard var (findings, spent) = found else { return nil }
        try detector.addTurned(views, atMost: pixels, &spent, task, context, into: &findings)
        return (findings, spent)
    }

    mutating func faces(
        in frame: PlanarImage,
        atMost pixels: Int,
        _ task: SearchTask
    ) throws(PipelineError) -> [Face]? {
        guard let pass = task.plan.passes.last(where: { $0.workingSize.area <= pixels }) else { return nil }
        var findings = DetectionResult(size: task.size, detectorName: detectorName)
        try detector.run(pass, on: codec(frame.luma()), into: &findings)
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
            let faces = try detector.faces(in: luma, pass, task)
            found.sure = Duplicates.merged(found.sure + faces.filter { $0.confidence > 0 }, in: task.size).kept
            found.doubtful += faces.filter { $0.confidence <= 0 }
            found.all += faces
            last = pass
        }
        found.people = try subjects?.people(in: frame) ?? []
        return found
    }

    mutating func faces(near face: PixelRect, in frame: RawFrame) throws(PipelineError) -> [Face] {
        try detector.faces(near: face, in: codec(frame.luma()))
    }

    mutating func heads(in frame: RawFrame, _ task: FrameTask) throws(PipelineError) -> [Face] {
        try detector.faces(in: codec(frame.luma()), task.plan.passes[0], task)
    }
}
