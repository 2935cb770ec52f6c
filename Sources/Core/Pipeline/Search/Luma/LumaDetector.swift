import FaceDetection
import Geometry
import Imaging

/// A worker's detector for luma, such as HOG or a custom detector, and its passes.
///
/// A ``PyramidSearch`` consists of these passes; a ``NetworkSearch`` runs some of them for a second opinion.
struct LumaDetector {
    private var detector: any FaceDetector

    /// Creates the passes of a detector.
    init(_ detector: any FaceDetector) { self.detector = detector }

    /// The name for responses and logs.
    var name: String { detector.name }

    /// The side of the smallest face that the detector finds, in pixels of its input.
    var smallestDetectableSide: Int { detector.smallestDetectableSide }

    /// Returns the detections in an image with a score of at least `threshold`, in pixels of the image.
    mutating func detect(in image: LumaImage, threshold: Double) throws -> [Detection] {
        try detector.detect(in: image, threshold: threshold)
    }

    /// Runs one pass and adds its detections to the result.
    ///
    /// - Parameters:
    ///   - pass: The size of the detector's input.
    ///   - turn: The rotation of the input.
    ///   - part: The searched part of the source, in its pixels; nil for the whole source. The part is searched at the
    ///     scale of the pass, and `turn` must be ``Orientation/up``.
    ///   - luma: The whole source, at any scale with at least the pixels of the pass.
    ///   - findings: The result, which contains the size of the source.
    /// - Throws: ``PipelineError``.
    mutating func run(
        _ pass: SearchPlan.Pass,
        turn: Orientation = .up,
        part: PixelRect? = nil,
        on luma: Plane,
        into findings: inout DetectionResult
    ) throws(PipelineError) {
        let (start, size) = (ContinuousClock.now, findings.size)
        let landmarks = try LandmarkModel.loaded()
        let image = try codec(
            Resampler.resample(
                luma,
                region: FractionalRect(part ?? PixelRect(size)).scaledAndClamped(from: size, to: luma.size),
                to: part.map { $0.scaled(from: size, to: pass.workingSize).size } ?? pass.workingSize,
                filter: .linear
            ).oriented(turn)
        )
        let detections = try detecting(name) {
            try image.withView { view in
                try detect(in: view, threshold: SearchTask.doubtful).map { detection in
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
