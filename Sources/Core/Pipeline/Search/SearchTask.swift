package import FaceDetection
import Geometry
import Imaging
import SubjectDetection

/// A ``FaceSearch`` task for one image: the passes, the smallest face, and the optional passes.
package struct SearchTask {
    let plan: SearchPlan
    /// The size of the upright source; detections are in its pixels.
    let size: PixelSize
    /// The side of the smallest face that counts, in pixels of the source; nil accepts every detection.
    var smallestFace: Double?
    /// Whether an image without upright faces is also searched rotated by 90, 180 and 270 degrees.
    var searchesTurned = true
    /// The long sides of the network's inputs in pixels, one for each pass, in descending order.
    var networkSides = [FaceNetwork.longSide]
    /// Whether the second opinion is limited to uncertain faces of the network.
    var runsOnlyOnSuspicions = false
    /// Whether subjects are searched even if a face is certain.
    var searchesSubjects = false
    /// A part of the source that gets a separate network pass; nil for none.
    var closeUp: PixelRect?

    /// The minimum score, relative to the detector's threshold, of detections that are reported as ignored.
    static let doubtful = -0.3

    /// Returns the result without faces that are too small, largest first, and with boxes inside the image.
    func settled(_ findings: DetectionResult) -> DetectionResult {
        var findings = findings
        if let smallestFace {
            func isSmall(_ face: Face) -> Bool { Double(face.box.size.longSide) < smallestFace }
            findings.ignored += findings.faces.filter(isSmall).map { IgnoredFace($0, .size, in: size) }
            findings.faces.removeAll(where: isSmall)
        }
        findings.faces.sort(by: Face.isLarger)
        for index in findings.faces.indices {
            findings.faces[index].box = findings.faces[index].box.intersection(PixelRect(size))
        }
        if !findings.faces.isEmpty, !searchesSubjects { findings.subjects = nil }
        return findings
    }

    /// Runs the passes of the plan, and the first pass in all rotations if they find nothing; then searches subjects.
    ///
    /// The people that the subject network finds have no effect, because the detector may be trained for other objects
    /// than faces.
    func runPasses(
        _ source: inout SourcePixels,
        subjects: SubjectSearch?,
        detector: inout any FaceDetector,
        context: JobContext,
        into findings: inout DetectionResult
    ) throws(PipelineError) {
        for pass in plan.passes {
            if let smallest = findings.faces.map(\.box.size.longSide).min(),
                let last = findings.passes.last, Double(smallest) >= SearchPlan.nearLimit * last.smallestFace
            {
                break
            }
            try context.check()
            try take(pass, of: source.luma(atLeast: pass.workingSize), detector: &detector, into: &findings)
        }
        // People may lie down, and some images are rotated although their EXIF orientation is normal.
        for turn in searchesTurned ? Orientation.searchedTurns : [] where findings.faces.isEmpty {
            try context.check()
            let luma = try source.luma(atLeast: plan.passes[0].workingSize)
            try take(plan.passes[0], turn: turn, of: luma, detector: &detector, into: &findings)
        }
        if let subjects, searchesSubjects || findings.faces.isEmpty {
            try context.check()
            let colors = try source.colors(atLeast: SubjectNetwork.inputSize(of: size))
            findings.subjects = try subjects.subjects(in: colors, size: size)
        }
    }

    /// Runs one pass and adds its detections to the result.
    ///
    /// `luma` is the whole source, at any scale with at least the pixels of the pass. With a `part`, in pixels of the
    /// source, only this part is searched, at the scale of the pass, and `turn` must be ``Orientation/up``.
    func take(
        _ pass: SearchPlan.Pass,
        turn: Orientation = .up,
        part: PixelRect? = nil,
        of luma: Plane,
        detector: inout any FaceDetector,
        into findings: inout DetectionResult
    ) throws(PipelineError) {
        let start = ContinuousClock.now
        let landmarks = try LandmarkModel.loaded()
        let image = try codec(
            Resampler.resample(
                luma,
                region: FractionalRect(part ?? PixelRect(size)).scaled(from: size, to: luma.size),
                to: part.map { $0.scaled(from: size, to: pass.workingSize).size } ?? pass.workingSize,
                filter: .linear
            ).oriented(turn)
        )
        let detections = try detecting(detector.name) {
            try image.withView { view in
                try detector.detect(in: view, threshold: Self.doubtful).map { detection in
                    let isSure = detection.confidence > 0
                    let found = isSure ? try landmarks.landmarks(of: detection, in: view) : nil
                    return (detection, found ?? detection.landmarks)
                }
            }
        }
        let turnedSize = turn.upright(size)
        let all = detections.compactMap { detection, landmarks in
            guard let part else {
                return Face(detection, workingSize: image.size, in: turnedSize, landmarks: landmarks)
                    .map { $0.turnedBack(turn, to: size) }
            }
            var detection = detection
            detection.landmarks = landmarks
            detection = detection.placed(in: part, from: image.size)
            return Face(detection, workingSize: size, in: size, landmarks: detection.landmarks)
        }
        let sure = all.filter { $0.confidence > 0 }
        let merged = Duplicates.merged(findings.faces + sure, in: size)
        findings.faces = merged.kept
        findings.ignored += merged.dropped.map { IgnoredFace($0, .duplicate, in: size) }
        findings.ignored += all.filter { $0.confidence <= 0 }.map { IgnoredFace($0, .confidence, in: size) }
        findings.passes.append(
            DetectionPass(
                workingSize: part == nil ? pass.workingSize : image.size,
                turn: turn.degrees,
                smallestFace: pass.smallestFace,
                found: sure.count,
                duration: .now - start
            )
        )
    }
}

extension SearchTask {
    /// Returns the faces that are large enough to count, largest first.
    func large(_ faces: [Face]) -> [Face] {
        let smallest = smallestFace ?? 0
        return faces.filter { Double($0.box.size.longSide) >= smallest }.sorted(by: Face.isLarger)
    }
}

extension LandmarkModel {
    /// Returns the model with the program's weights.
    ///
    /// - Throws: ``PipelineError/detector(_:)`` if the weights cannot be read.
    package static func loaded() throws(PipelineError) -> LandmarkModel {
        try detecting("landmarks") { try standard.get() }
    }
}
