import FaceDetection
import Geometry
import Imaging

/// The search for heads to redact: all passes of the other detector, and one pass of the network in each view.
extension NetworkSearch {
    mutating func everything(
        in source: inout SourcePixels,
        _ task: SearchTask,
        _ context: JobContext
    ) throws(PipelineError) -> [DetectionResult] {
        var findings: [DetectionResult] = []
        for view in try source.views() {
            findings.append(try detector.everything(in: view, of: &source, task, context))
            let input = FaceNetwork.inputSize(of: task.size)
            let colors: PlanarImage
            if view == .overWhite {
                colors = try source.colors(atLeast: input)
            } else {
                colors = try source.luma(view, atLeast: task.plan.passes[0].workingSize).image
            }
            findings.append(try redactable(in: colors, input, task))
        }
        return findings
    }

    mutating func everything(
        in views: [Plane],
        atMost pixels: Int,
        _ task: SearchTask,
        _ context: JobContext
    ) throws(PipelineError) -> (views: [DetectionResult], pixels: Int)? {
        let found = try detector.everything(in: views, atMost: pixels, task, context)
        guard var (findings, spent) = found else { return nil }
        let input = FaceNetwork.inputSize(of: task.size)
        for luma in views {
            findings.append(try redactable(in: luma.image, input, task))
            // The network takes a quarter of the detector's time per pixel.
            spent += input.area / 4
        }
        try detector.addTurned(views, atMost: pixels, &spent, task, context, into: &findings)
        return (findings, spent)
    }

    /// Returns the network's detections with a score of at least ``SearchTask/minRedacted``.
    private func redactable(
        in image: PlanarImage,
        _ input: PixelSize,
        _ task: SearchTask
    ) throws(PipelineError) -> DetectionResult {
        var findings = DetectionResult(size: task.size, detectorName: detectorName)
        findings.faces = try search(
            image,
            PixelRect(task.size),
            input,
            threshold: SearchTask.minRedacted,
            into: &findings
        )
        return findings
    }
}
