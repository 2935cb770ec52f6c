import Framing
import Geometry
import Imaging

/// Replaces the heads of decoded pictures before anything else uses their pixels for a result.
struct RedactionStage {
    let style: RedactionStyle
    /// The size of the upright source, to whose pixels masks refer.
    let size: PixelSize
    /// The masks of a still picture.
    var masks: [RedactionMask] = []
    /// The masks of every frame of an animation.
    var frames: [[RedactionMask]] = []

    /// The part of a still picture as results may show it.
    ///
    /// - Throws: ``PipelineError/codec(_:)``.
    func applied(to part: PartialImage) throws(PipelineError) -> PartialImage {
        do {
            return try part.redacted(masks, of: size, as: style)
        } catch {
            throw .codec(error)
        }
    }

    /// A frame of an animation as results may show it.
    ///
    /// A frame that was not searched shows nothing: it is grey.
    func applied(to image: PlanarImage, frame: Int) throws(CodecError) -> PlanarImage {
        guard frames.indices.contains(frame) else {
            let middle = PixelPoint(x: Double(size.width) / 2, y: Double(size.height) / 2)
            let (width, height) = (Double(size.width), Double(size.height))
            let all = RedactionMask([.init(centre: middle, halfWidth: width, halfHeight: height, roll: 0)])
            return try PartialImage(whole: image).redacted([all], of: size, as: .fill).image
        }
        return try PartialImage(whole: image).redacted(frames[frame], of: size, as: style).image
    }

    /// The masks of a still picture.
    ///
    /// - Parameters:
    ///   - findings: The detections of the search for redaction.
    ///   - faces: The faces that the plan lists, by their numbers.
    ///   - all: All faces that framing knows, also those outside of the framed part.
    ///   - redaction: Which of them are redacted.
    /// - Returns: Masks in pixels of the source.
    /// - Throws: ``PipelineError/noSuchFace(index:found:)`` if a number is that of no face.
    static func masks(
        of findings: FaceFindings,
        faces: [Face],
        all: [Face],
        _ redaction: Redaction
    ) throws(PipelineError) -> [RedactionMask] {
        switch redaction.faces {
        case .all: return findings.redactable(with: all).map(\.mask)
        case .others:
            let kept = faces.first?.box
            return findings.redactable(with: all)
                .filter { head in kept.map { !Duplicates.isSame($0, head.box) } ?? true }.map(\.mask)
        case .numbers(let numbers):
            try check(numbers, of: faces)
            return numbers.map { RedactionMask(faces[$0 - 1]) }
        }
    }

    /// Refuses numbers of faces that were not found.
    static func check(_ numbers: [Int], of faces: [Face]) throws(PipelineError) {
        for number in numbers where !faces.indices.contains(number - 1) {
            throw .noSuchFace(index: number, found: faces.count)
        }
    }
}
