import FaceDetection
import Geometry
import Imaging

extension NetworkSearch {
    /// Refines the landmarks of the network's faces with the landmark model, which starts from the network's landmarks.
    ///
    /// The method also sets the pose of the faces.
    func refineLandmarks(_ run: inout NetworkRun, _ source: inout SourcePixels) throws(PipelineError) {
        guard !run.findings.faces.isEmpty else { return }
        let luma = try source.luma(atLeast: run.passes.secondOpinion.workingSize)
        let size = run.task.size
        try detecting("landmarks") {
            let model = try LandmarkModel.near.get()
            try luma.withView { view in
                for index in run.findings.faces.indices where run.findings.faces[index].finder == .network {
                    var face = run.findings.faces[index]
                    guard let rough = face.roughLandmarks else { continue }
                    let start = rough.mapped { $0.scaled(from: size, to: luma.size) }
                    if let found = try model.landmarks(near: start, in: view) {
                        face.landmarks = found.mapped { $0.scaled(from: luma.size, to: size) }
                    }
                    face.pose = face.pose ?? face.landmarks?.pose ?? rough.pose
                    run.findings.faces[index] = face
                }
            }
        }
    }
}
