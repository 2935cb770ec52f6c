import Imaging
import TestImages

extension PlanarImage {
    /// Reads every sample, so that the sanitizer detects samples without memory.
    func checkSamples() {
        for plane in allPlanes {
            precondition(ImageDifference(plane, plane).maximum == 0)
        }
    }
}
