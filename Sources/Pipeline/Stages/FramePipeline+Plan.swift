import Framing
import Geometry
import Imaging

extension FramePipeline {
    /// The crops of every shape around the faces.
    func makePlan(
        _ findings: FaceFindings,
        attention: AttentionProfile
    ) throws(PipelineError) -> FramePlan {
        let people = findings.people
        let subjects = people.map(\.subject)
        var crops: [FramePlan.Crop] = []
        var kept = people.map { _ in false }
        for (aspect, faceIndex) in wantedCrops(faces: people.count) {
            var frame = try frame(subjects, aspect: aspect, faceIndex: faceIndex, attention: attention)
            if job.isLossless { try align(&frame, to: subjects) }
            if crops.isEmpty { kept = frame.kept }
            let whole = PixelRect(frame.crop.size)
            let (output, picture) =
                job.isLossless ? (whole.size, whole) : job.resultSize.resolved(for: frame, aspect: aspect)
            guard output.area <= limits.maxResultPixels else {
                throw .resultTooLarge(output, mostPixels: limits.maxResultPixels)
            }
            crops.append(
                FramePlan.Crop(
                    aspect: aspect,
                    rect: frame.crop,
                    unclamped: frame.unclamped,
                    output: output,
                    letterbox: frame.letterbox,
                    picture: picture,
                    decision: frame.decision,
                    outcomes: frame.outcomes,
                    faceFree: FaceFreeArea.largest(in: frame.crop, heads: subjects.map(\.head))
                )
            )
        }
        return FramePlan(
            source: .init(size: header.size, format: header.format, orientation: header.orientation.rawValue),
            crops: crops,
            faces: zip(people, kept).map { person, kept in
                FramePlan.Face(
                    box: person.box.intersection(PixelRect(header.size)),
                    head: person.subject.head,
                    confidence: person.confidence,
                    pose: person.pose,
                    kept: kept
                )
            },
            ignored: findings.ignored,
            detector: nil
        )
    }

    /// Moves a crop to where the source can be cut without loss.
    private func align(_ frame: inout Frame, to subjects: [Subject]) throws(PipelineError) {
        let kept = zip(subjects, frame.kept).filter(\.1).map(\.0.head)
        guard let crop = header.losslessCropping?.grid.aligned(frame.crop, keeping: kept) else {
            throw .notLossless(header.format)
        }
        frame.move(to: crop, subjects: subjects)
    }

    /// The shape of each crop, and the face it shows if it is the picture of one.
    private func wantedCrops(faces count: Int) -> [(aspect: AspectRatio?, faceIndex: Int?)] {
        if job.wantsPortraits { return (0..<count).map { (job.aspects[0], $0 + 1) } }
        return job.aspects.map { ($0, job.faceIndex) }
    }

    private func frame(
        _ subjects: [Subject],
        aspect: AspectRatio?,
        faceIndex: Int?,
        attention: AttentionProfile
    ) throws(PipelineError) -> Frame {
        do {
            if let index = faceIndex {
                guard subjects.indices.contains(index - 1) else {
                    throw PipelineError.noSuchFace(index: index, found: subjects.count)
                }
                return try Framer.portrait(
                    index,
                    of: subjects,
                    in: header.size,
                    aspect: aspect,
                    padding: job.framing.padding
                )
            }
            return try Framer.frame(
                subjects,
                in: header.size,
                aspect: aspect,
                request: job.framing,
                attention: attention
            )
        } catch let error as PipelineError {
            throw error
        } catch let error as FramingError {
            throw .framing(error)
        } catch {
            preconditionFailure("the framer throws nothing else: \(error)")
        }
    }
}
