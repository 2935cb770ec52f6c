import CImageCodec
import Geometry

// C accesses planes only inside these closures. A pointer that is kept longer may outlive its plane, because the last
// use of the plane in Swift may be before the call. `CImageCodec.h` documents the memory convention between Swift and
// C.

extension Plane {
    fileprivate var view: hr_plane {
        hr_plane(data: base, stride: bytesPerRow, width: Int32(size.width), height: Int32(size.height))
    }

    fileprivate var target: hr_target {
        hr_target(data: base, stride: bytesPerRow, width: Int32(size.width), height: Int32(size.height))
    }

    /// Passes the samples to C, which only reads them.
    ///
    /// - Parameter body: The call; it keeps no pointer.
    /// - Returns: The result of the call.
    /// - Throws: The error of the call.
    func withView<Result, Failure: Error>(_ body: (hr_plane) throws(Failure) -> Result) throws(Failure) -> Result {
        defer { withExtendedLifetime(self) {} }
        return try body(view)
    }

    /// Passes the memory to C, which writes to it; only for planes that are not shared yet.
    ///
    /// - Parameter body: The call; it keeps no pointer.
    /// - Returns: The result of the call.
    /// - Throws: The error of the call.
    func withTarget<Result, Failure: Error>(_ body: (hr_target) throws(Failure) -> Result) throws(Failure) -> Result {
        defer { withExtendedLifetime(self) {} }
        return try body(target)
    }

    /// Blends this plane over a part of another plane of the same size.
    ///
    /// - Parameters:
    ///   - target: The plane below, which is changed; it is not shared yet.
    ///   - cover: The opacity of this plane, with the same size.
    func blend(over target: Plane, by cover: Plane) {
        [self, cover].withViews(into: [target]) { from, to in hr_blend([from[0]], [from[1]], to) }
    }
}

extension [Plane] {
    /// Passes planes to C, which only reads them.
    ///
    /// - Parameter body: The call, with the planes in their order; it keeps no pointer.
    /// - Returns: The result of the call.
    /// - Throws: The error of the call.
    func withViews<Result, Failure: Error>(_ body: ([hr_plane]) throws(Failure) -> Result) throws(Failure) -> Result {
        defer { withExtendedLifetime(self) {} }
        return try body(map(\.view))
    }

    /// Passes planes to C, which writes to them; only for planes that are not shared yet.
    ///
    /// - Parameter body: The call, with the planes in their order; it keeps no pointer.
    /// - Returns: The result of the call.
    /// - Throws: The error of the call.
    func withTargets<Result, Failure: Error>(
        _ body: ([hr_target]) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { withExtendedLifetime(self) {} }
        return try body(map(\.target))
    }

    /// Passes planes to C, which reads them and writes to `targets`.
    ///
    /// - Parameters:
    ///   - targets: The planes that the call writes, which are not shared yet.
    ///   - body: The call, with both lists in their order; it keeps no pointer.
    /// - Returns: The result of the call.
    /// - Throws: The error of the call.
    func withViews<Result, Failure: Error>(
        into targets: [Plane],
        _ body: ([hr_plane], [hr_target]) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withViews { (views) throws(Failure) in
            try targets.withTargets { (targets) throws(Failure) in try body(views, targets) }
        }
    }
}
