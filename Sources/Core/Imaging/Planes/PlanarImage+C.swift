import CImageCodec

extension PlanarImage {
    /// Passes the planes of the image to C, which reads them and writes others.
    ///
    /// - Parameters:
    ///   - targets: The planes that the call writes, which are not shared yet.
    ///   - body: The call, with the colours, the alpha or nil, and the planes to write; it keeps no pointer.
    /// - Returns: The result of the call.
    /// - Throws: The error of the call.
    func withViews<Result, Failure: Error>(
        into targets: [Plane],
        _ body: (_ colors: [hr_plane], _ alpha: [hr_plane]?, [hr_target]) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try allPlanes.withViews(into: targets) { (views, targets) throws(Failure) in
            try body(Array(views.prefix(planes.count)), alpha == nil ? nil : views.suffix(1), targets)
        }
    }
}
