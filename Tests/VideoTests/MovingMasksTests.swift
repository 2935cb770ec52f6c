import Geometry
import Imaging
import Pipeline
import TestPacing
import Testing
import Video

/// Masks in the frames of a video, at ten frames per second.
@Suite(.limitedConcurrency) struct MovingMasksTests {
    private static let size = PixelSize(width: 400, height: 100)

    private static func head(_ x: Int, confidence: Double = 1) -> RedactedHead {
        let box = PixelRect(x: x, y: 40, width: 20, height: 20)
        return RedactedHead(box: box, mask: RedactionMask(around: box), confidence: confidence)
    }

    /// Whether the pixel at the centre of a head at `x` is redacted in each frame.
    ///
    /// `ahead` is the number of known frames after the current frame, nil for all frames; `cuts` are the frames that
    /// start shots.
    private func hidden(
        _ frames: [[RedactedHead]],
        at places: [Int],
        ahead: Int? = nil,
        cuts: Set<Int> = [],
        except exceptions: [MovingMasks.Exception] = []
    ) throws -> [Bool] {
        var masks = MovingMasks(except: exceptions)
        var result: [Bool] = []
        let white = try RawFrame(
            size: Self.size,
            layout: SampleLayout(subsampling: nil),
            bytes: [UInt8](repeating: 255, count: Self.size.area)
        )
        func take() throws {
            let cover = FrameCover(Redaction(style: .fill), heads: masks.next(), size: Self.size)
            let shown = try cover.applied(to: white).luma()
            result.append(shown[x: places[result.count] + 10, y: 50] == 128)
        }
        for (index, heads) in frames.enumerated() {
            masks.add(heads, seconds: 0.1, isCut: cuts.contains(index))
            if let ahead, index >= ahead { try take() }
        }
        while result.count < frames.count { try take() }
        return result
    }

    private func gap(_ frames: ClosedRange<Int>, of count: Int, speed: Int = 0) -> (heads: [[RedactedHead]], at: [Int])
    {
        let places = (0..<count).map { 20 + $0 * speed }
        return (places.enumerated().map { frames.contains($0) ? [] : [Self.head($1)] }, places)
    }

    private func visible(_ x: Double, at seconds: Double) -> MovingMasks.Exception {
        MovingMasks.Exception(seconds: seconds, point: PixelPoint(x: x, y: 50))
    }

    @Test(arguments: [0, 5, nil] as [Int?])
    func `an excepted person stays visible from the given time, and all others are redacted`(ahead: Int?) throws {
        let places = (0..<20).map { 20 + 4 * $0 }
        let heads = places.map { [Self.head($0), Self.head(350)] }
        let exceptions = [visible(45, at: 0.5)]
        let named = try hidden(heads, at: places, ahead: ahead, except: exceptions)
        #expect(named == (0..<20).map { $0 < 5 })
        let other = try hidden(heads, at: places.map { _ in 350 }, ahead: ahead, except: exceptions)
        #expect(!other.contains(false))
    }

    @Test func `an exception ends at a cut, after a long gap, and next to another person`() throws {
        let still = (0..<20).map { _ in [Self.head(100)] }
        let places = still.map { _ in 100 }
        let first = [visible(110, at: 0)]
        #expect(try hidden(still, at: places, cuts: [12], except: first) == (0..<20).map { $0 >= 12 })
        var gap = still
        for frame in 6..<12 { gap[frame] = [] }
        #expect(try hidden(gap, at: places, except: first) == (0..<20).map { $0 >= 6 })
        // Another person walks past, near enough to be confused at the tenth frame.
        let passing = (0..<20).map { [Self.head(100), Self.head(280 - 17 * $0)] }
        let past = try hidden(passing, at: places, except: first)
        #expect(past.prefix(9).contains(true) == false)
        #expect(past.suffix(9).contains(false) == false)
    }

    @Test func `an exception also applies to a person who is found shortly after its time or selected again`() throws {
        var heads = (0..<20).map { _ in [Self.head(100)] }
        heads[0] = []
        heads[1] = []
        let places = heads.map { _ in 100 }
        let exceptions = [visible(110, at: 0), visible(110, at: 1.38)]
        let result = try hidden(heads, at: places, cuts: [10], except: exceptions)
        #expect(result == (0..<20).map { $0 < 2 || (10..<14).contains($0) })
        // No person is at this position.
        let nobody = try hidden(heads, at: places, except: [visible(200, at: 0)])
        #expect(!nobody.contains(false))
    }

    @Test(arguments: [0, 4, 8], [0, 5, nil] as [Int?])
    func `a head that is missed for half a second stays redacted, even if it moves`(
        speed: Int,
        ahead: Int?
    ) throws {
        let (heads, places) = gap(10...14, of: 30, speed: speed)
        #expect(try hidden(heads, at: places, ahead: ahead).allSatisfy(\.self))
    }

    @Test func `with look-ahead a head is redacted in a gap of seconds and before its first detection`() throws {
        let (heads, places) = gap(10...60, of: 80, speed: 1)
        #expect(try hidden(heads, at: places).allSatisfy(\.self))
        let (late, at) = gap(0...7, of: 20)
        #expect(try hidden(late, at: at).allSatisfy(\.self))
        #expect(try hidden(late, at: at, ahead: 0) == at.indices.map { $0 > 7 })
    }

    @Test func `a redaction ends a second after the last detection of a head`() throws {
        let (heads, places) = gap(10...49, of: 50)
        let all = try hidden(heads, at: places)
        #expect(all.prefix(19).allSatisfy(\.self) && !all.suffix(29).contains(true))
    }

    @Test func `after a cut, a redaction continues for only a second`() throws {
        let (heads, places) = gap(10...49, of: 70)
        #expect(try hidden(heads, at: places).allSatisfy(\.self))
        let cut = try hidden(heads, at: places, cuts: [20])
        #expect(cut.prefix(19).allSatisfy(\.self) && cut.suffix(29).allSatisfy(\.self))
        #expect(!cut[22..<38].contains(true))
    }

    @Test func `weak detections continue a head but do not start one`() throws {
        let places = [Int](repeating: 50, count: 40)
        let continued = places.indices.map { [Self.head(50, confidence: $0 < 5 ? 1 : -0.8)] }
        #expect(try hidden(continued, at: places, ahead: 0).allSatisfy(\.self))
        let weak = places.map { [Self.head($0, confidence: -0.8)] }
        #expect(try !hidden(weak, at: places, ahead: 0).contains(true))
        // A later strong detection shows that the weak detections were a head.
        let late = places.indices.map { [Self.head(50, confidence: $0 < 35 ? -0.8 : 1)] }
        #expect(try hidden(late, at: places).allSatisfy(\.self))
    }

    @Test func `two heads that pass each other stay redacted`() throws {
        let (one, other) = ((0..<30).map { 20 + 10 * $0 }, (0..<30).map { 310 - 10 * $0 })
        let heads = one.indices.map { index in
            (12...18).contains(index) ? [] : [Self.head(one[index]), Self.head(other[index])]
        }
        #expect(try hidden(heads, at: one).allSatisfy(\.self))
        #expect(try hidden(heads, at: other).allSatisfy(\.self))
    }

    @Test func `with more heads than can be tracked, everything is redacted`() throws {
        let crowd = (0..<1100).map { Self.head(1000 + 100 * $0) }
        let frames = [crowd, [], []]
        #expect(try hidden(frames, at: [5, 5, 5], ahead: 0).allSatisfy(\.self))
    }
}
