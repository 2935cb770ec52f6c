import Framing
import HeadroomTesting
import ImageCodec

extension PlanarImage {
    /// Reads every sample, for the sanitizer to see whether it is there.
    func checkSamples() {
        for plane in planes + (alpha.map { [$0] } ?? []) {
            precondition(ImageDifference(plane, plane).maximum == 0)
        }
    }
}
