import FaceDetection
import Framing
import ImageCodec

/// Finds the people in a decoded image.
struct DetectionStage {
    /// The size at which the detector looks.
    let workingSize: PixelSize
    /// The upright source's size, in whose pixels the answer is.
    let sourceSize: PixelSize

    /// A face in the source image, and the head around it.
    struct Person {
        var detection: Detection
        var subject: Subject
    }

    /// Looks for people; the largest face comes first.
    ///
    /// - Parameters:
    ///   - image: The luma of the upright image at any scale.
    ///   - detector: The worker's own detector.
    /// - Returns: People in pixels of the upright source.
    /// - Throws: ``PipelineError/detector(_:)``, or ``PipelineError/codec(_:)`` when there is no memory to scale.
    func people(in image: Plane, detector: inout any FaceDetector) throws(PipelineError) -> [Person] {
        let luma: Plane
        do {
            luma = try Resampler.resample(image, region: ResampleRegion(PixelRect(image.size)), to: workingSize)
        } catch {
            throw .codec(error)
        }
        let detections: [Detection]
        do {
            detections = try luma.withUnsafeSamples { samples in
                guard let pixels = samples.baseAddress else { return [] }
                let view = LumaImage(pixels: pixels, size: luma.size, bytesPerRow: luma.bytesPerRow)
                return try detector.detect(in: view, threshold: 0)
            }
        } catch {
            throw .detector("\(detector.name): \(error)")
        }
        return detections.compactMap(person).sorted(by: Self.isLarger)
    }

    private func person(from detection: Detection) -> Person? {
        let scaleX = Double(sourceSize.width) / Double(workingSize.width)
        let scaleY = Double(sourceSize.height) / Double(workingSize.height)
        let left = Int((Double(detection.box.x) * scaleX).rounded())
        let top = Int((Double(detection.box.y) * scaleY).rounded())
        let box = PixelRect(
            x: left,
            y: top,
            width: Int((Double(detection.box.maxX) * scaleX).rounded()) - left,
            height: Int((Double(detection.box.maxY) * scaleY).rounded()) - top
        )
        let face = box.intersection(PixelRect(sourceSize))
        guard face.area > 0 else { return nil }
        // The head grows from the whole box: a face at the edge of the image has its crown where any other has it.
        let head = HeadGrowth.browToChin.head(of: box, in: sourceSize)
        return Person(detection: detection, subject: Subject(face: face, head: head))
    }

    /// Largest first; of equals the more confident, then the one further left, so that the order is always the same.
    private static func isLarger(_ left: Person, _ right: Person) -> Bool {
        (left.subject.face.area, left.detection.confidence, -left.subject.face.x)
            > (right.subject.face.area, right.detection.confidence, -right.subject.face.x)
    }
}
