import Geometry
import Imaging
import Pipeline
import TestPacing
import Testing

/// Masks over the frames of a video, at ten frames a second.
@Suite(.limitedConcurrency) struct MovingMasksTests {
    private static let size = PixelSize(width: 400, height: 100)

    private static func head(_ x: Int, confidence: Double = 1) -> RedactedHead {
        let box = PixelRect(x: x, y: 40, width: 20, height: 20)
        return RedactedHead(box: box, mask: RedactionMask(around: box), confidence: confidence)
    }

    /// Whether the pixel at the middle of a head at `x` is hidden in each frame.
    ///
    /// `ahead` frames are known beyond the one that is shown, or all if it is nil; `cuts` are the frames that begin shots.
    private func hidden(
        _ frames: [[RedactedHead]],
        at places: [Int],
        ahead: Int? = nil,
        cuts: Set<Int> = []
    ) throws -> [Bool] {
        var masks = MovingMasks()
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

    @Test(arguments: [0, 4, 8], [0, 5, nil] as [Int?])
    func `a head that looks miss for half a second is hidden meanwhile, also one that moves`(
        speed: Int,
        ahead: Int?
    ) throws {
        let (heads, places) = gap(10...14, of: 30, speed: speed)
        #expect(try hidden(heads, at: places, ahead: ahead).allSatisfy(\.self))
    }

    @Test func `with frames to come known, a head is hidden in a gap of seconds, and before it is found`() throws {
        let (heads, places) = gap(10...60, of: 80, speed: 1)
        #expect(try hidden(heads, at: places).allSatisfy(\.self))
        let (late, at) = gap(0...7, of: 20)
        #expect(try hidden(late, at: at).allSatisfy(\.self))
        #expect(try hidden(late, at: at, ahead: 0) == at.indices.map { $0 > 7 })
    }

    @Test func `a mask ends a second after a head was last found`() throws {
        let (heads, places) = gap(10...49, of: 50)
        let all = try hidden(heads, at: places)
        #expect(all.prefix(19).allSatisfy(\.self) && !all.suffix(29).contains(true))
    }

    @Test func `across a cut, a mask is held for a second and no longer`() throws {
        let (heads, places) = gap(10...49, of: 70)
        #expect(try hidden(heads, at: places).allSatisfy(\.self))
        let cut = try hidden(heads, at: places, cuts: [20])
        #expect(cut.prefix(19).allSatisfy(\.self) && cut.suffix(29).allSatisfy(\.self))
        #expect(!cut[22..<38].contains(true))
    }

    @Test func `weak detections continue a head, and begin none`() throws {
        let places = [Int](repeating: 50, count: 40)
        let continued = places.indices.map { [Self.head(50, confidence: $0 < 5 ? 1 : -0.8)] }
        #expect(try hidden(continued, at: places, ahead: 0).allSatisfy(\.self))
        let weak = places.map { [Self.head($0, confidence: -0.8)] }
        #expect(try !hidden(weak, at: places, ahead: 0).contains(true))
        // What a weak detection was is known from the sure one after it.
        let late = places.indices.map { [Self.head(50, confidence: $0 < 35 ? -0.8 : 1)] }
        #expect(try hidden(late, at: places).allSatisfy(\.self))
    }

    @Test func `two heads that pass each other stay hidden`() throws {
        let (one, other) = ((0..<30).map { 20 + 10 * $0 }, (0..<30).map { 310 - 10 * $0 })
        let heads = one.indices.map { index in
            (12...18).contains(index) ? [] : [Self.head(one[index]), Self.head(other[index])]
        }
        #expect(try hidden(heads, at: one).allSatisfy(\.self))
        #expect(try hidden(heads, at: other).allSatisfy(\.self))
    }

    @Test func `with more heads than can be followed, everything is hidden`() throws {
        let crowd = (0..<1100).map { Self.head(1000 + 100 * $0) }
        let frames = [crowd, [], []]
        #expect(try hidden(frames, at: [5, 5, 5], ahead: 0).allSatisfy(\.self))
    }
}
