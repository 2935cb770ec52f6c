import Geometry
import Motion
import Testing
import Video

@Suite struct LiveSearchTests {
    private let face = PixelRect(x: 10, y: 10, width: 40, height: 40)

    /// The searches of frames at a frame rate; `isFound` is whether the face is found at a given time.
    private func extents(
        fps: Double,
        seconds: Double,
        isFound: (Double) -> Bool
    ) -> [(time: Double, extent: LiveSearch.Extent)] {
        var search = LiveSearch(fps: 25)
        return (0..<Int(fps * seconds)).map { frame in
            let time = Double(frame) / fps
            let extent = search.extent(at: time)
            search.found(isFound(time) ? [face] : [], in: extent, at: time)
            return (time, extent)
        }
    }

    @Test(arguments: [5.0, 10, 25, 30, 60])
    func `whole frames are searched every second, and areas near faces about five times per second`(fps: Double) {
        let found = extents(fps: fps, seconds: 10) { _ in true }
        #expect(found.first?.extent == .whole)
        #expect((9...11).contains(found.count { $0.extent == .whole }))
        #expect((28...51).contains(found.count { $0.extent == .near([face]) }))
    }

    @Test func `without faces, frames in between are not searched`() {
        let found = extents(fps: 25, seconds: 10) { _ in false }
        #expect((9...11).contains(found.count { $0.extent == .whole }))
        #expect(found.allSatisfy { $0.extent == .whole || $0.extent == .none })
    }

    @Test func `a lost face makes the next search of a whole frame earlier`() {
        let found = extents(fps: 25, seconds: 4) { $0 < 2.1 }
        let whole = found.filter { $0.extent == .whole && $0.time > 2.05 }.map(\.time)
        #expect(whole.first.map { $0 < 2.6 } == true, "\(whole)")
    }

    @Test func `a frame that differs from the previous frame may start a shot`() {
        var search = LiveSearch(fps: 25)
        let dark = Thumbnail([UInt8](repeating: 10, count: Thumbnail.count))
        let light = Thumbnail([UInt8](repeating: 200, count: Thumbnail.count))
        _ = search.mayBeCut(dark)
        let found = [dark, light, light, dark].map { search.mayBeCut($0) }
        #expect(found == [false, true, false, true])
    }
}
