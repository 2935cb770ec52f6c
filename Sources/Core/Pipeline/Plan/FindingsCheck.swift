import BinaryCoding
import FaceDetection
import Framing
import Geometry
import Imaging

/// Validates detection results from any source before framing uses them.
///
/// A valid result can still be wrong about the image. But arithmetic with its numbers cannot overflow, and JSON can
/// represent them.
package struct FindingsCheck: PlausibleNumbers {
    package let limits: PipelineLimits
    package let detectorName: String

    /// Creates a check for the results of one detector.
    ///
    /// - Parameters:
    ///   - limits: The limits on the image.
    ///   - detectorName: The name that the results must have.
    package init(limits: PipelineLimits, detectorName: String) {
        self.limits = limits
        self.detectorName = detectorName
    }

    /// Returns the first problem of a result; nil if it is valid.
    package func problem(in findings: DetectionResult) -> String? {
        let size = findings.size
        guard isPossible(size, limits.decode) else { return "detections of an image that is too large" }
        guard findings.detectorName == detectorName,
            findings.passes.allSatisfy(isPass), findings.frames.map(isSample) ?? true
        else { return "detections of another detector" }
        let whole = PixelRect(size)
        let isValid =
            findings.faces.allSatisfy { isFace($0, in: whole) }
            && findings.ignored.allSatisfy { isIgnored($0, in: whole) }
            && findings.subjects.map { isSubjects($0, in: whole) } ?? true
        return isValid ? nil : "a face outside the image"
    }
}

extension DetectionResult {
    /// Decodes a result that ``BinaryCoder`` encoded; other processes can write to the memory of its bytes.
    ///
    /// The initializer returns nil for a result that no search can produce.
    ///
    /// - Parameters:
    ///   - bytes: Untrusted bytes.
    ///   - detectorName: The name of the detector in use.
    ///   - limits: The limits on images.
    package init?(decoding bytes: [UInt8], detectorName: String, limits: PipelineLimits) {
        guard let findings = try? BinaryCoder.value(DetectionResult.self, from: bytes),
            FindingsCheck(limits: limits, detectorName: detectorName).problem(in: findings) == nil
        else { return nil }
        self = findings
    }
}
