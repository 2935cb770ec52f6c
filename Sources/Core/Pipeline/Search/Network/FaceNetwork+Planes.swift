import FaceDetection
import Imaging

extension FaceNetwork {
    /// Returns the detections in planes of red, green and blue, or in one grey plane.
    func detections(in planes: [Plane], threshold: Double) throws(PipelineError) -> [Detection] {
        try detecting("yunet") {
            try planes.withColorViews { try detect(red: $0, green: $1, blue: $2, threshold: threshold) }
        }
    }
}
