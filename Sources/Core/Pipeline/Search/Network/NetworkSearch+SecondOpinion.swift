import FaceDetection
import Framing
import Geometry
import Imaging

/// The second opinion: one pass of the other detector over the luma around the network's detections.
extension NetworkSearch {
    /// Confirms the network's faces, and adds faces that only the other detector found where the network has a
    /// detection.
    mutating func getSecondOpinion(_ run: inout NetworkRun, _ source: inout SourcePixels) throws(PipelineError) {
        guard hasSecondOpinion else {
            run.isConfirmed = !run.findings.faces.isEmpty
            return
        }
        let pass = run.passes.secondOpinion
        guard let part = partInDoubt(run) else { return }
        try run.context.check()
        var second = DetectionResult(size: run.task.size, detectorName: detector.name)
        let luma = try source.luma(atLeast: pass.workingSize)
        try detector.run(pass, part: part, on: luma, into: &second)
        run.findings.passes += second.passes
        run.findings.ignored += second.ignored
        run.isConfirmed = !second.faces.isEmpty
        for face in second.faces {
            if let same = run.findings.faces.index(of: face) {
                run.findings.faces[same].pose = face.pose
                run.findings.faces[same].isConfirmed = true
            } else if run.suspected.index(of: face) != nil {
                run.findings.faces.append(face)
            } else {
                run.findings.ignored.append(IgnoredFace(face, .confidence, in: run.task.size))
            }
        }
    }

    /// Returns the part of the image that HOG searches: the area around network detections that are large enough for
    /// HOG.
    ///
    /// With ``NetworkPasses/confirmsOnlyUncertain``, certain faces are excluded. The result is nil if no detection
    /// remains. HOG's box is about 0.8 times as large as the network's box, and HOG needs a margin of one face on each
    /// side.
    private func partInDoubt(_ run: NetworkRun) -> PixelRect? {
        let faces = run.passes.confirmsOnlyUncertain ? run.findings.faces : []
        let sure = faces.filter { $0.confidence >= NetworkRun.sure }
        let parts = run.suspected.compactMap { one -> PixelRect? in
            let side = one.box.size.longSide
            guard Double(side) >= 0.8 * run.passes.secondOpinion.smallestFace, sure.index(of: one) == nil else {
                return nil
            }
            return one.box.grown(by: side, in: run.task.size)
        }
        return parts.dropFirst().reduce(parts.first) { $0?.union($1) }
    }
}
