import Geometry
import Imaging

/// The search for heads to redact, which misses fewer heads and has more false alarms than the search for framing.
///
/// Every view of an image (``ImageView``) is searched separately. A face in one view therefore never replaces a face at
/// the same place in another view.
extension LumaDetector {
    /// Returns the detector's detections of every pass in a view, in pixels of the upright source.
    ///
    /// No pass is omitted, and the first pass runs in all rotations.
    mutating func everything(
        in view: ImageView,
        of source: inout SourcePixels,
        _ task: SearchTask,
        _ context: JobContext
    ) throws(PipelineError) -> DetectionResult {
        var found = DetectionResult(size: task.size, detectorName: name)
        for pass in task.plan.passes {
            try context.check()
            let luma = try source.luma(view, atLeast: pass.workingSize)
            try run(pass, on: luma, into: &found)
        }
        let luma = try source.luma(view, atLeast: task.plan.passes[0].workingSize)
        try runTurned(task.plan.passes[0], on: luma, into: &found, context)
        return found
    }

    /// Returns the detector's detections of one pass over the views of a frame.
    ///
    /// The pass is the finest pass that needs at most `pixels` input pixels for all views together.
    ///
    /// - Returns: The detections of each view, and the number of input pixels; nil if the coarsest pass has too many
    ///   pixels.
    mutating func everything(
        in views: [Plane],
        atMost pixels: Int,
        _ task: SearchTask,
        _ context: JobContext
    ) throws(PipelineError) -> (views: [DetectionResult], pixels: Int)? {
        let passes = task.plan.passes
        guard let pass = passes.last(where: { $0.workingSize.area * views.count <= pixels }) else { return nil }
        var findings: [DetectionResult] = []
        for luma in views {
            try context.check()
            var found = DetectionResult(size: task.size, detectorName: name)
            try run(pass, on: luma, into: &found)
            findings.append(found)
        }
        return (findings, pass.workingSize.area * views.count)
    }

    /// If there are no faces, runs the first pass in all rotations, adds its faces, and adds its pixels to `spent`.
    ///
    /// The method does nothing if the sum would exceed `pixels`.
    mutating func addTurned(
        _ views: [Plane],
        atMost pixels: Int,
        _ spent: inout Int,
        _ task: SearchTask,
        _ context: JobContext,
        into findings: inout [DetectionResult]
    ) throws(PipelineError) {
        let turned = 3 * task.plan.passes[0].workingSize.area * views.count
        guard findings.allSatisfy(\.faces.isEmpty), spent + turned <= pixels else { return }
        spent += turned
        for (index, luma) in views.enumerated() {
            try runTurned(task.plan.passes[0], on: luma, into: &findings[index], context)
        }
    }

    /// Runs a pass in all rotations and adds its faces, but no weak detections, because nearly all of these are false.
    private mutating func runTurned(
        _ pass: SearchPlan.Pass,
        on luma: Plane,
        into findings: inout DetectionResult,
        _ context: JobContext
    ) throws(PipelineError) {
        let upright = findings.ignored
        for turn in Orientation.searchedTurns {
            try context.check()
            try run(pass, turn: turn, on: luma, into: &findings)
        }
        findings.ignored = upright
    }
}
