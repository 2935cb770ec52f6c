import FaceDetection
import Geometry
import Imaging

/// The search for heads to redact, which misses fewer heads and has more false alarms than the search for framing.
///
/// Every view of an image (``ImageView``) is searched separately. A face in one view therefore never replaces a face at
/// the same place in another view.
extension SearchTask {
    /// The minimum score of a redacted detection; a detection with a score of 0 or more counts as a face.
    ///
    /// Of 215 annotated faces, 79 % have a score of at least 0, 81 % at least −0.15 and 84 % at least −0.3. In 96
    /// photographs, these thresholds gave 1, 1 and 4 false alarms.
    package static let minRedacted = -0.3

    /// Returns the detector's detections of every pass in a view, in pixels of the upright source.
    ///
    /// No pass is omitted, and the first pass runs in all rotations.
    func everything(
        in view: ImageView,
        of source: inout SourcePixels,
        detector: inout any FaceDetector,
        context: JobContext
    ) throws(PipelineError) -> DetectionResult {
        var found = DetectionResult(size: size, detectorName: detector.name)
        for pass in plan.passes {
            try context.check()
            let luma = try source.luma(view, atLeast: pass.workingSize)
            try take(pass, of: luma, detector: &detector, into: &found)
        }
        let luma = try source.luma(view, atLeast: plan.passes[0].workingSize)
        try takeTurned(luma, detector: &detector, into: &found, context: context)
        return found
    }

    /// Returns the network's detections with a score of at least ``minRedacted``.
    func redactable(
        by network: FaceNetwork,
        _ image: PlanarImage,
        _ input: PixelSize,
        _ name: String
    ) throws(PipelineError) -> DetectionResult {
        var findings = DetectionResult(size: size, detectorName: name)
        findings.faces = try search(
            with: network,
            at: image,
            PixelRect(size),
            input,
            threshold: Self.minRedacted,
            into: &findings
        )
        return findings
    }

    /// Returns the detector's detections of one pass over the views of a frame.
    ///
    /// The pass is the finest pass that needs at most `pixels` input pixels for all views together.
    ///
    /// - Returns: The detections of each view, and the number of input pixels; nil if the coarsest pass has too many
    ///   pixels.
    func everything(
        in views: [Plane],
        atMost pixels: Int,
        detector: inout any FaceDetector,
        context: JobContext
    ) throws(PipelineError) -> (views: [DetectionResult], pixels: Int)? {
        guard let pass = plan.passes.last(where: { $0.workingSize.area * views.count <= pixels }) else { return nil }
        var findings: [DetectionResult] = []
        for luma in views {
            try context.check()
            var found = DetectionResult(size: size, detectorName: detector.name)
            try take(pass, of: luma, detector: &detector, into: &found)
            findings.append(found)
        }
        return (findings, pass.workingSize.area * views.count)
    }

    /// If there are no faces, runs the first pass in all rotations, adds its faces, and adds its pixels to `spent`.
    ///
    /// The method does nothing if the sum would exceed `pixels`.
    func addTurned(
        _ views: [Plane],
        atMost pixels: Int,
        _ spent: inout Int,
        detector: inout any FaceDetector,
        context: JobContext,
        into findings: inout [DetectionResult]
    ) throws(PipelineError) {
        let turned = 3 * plan.passes[0].workingSize.area * views.count
        guard findings.allSatisfy(\.faces.isEmpty), spent + turned <= pixels else { return }
        spent += turned
        for (index, luma) in views.enumerated() {
            try takeTurned(luma, detector: &detector, into: &findings[index], context: context)
        }
    }

    /// Runs the first pass in all rotations and adds its faces, but no weak detections, because nearly all of these are
    /// false.
    private func takeTurned(
        _ luma: Plane,
        detector: inout any FaceDetector,
        into findings: inout DetectionResult,
        context: JobContext
    ) throws(PipelineError) {
        let upright = findings.ignored
        for turn in Orientation.searchedTurns {
            try context.check()
            try take(plan.passes[0], turn: turn, of: luma, detector: &detector, into: &findings)
        }
        findings.ignored = upright
    }
}

extension DetectionResult {
    /// The box and the mask of every detection to redact; for a detection that counts as a face, this is the face's
    /// box.
    var redactable: [RedactedHead] {
        let whole = PixelRect(size)
        return faces.map {
            RedactedHead(box: $0.box.intersection(whole), mask: RedactionMask($0), confidence: $0.confidence)
        }
            + ignored.filter { $0.reason != .duplicate && $0.confidence >= SearchTask.minRedacted }
            .map { RedactedHead(box: $0.box, mask: RedactionMask($0, in: size), confidence: $0.confidence) }
    }
}

extension Plane {
    /// The plane as a grey image.
    var image: PlanarImage { PlanarImage(size: size, colorModel: .gray, planes: [self]) }
}
