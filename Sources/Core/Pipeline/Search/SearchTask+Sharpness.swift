import Framing
import Geometry
import Imaging

extension SearchTask {
    /// Measures the sharpness of the faces if there are at least two to compare.
    ///
    /// - Parameters:
    ///   - faces: The faces, in pixels of the upright source.
    ///   - source: The pixels of the source.
    ///   - minimum: The minimum size of the luma plane for the measurement.
    /// - Throws: ``PipelineError/codec(_:)`` if the source cannot be decoded.
    func measureSharpness(
        of faces: inout [Face],
        in source: inout SourcePixels,
        atLeast minimum: PixelSize
    ) throws(PipelineError) {
        guard faces.count > 1 else { return }
        let luma = try source.luma(atLeast: minimum)
        try detecting("sharpness") {
            try luma.withView { view in
                for index in faces.indices {
                    let box = faces[index].box.scaled(from: size, to: luma.size)
                    faces[index].subject.sharpness = Sharpness.thousandths(of: box, in: view)
                }
            }
        }
    }
}
