package import FaceDetection
import Framing
package import Geometry
import Imaging

/// The search with a network: network passes over the colours, then one HOG pass over the luma as a second opinion.
///
/// If both find a face, the result has the network's box, which fits the face better, and HOG's pose. A face that only
/// HOG found counts only if the network has a detection with a score of at least ``FaceNetwork/minSuspicion`` there,
/// because nearly all other HOG faces are false. docs/contributing/framing-research.md contains the measurements.
extension SearchTask {
    /// The smallest face of the second opinion, as a fraction of the image's short side.
    ///
    /// dlib's window has 80 pixels, and the image is scaled to a short side of 480.
    private static let secondOpinion = 1.0 / 6

    /// The minimum confidence (a network score of 0.9) of a face that needs no confirmation by rotated passes.
    private static let sure = 0.494

    /// The minimum confidence (a network score of 0.8) of a face that only a coarser pass found.
    private static let minSizeOfFurtherPass = 0.129

    /// Returns the long sides of the network's inputs in pixels, one for each pass, in descending order; at least one.
    ///
    /// If the usual passes would miss the smallest face (a fraction of the short side), a finer pass comes first.
    static func networkSides(of size: PixelSize, accuracy: Accuracy, smallestFace: Double?) -> [Int] {
        let sides =
            accuracy == .low ? [FaceNetwork.fastLongSide] : [FaceNetwork.longSide, FaceNetwork.fastLongSide]
        guard let smallestFace else { return sides }
        let side = FaceNetwork.smallestFace * Double(size.longSide) / (smallestFace * Double(size.shortSide))
        let finest = Int(min(side, Double(FaceNetwork.maxLongSide)).rounded())
        return finest > sides[0] ? [finest] + sides : sides
    }

    /// The long side, in pixels, of an additional finer network pass that runs if the other passes find an uncertain
    /// face; nil if another pass is already as fine.
    var decidingSide: Int? { networkSides[0] < FaceNetwork.longSide ? FaceNetwork.longSide : nil }

    /// Returns `area` if it gets a separate network pass; nil if that pass would enlarge it by less than ``minGain``.
    static func closeUp(of area: PixelRect, in size: PixelSize) -> PixelRect? {
        let (part, whole) = (FaceNetwork.inputSize(of: area.size), FaceNetwork.inputSize(of: size))
        let gain = Double(part.width) / Double(area.width) / (Double(whole.width) / Double(size.width))
        return gain >= minGain ? area : nil
    }

    /// The minimum enlargement of a part in a separate pass, relative to the pass over the whole image.
    private static let minGain = 1.25

    /// Returns the size of the whole source at the scale that a pass over a part needs.
    static func wholeSize(for part: PixelRect, in size: PixelSize) -> PixelSize {
        let input = FaceNetwork.inputSize(of: part.size)
        let scale = min(1, Double(input.width) / Double(part.width))
        return size.scaled(by: scale, .up)
    }

    /// Returns the pass for the second opinion, or for the network's search of a rotated image.
    static func secondOpinion(on size: PixelSize, smallestDetectableSide: Int) -> SearchPlan.Pass {
        SearchPlan(for: size, smallestFace: secondOpinion, smallestDetectableSide: smallestDetectableSide).passes[0]
    }

    /// Returns the size of the source when it is decoded once for all passes, with the source's aspect ratio.
    ///
    /// This is the maximum size that any pass needs.
    static func searchedSize(
        of size: PixelSize,
        networkSides: [Int],
        closeUp: PixelRect?,
        _ pass: SearchPlan.Pass
    ) -> PixelSize {
        let sizes = [FaceNetwork.inputSize(of: size, longSide: networkSides[0]), pass.workingSize]
        let closest = closeUp.map { wholeSize(for: $0, in: size) }
        return (sizes + [closest].compactMap(\.self)).max { $0.width < $1.width } ?? pass.workingSize
    }

    /// Runs the network's passes and then, if the search has a second opinion, the other detector.
    ///
    /// Faces are in pixels of the upright source, not sorted. Subjects are searched if no face is certain.
    func search(
        with network: FaceNetwork,
        hasSecondOpinion: Bool,
        subjects: SubjectSearch?,
        in source: inout SourcePixels,
        detector: inout any FaceDetector,
        context: JobContext,
        into findings: inout DetectionResult
    ) throws(PipelineError) {
        var suspected: [Face] = []
        let inputs = networkSides.map { FaceNetwork.inputSize(of: size, longSide: $0) }
        let pass = Self.secondOpinion(on: size, smallestDetectableSide: detector.smallestDetectableSide)
        let colors = try source.colors(
            atLeast: Self.searchedSize(of: size, networkSides: networkSides, closeUp: closeUp, pass)
        )
        for (index, input) in inputs.enumerated() {
            try context.check()
            let found = try search(with: network, at: colors, PixelRect(size), input, into: &findings)
            // A coarser pass finds larger faces, and averaging the boxes of both passes makes them more exact. Faces
            // that only the coarser pass finds need a higher confidence.
            findings.faces.add(found, above: index == 0 ? 0 : Self.minSizeOfFurtherPass, in: size)
            suspected += found
        }
        if let decidingSide, findings.faces.contains(where: { $0.confidence < Self.sure }) {
            try context.check()
            let input = FaceNetwork.inputSize(of: size, longSide: decidingSide)
            let found = try search(with: network, at: colors, PixelRect(size), input, into: &findings)
            findings.faces = []
            findings.faces.add(found, above: 0, in: size)
            findings.faces.add(suspected, above: Self.minSizeOfFurtherPass, in: size)
            suspected = found + suspected
        }
        if let closeUp {
            try context.check()
            let input = FaceNetwork.inputSize(of: closeUp.size)
            let found = try search(with: network, at: colors, closeUp, input, into: &findings)
            for face in Duplicates.merged(found.filter({ $0.confidence > 0 }), in: size).kept
            where findings.faces.index(of: face) == nil {
                findings.faces.append(face)
            }
            suspected += found
        }
        var isConfirmed = !findings.faces.isEmpty
        if hasSecondOpinion { isConfirmed = false }
        if hasSecondOpinion, let part = partInDoubt(suspected, findings.faces, pass) {
            try context.check()
            var second = DetectionResult(size: size, detectorName: detector.name)
            let luma = try source.luma(atLeast: pass.workingSize)
            try take(pass, part: part, of: luma, detector: &detector, into: &second)
            findings.passes += second.passes
            findings.ignored += second.ignored
            isConfirmed = !second.faces.isEmpty
            for face in second.faces {
                if let same = findings.faces.index(of: face) {
                    findings.faces[same].pose = face.pose
                    findings.faces[same].isConfirmed = true
                } else if suspected.index(of: face) != nil {
                    findings.faces.append(face)
                } else {
                    findings.ignored.append(IgnoredFace(face, .confidence, in: size))
                }
            }
        }
        if !findings.faces.isEmpty {
            try refineLandmarks(of: &findings.faces, in: source.luma(atLeast: pass.workingSize))
        }
        let isAnyCertain = isConfirmed || findings.faces.contains { $0.confidence >= Self.sure }
        if let subjects, searchesSubjects || !isAnyCertain {
            try context.check()
            findings.subjects = try subjects.subjects(in: colors, size: size)
        }
        // Rotated copies take most of the time of an image without people. An uncertain face may be a rotated one.
        let mayBeRotated = !findings.faces.isEmpty || findings.subjects?.mayContainPerson ?? true
        if searchesTurned, !isAnyCertain, mayBeRotated {
            let gate = hasSecondOpinion ? (network, colors) : nil
            try searchTurned(pass, at: &source, gate, detector: &detector, context: context, into: &findings)
        }
        findings.ignored += doubtful(suspected, findings.faces)
    }

    /// Returns the part of the image that HOG searches: the area around network detections that are large enough for
    /// HOG.
    ///
    /// With ``runsOnlyOnSuspicions``, certain faces are excluded. The result is nil if no detection remains. HOG's box
    /// is about 0.8 times as large as the network's box, and HOG needs a margin of one face on each side.
    private func partInDoubt(_ suspected: [Face], _ faces: [Face], _ pass: SearchPlan.Pass) -> PixelRect? {
        let sure = runsOnlyOnSuspicions ? faces.filter { $0.confidence >= Self.sure } : []
        let parts = suspected.compactMap { one -> PixelRect? in
            let side = one.box.size.longSide
            guard Double(side) >= 0.8 * pass.smallestFace, sure.index(of: one) == nil else { return nil }
            return one.box.grown(by: side, in: size)
        }
        return parts.dropFirst().reduce(parts.first) { $0?.union($1) }
    }

    /// Whether the network has any detection in the rotated image; the planes are the whole upright image, scaled to
    /// ``FaceNetwork/fastLongSide``.
    private func suspectsSomebody(
        _ network: FaceNetwork,
        in planes: [Plane],
        turned turn: Orientation,
        into findings: inout DetectionResult
    ) throws(PipelineError) -> Bool {
        let start = ContinuousClock.now
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

    /// Runs one pass in each rotation until it finds a face.
    ///
    /// People may lie down, and the network's box has the wrong aspect ratio for a face that lies on its side.
    private func searchTurned(
        _ pass: SearchPlan.Pass,
        at source: inout SourcePixels,
        _ gate: (network: FaceNetwork, colors: PlanarImage)?,
        detector: inout any FaceDetector,
        context: JobContext,
        into findings: inout DetectionResult
    ) throws(PipelineError) {
        var turned = DetectionResult(size: size, detectorName: detector.name)
        // All rotations have the same scaled pixels.
        var planes: [Plane] = []
        if let gate {
            let input = FaceNetwork.inputSize(of: size, longSide: FaceNetwork.fastLongSide)
            planes = try codec(gate.colors.networkInput(FractionalRect(PixelRect(gate.colors.size)), to: input))
        }
        for turn in Orientation.searchedTurns where turned.faces.isEmpty {
            try context.check()
            if let gate, try !suspectsSomebody(gate.network, in: planes, turned: turn, into: &turned) { continue }
            let luma = try source.luma(atLeast: pass.workingSize)
            try take(pass, turn: turn, of: luma, detector: &detector, into: &turned)
        }
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
                findings.ignored.append(IgnoredFace(face, .confidence, in: size))
            }
        }
    }

    /// Returns the network's detections with scores from ``doubtful`` up to 0 that overlap no face.
    private func doubtful(_ suspected: [Face], _ faces: [Face]) -> [IgnoredFace] {
        suspected.filter { one in
            one.confidence <= 0 && one.confidence >= Self.doubtful && faces.index(of: one) == nil
        }.map { IgnoredFace($0, .confidence, in: size) }
    }

    /// Scales a part of the source to the size of the network's input, runs one network pass over it, and adds the pass
    /// to the result.
    ///
    /// The image is the whole source at any scale, without alpha. Faces are in pixels of the upright source, ordered by
    /// descending certainty.
    func search(
        with network: FaceNetwork,
        at image: PlanarImage,
        _ part: PixelRect,
        _ input: PixelSize,
        threshold: Double = FaceNetwork.minSuspicion,
        into findings: inout DetectionResult
    ) throws(PipelineError) -> [Face] {
        let start = ContinuousClock.now
        let region = FractionalRect(part).scaled(from: size, to: image.size)
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

extension [Face] {
    /// Returns the position of the face that `face` belongs to; nil if no face matches.
    func index(of face: Face) -> Int? { firstIndex { Duplicates.isSame($0.box, face.box) } }

    /// Adds the faces of another network pass: known faces are averaged, new faces need a minimum confidence.
    mutating func add(_ found: [Face], above minimum: Double, in size: PixelSize) {
        for face in Duplicates.merged(found.filter { $0.confidence > 0 }, in: size).kept {
            if let same = index(of: face) {
                self[same].average(with: face, in: size)
            } else if face.confidence > minimum {
                append(face)
            }
        }
    }
}

extension PlanarImage {
    /// Returns the planes of a region as network input; colours are converted after scaling, when there are fewer
    /// pixels.
    func networkInput(_ region: FractionalRect, to size: PixelSize) throws(CodecError) -> [Plane] {
        let model: ColorModel = colorModel == .gray ? .gray : .rgb
        return try Resampler.resample(self, region: region, to: size, model: model, filter: .linear).planes
    }
}

extension FaceNetwork {
    /// Returns the detections in planes of red, green and blue, or in one grey plane.
    func detections(in planes: [Plane], threshold: Double) throws(PipelineError) -> [Detection] {
        try detecting("yunet") {
            try planes.withColorViews { try detect(red: $0, green: $1, blue: $2, threshold: threshold) }
        }
    }
}

// MARK: Landmarks

extension SearchTask {
    /// Refines the landmarks of the network's faces with the landmark model, which starts from the network's landmarks.
    ///
    /// The method also sets the pose of the faces.
    func refineLandmarks(of faces: inout [Face], in luma: Plane) throws(PipelineError) {
        try detecting("landmarks") {
            let model = try LandmarkModel.near.get()
            try luma.withView { view in
                for index in faces.indices where faces[index].finder == .network {
                    guard let rough = faces[index].roughLandmarks else { continue }
                    let start = rough.mapped { $0.scaled(from: size, to: luma.size) }
                    if let found = try model.landmarks(near: start, in: view) {
                        faces[index].landmarks = found.mapped { $0.scaled(from: luma.size, to: size) }
                    }
                    faces[index].pose = faces[index].pose ?? faces[index].landmarks?.pose ?? rough.pose
                }
            }
        }
    }
}

extension FractionalRect {
    /// Returns the rectangle, converted from an image of one size to the same image at another size.
    package func stretched(from size: PixelSize, to other: PixelSize) -> FractionalRect {
        let across = Double(other.width) / Double(size.width)
        let down = Double(other.height) / Double(size.height)
        return FractionalRect(x: x * across, y: y * down, width: width * across, height: height * down)
    }

    /// Returns the converted rectangle, clamped to the other image.
    func scaled(from size: PixelSize, to other: PixelSize) -> FractionalRect {
        stretched(from: size, to: other).clamped(to: other)
    }
}

extension Detection {
    /// Converts a detection in the input of a pass to pixels of the image; `input` is the size of the scaled `part`.
    func placed(in part: PixelRect, from input: PixelSize) -> Detection {
        var placed = self
        placed.box = box.scaled(from: input, to: part.size).moved(x: part.x, y: part.y)
        placed.consensus = consensus.map { mean in
            var mean = mean.scaled(from: input, to: part.size)
            mean.centreX += Double(part.x)
            mean.centreY += Double(part.y)
            return mean
        }
        placed.landmarks = landmarks?.mapped { point in
            let inside = point.scaled(from: input, to: part.size)
            return PixelPoint(x: inside.x + Double(part.x), y: inside.y + Double(part.y))
        }
        return placed
    }
}

extension FaceLandmarks {
    /// The pose derived from the landmarks: the offset of the nose from the centre of the eyes, or a tilt.
    var pose: Pose {
        let eyes = rightEye.x - leftEye.x
        let turn = (nose.x - (leftEye.x + rightEye.x) / 2) / max(1, abs(eyes))
        if turn < -0.25 { return .left }
        if turn > 0.25 { return .right }
        if roll < -13 { return .rotatedLeft }
        return roll > 13 ? .rotatedRight : .frontal
    }

    /// Whether the mean distance to the other landmarks is at most a quarter of the eye distance.
    package func isNear(_ other: FaceLandmarks) -> Bool {
        let sum = zip(points, other.points).reduce(0) { $0 + $1.0.distance(to: $1.1) }
        return sum / 5 <= 0.25 * other.leftEye.distance(to: other.rightEye)
    }
}
