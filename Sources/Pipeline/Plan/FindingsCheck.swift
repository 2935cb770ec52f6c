import BinaryCoding
import Geometry
import Imaging

/// Validates findings from any source before framing uses them.
///
/// Valid findings can still be wrong about the picture, but their numbers cannot overflow arithmetic and can be written
/// as JSON.
package struct FindingsCheck: PlausibleNumbers {
    package let limits: PipelineLimits
    package let detectorName: String

    package init(limits: PipelineLimits, detectorName: String) {
        self.limits = limits
        self.detectorName = detectorName
    }

    /// The first problem of the findings; nil when they are valid.
    package func problem(in findings: FaceFindings) -> String? {
        let size = findings.size
        guard isSide(size.width), isSide(size.height),
            size.area <= limits.decode.maxPixels, size.longSide <= limits.decode.maxSide
        else { return "findings of a picture that is too large" }
        guard findings.detectorName == detectorName,
            findings.looks.allSatisfy(isLook), findings.frames.map(isSample) ?? true
        else { return "findings of another detector" }
        let whole = PixelRect(size)
        let isValid =
            findings.faces.allSatisfy { isFace($0, in: whole) }
            && findings.ignored.allSatisfy { isIgnored($0, in: whole) }
        return isValid ? nil : "a face outside of the picture"
    }
}

extension FaceFindings {
    /// Decodes findings that ``BinaryCoder`` encoded, in memory that other processes can write to; nil for findings
    /// that no search can produce.
    ///
    /// - Parameters:
    ///   - bytes: Untrusted bytes.
    ///   - detectorName: The name of the detector in use.
    ///   - limits: The limits on pictures.
    package init?(decoding bytes: [UInt8], detectorName: String, limits: PipelineLimits) {
        guard let findings = try? BinaryCoder.value(FaceFindings.self, from: bytes),
            FindingsCheck(limits: limits, detectorName: detectorName).problem(in: findings) == nil
        else { return nil }
        self = findings
    }
}
