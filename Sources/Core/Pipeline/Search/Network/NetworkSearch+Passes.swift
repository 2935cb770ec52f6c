import FaceDetection
import Geometry
import Imaging

/// The network's passes over the colours of the upright image.
extension NetworkSearch {
    /// The minimum confidence (a network score of 0.8) of a face that only a coarser pass found.
    private static let minSizeOfFurtherPass = 0.129

    /// Runs all passes over the whole image.
    func searchWholeImage(_ run: inout NetworkRun) throws(PipelineError) {
        let size = run.task.size
        for (index, input) in run.passes.inputs.enumerated() {
            try run.context.check()
            let found = try search(run.colors, PixelRect(size), input, into: &run.findings)
            // A coarser pass finds larger faces, and averaging the boxes of both passes makes them more exact. Faces
            // that only the coarser pass finds need a higher confidence.
            run.findings.faces.add(found, above: index == 0 ? 0 : Self.minSizeOfFurtherPass, in: size)
            run.suspected += found
        }
    }

    /// Runs the finer pass if a face is uncertain; its faces replace the faces of the other passes.
    func decideUncertainFaces(_ run: inout NetworkRun) throws(PipelineError) {
        guard let input = run.passes.decidingInput,
            run.findings.faces.contains(where: { $0.confidence < NetworkRun.sure })
        else { return }
        let size = run.task.size
        try run.context.check()
        let found = try search(run.colors, PixelRect(size), input, into: &run.findings)
        run.findings.faces = []
        run.findings.faces.add(found, above: 0, in: size)
        run.findings.faces.add(run.suspected, above: Self.minSizeOfFurtherPass, in: size)
        run.suspected = found + run.suspected
    }

    /// Runs the pass over the requested part of the source, and adds the faces that no other pass has found.
    func searchCloseUp(_ run: inout NetworkRun) throws(PipelineError) {
        guard let closeUp = run.passes.closeUp else { return }
        let size = run.task.size
        try run.context.check()
        let input = FaceNetwork.inputSize(of: closeUp.size)
        let found = try search(run.colors, closeUp, input, into: &run.findings)
        for face in Duplicates.merged(found.filter({ $0.confidence > 0 }), in: size).kept
        where run.findings.faces.index(of: face) == nil {
            run.findings.faces.append(face)
        }
        run.suspected += found
    }

    /// Scales a part of the source to the size of the network's input, runs one network pass over it, and adds the pass
    /// to the result.
    ///
    /// - Parameters:
    ///   - image: The whole source at any scale, without alpha.
    ///   - part: The searched part, in pixels of the upright source.
    ///   - input: The size of the network's input.
    ///   - threshold: The minimum score.
    ///   - findings: The result, which contains the size of the source.
    /// - Returns: Faces in pixels of the upright source, ordered by descending certainty.
    /// - Throws: ``PipelineError``.
    func search(
        _ image: PlanarImage,
        _ part: PixelRect,
        _ input: PixelSize,
        threshold: Double = FaceNetwork.minSuspicion,
        into findings: inout DetectionResult
    ) throws(PipelineError) -> [Face] {
        let (start, size) = (ContinuousClock.now, findings.size)
        let region = FractionalRect(part).scaledAndClamped(from: size, to: image.size)
        let scaled = try codec(image.networkInput(region, to: input))
        let detections = try network.detections(in: scaled, threshold: threshold)
        let faces = detections.compactMap { detection in
            let detection = detection.placed(in: part, from: input)
            return Face(detection, workingSize: size, in: size, landmarks: detection.landmarks)
        }
        findings.passes.append(
            DetectionPass(
                workingSize: input,
                turn: 0,
                smallestFace: FaceNetwork.smallestFace * Double(part.size.longSide) / Double(input.longSide),
                found: faces.count { $0.confidence > 0 },
                duration: .now - start
            )
        )
        return faces
    }
}
