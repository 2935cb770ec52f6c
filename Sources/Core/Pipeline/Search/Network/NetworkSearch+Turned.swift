import FaceDetection
import Geometry
import Imaging

/// The search in rotated images.
extension NetworkSearch {
    /// If no face is certain and a person is possible, runs the other detector in each rotation until it finds a face.
    ///
    /// People may lie down, and the network's box has the wrong aspect ratio for a face that lies on its side.
    mutating func searchTurned(_ run: inout NetworkRun, _ source: inout SourcePixels) throws(PipelineError) {
        // Rotated copies take most of the time of an image without people. An uncertain face may be a rotated one.
        let mayBeRotated = !run.findings.faces.isEmpty || run.findings.subjects?.mayContainPerson ?? true
        guard run.task.searchesTurned, !run.isAnyCertain, mayBeRotated else { return }
        let (size, pass) = (run.task.size, run.passes.secondOpinion)
        var turned = DetectionResult(size: size, detectorName: detector.name)
        // All rotations have the same scaled pixels.
        var planes: [Plane] = []
        if hasSecondOpinion {
            let input = FaceNetwork.inputSize(of: size, longSide: FaceNetwork.fastLongSide)
            planes = try codec(run.colors.networkInput(FractionalRect(PixelRect(run.colors.size)), to: input))
        }
        for turn in Orientation.searchedTurns where turned.faces.isEmpty {
            try run.context.check()
            if hasSecondOpinion, try !suspectsSomebody(in: planes, turned: turn, into: &turned) { continue }
            let luma = try source.luma(atLeast: pass.workingSize)
            try detector.run(pass, turn: turn, on: luma, into: &turned)
        }
        Self.add(turned, to: &run.findings)
    }

    /// Adds the detections in rotated images to the detections in the upright image.
    private static func add(_ turned: DetectionResult, to findings: inout DetectionResult) {
        findings.passes += turned.passes
        findings.ignored += turned.ignored
        // The network also finds some upside-down faces, but with a lower score. A face with a higher score in the
        // rotated image shows that the source is rotated, so the other faces of this rotation count as well.
        let isTurned =
            findings.faces.isEmpty
            || turned.faces.contains { face in
                findings.faces.index(of: face).map { face.confidence > findings.faces[$0].confidence } ?? false
            }
        for face in turned.faces {
            if let same = findings.faces.index(of: face) {
                if face.confidence > findings.faces[same].confidence { findings.faces[same] = face }
            } else if isTurned {
                findings.faces.append(face)
            } else {
                findings.ignored.append(IgnoredFace(face, .confidence, in: findings.size))
            }
        }
    }

    /// Whether the network has any detection in the rotated image; the planes are the whole upright image, scaled to
    /// ``FaceNetwork/fastLongSide``.
    private func suspectsSomebody(
        in planes: [Plane],
        turned turn: Orientation,
        into findings: inout DetectionResult
    ) throws(PipelineError) -> Bool {
        let (start, size) = (ContinuousClock.now, findings.size)
        let input = FaceNetwork.inputSize(of: size, longSide: FaceNetwork.fastLongSide)
        let turned = try codec { () throws(CodecError) in
            try planes.map { (plane) throws(CodecError) in try plane.oriented(turn) }
        }
        let found = try network.detections(in: turned, threshold: FaceNetwork.minSuspicion)
        findings.passes.append(
            DetectionPass(
                workingSize: input,
                turn: turn.degrees,
                smallestFace: FaceNetwork.smallestFace * Double(size.longSide) / Double(input.longSide),
                found: found.count { $0.confidence > 0 },
                duration: .now - start
            )
        )
        return !found.isEmpty
    }
}
