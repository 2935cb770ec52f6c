import FaceDetection
import Framing
import Geometry
import Imaging

extension AnimationStage {
    /// How long the place of a face is kept where it is not found, in milliseconds.
    static let keptFace = 1000

    /// The faces of every frame, for stickers.
    ///
    /// - Parameters:
    ///   - search: The passes.
    ///   - detector: The detector of the worker.
    /// - Returns: The faces; nil if there are too many frames to search.
    /// - Throws: ``PipelineError``.
    func stickerFaces(_ search: FaceSearch, detector: inout any FaceDetector) throws(PipelineError) -> [[Face]]? {
        guard let pass = passForAllFrames(search.plan) else { return nil }
        var frames: [[Face]] = []
        var kept: [(face: Face, age: Int)] = []
        let stream = try self.frames()
        while let frame = try next(of: stream) {
            let found = try search.everything(
                in: frame.image,
                pass,
                job: job,
                header: header,
                limits: limits,
                detector: &detector
            ).faces.sorted(by: Face.isLarger).prefix(Sticker.mostFaces)
            let missed = kept.filter { one in
                one.age <= Self.keptFace && !found.contains { $0.box.overlap(with: one.face.box) > 0.1 }
            }
            kept = found.map { (face: $0, age: 0) } + missed
            frames.append(kept.map(\.face))
            for index in kept.indices { kept[index].age += frame.milliseconds }
        }
        return frames
    }
}
