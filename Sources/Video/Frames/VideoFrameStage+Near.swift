import Framing
import Geometry
import Imaging
import Pipeline

extension VideoFrameStage {
    /// Searches a frame near recently found faces, without attention.
    ///
    /// If requested, also reads the mouths of the faces found.
    static func run(
        _ frame: RawFrame,
        near faces: some Sequence<PixelRect>,
        with search: inout any FaceSearch,
        readsMouths: Bool = false
    ) throws(PipelineError) -> Result {
        var found: [Face] = []
        for face in faces { found += try search.faces(near: face, in: frame) }
        let kept = Duplicates.merged(found, in: frame.size).kept.sorted(by: Face.isLarger)
        let sure = kept.filter { $0.confidence > 0 }
        return Result(
            sure: sure.map(\.subject),
            doubtful: kept.filter { $0.confidence <= 0 }.map(\.subject),
            attention: nil,
            mouths: readsMouths ? try mouths(of: sure, in: frame) : []
        )
    }
}
