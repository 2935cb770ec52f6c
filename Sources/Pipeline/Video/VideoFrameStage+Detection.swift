import FaceDetection
import Geometry
import Imaging

extension VideoFrameStage {
    /// Detects faces in a part of a frame.
    ///
    /// - Parameters:
    ///   - luma: The luma of the frame.
    ///   - region: The part, within it.
    ///   - size: The size of the detector's input.
    ///   - detector: The detector.
    /// - Returns: Detections above ``doubtful``, in pixels of the detector's input.
    /// - Throws: ``PipelineError``.
    static func detections(
        in luma: Plane,
        _ region: PixelRect,
        scaledTo size: PixelSize,
        _ detector: inout any FaceDetector
    ) throws(PipelineError) -> [Detection] {
        let image: Plane
        do {
            image = try Resampler.resample(luma, region: FractionalRect(region), to: size, filter: .linear)
        } catch {
            throw .codec(error)
        }
        do {
            return try image.withUnsafeSamples { samples in
                guard let pixels = samples.baseAddress else { return [] }
                let view = LumaImage(pixels: pixels, size: size, bytesPerRow: image.bytesPerRow)
                return try detector.detect(in: view, threshold: doubtful)
            }
        } catch {
            throw .detector("\(detector.name): \(error)")
        }
    }
}
