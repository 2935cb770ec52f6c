import Framing
import Geometry
import Motion
import Testing
import Video

@Suite struct SpeakersTests {
    private struct Noise {
        var state: UInt64
        /// A number from -1 to 1.
        mutating func next() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 40) / Double(1 << 23) - 1
        }
    }

    /// A mouth with the lips apart by a fraction of the patch, with the given shift and light, and with noise.
    private func patch(
        open: Double,
        x: Double = 0,
        y: Double = 0,
        light: Double = 0,
        _ noise: inout Noise
    ) throws -> MouthPatch {
        func samples(_ draw: (Double, Double) -> Double) -> [UInt8] {
            (0..<MouthPatch.width * MouthPatch.height).map { index in
                let (column, row) = (Double(index % MouthPatch.width), Double(index / MouthPatch.width))
                let value = draw(column - 14 - x, row - 10 - y) + light + 3 * noise.next()
                return UInt8(min(max(value, 0), 255))
            }
        }
        let mouth = samples { across, down in
            let rim = (across / 8) * (across / 8) + (down / (1 + 5 * open)) * (down / (1 + 5 * open))
            return rim < 1 ? 50 : 160 + across
        }
        let rest = samples { across, down in across * across + down * down < 20 ? 120 : 170 - 2 * across }
        return try #require(MouthPatch(mouth: mouth, rest: rest))
    }

    @Test func `opening lips are distinguished from moving heads and changing light`() throws {
        var noise = Noise(state: 7)
        let shut = try patch(open: 0.1, &noise)
        let speech = shut.lips(to: try patch(open: 0.7, &noise))
        let still = shut.lips(to: try patch(open: 0.1, &noise))
        let moved = shut.lips(to: try patch(open: 0.1, x: 1, y: -1, &noise))
        let lit = shut.lips(to: try patch(open: 0.1, light: 25, &noise))
        #expect(speech > 0.1)
        for other in [still, moved, lit] { #expect(other < speech / 5) }
        #expect(MouthPatch(mouth: [1, 2], rest: [1, 2]) == nil)
    }

    private let size = PixelSize(width: 640, height: 360)

    private func face(_ x: Int, lips: Double) -> FaceSighting {
        let head = PixelRect(x: x, y: 100, width: 60, height: 80)
        let face = PixelRect(x: x + 8, y: 120, width: 45, height: 60)
        return FaceSighting(Subject(face: face, head: head, reliability: 1000, tolerance: 3), lips: lips)
    }

    /// The fraction of a clip of 20 seconds in which the detected speaker is right.
    private func right(
        _ lips: (_ person: Int, _ second: Double) -> Double,
        truth: (Double) -> Int?,
        sound: Loudness? = nil
    ) throws -> Double {
        let request = MotionRequest(size: size, fps: 25, aspect: .square)
        let samples = stride(from: 0, to: 500, by: 5).map { frame in
            FaceSample(frame: frame, faces: [0, 1].map { face(100 + 400 * $0, lips: lips($0, Double(frame) / 25)) })
        }
        let clip = ClipPlanner.clip(request, frameCount: 500, shots: [0], samples: samples, sound: sound)
        var hits = 0
        for frame in 0..<500 {
            let said = clip.speech.first { ($0.first...$0.last).contains(frame) }.map { $0.person - 1 }
            if said == truth(Double(frame) / 25) { hits += 1 }
        }
        return Double(hits) / 500
    }

    /// In every 10 s, the first person speaks in the first 4 s, and the second person from 5 s to 9 s.
    private func truth(_ seconds: Double) -> Int? {
        let part = seconds.truncatingRemainder(dividingBy: 10)
        return part < 4 ? 0 : (5..<9).contains(part) ? 1 : nil
    }

    @Test func `the active speaker is detected from the lips alone`() throws {
        var noise = Noise(state: 3)
        let share = try right(
            { person, second in
                (truth(second) == person ? 0.12 : 0.01) * (1 + 0.5 * noise.next())
            },
            truth: truth
        )
        #expect(share > 0.9)
    }

    @Test func `sound distinguishes a speaker from a person who chews`() throws {
        var noise = Noise(state: 5)
        // The first person speaks in audible bursts of half a second; the lips of the second person move all the time.
        func isHeard(_ second: Double) -> Bool { Int(second * 2) % 2 == 0 }
        let levels = (0..<500).map { isHeard(Double($0) * Loudness.step) ? -20.0 : -60 }
        let lips = { (person: Int, second: Double) -> Double in
            let moves = person == 0 ? isHeard(second) : true
            return (moves ? 0.12 : 0.02) * (1 + 0.3 * noise.next())
        }
        let alone = try right(lips, truth: { _ in 0 })
        noise = Noise(state: 5)
        let heard = try right(lips, truth: { _ in 0 }, sound: Loudness(levels: levels))
        #expect(heard > 0.6 && heard > alone + 0.3, "\(heard) with sound, \(alone) without")
    }

    @Test func `no person counts as a speaker in silence`() throws {
        let levels = (0..<500).map { Double($0) * Loudness.step < 10 ? -20.0 - Double($0 % 3) : -70 }
        let share = try right(
            { person, _ in person == 0 ? 0.12 : 0.01 },
            truth: { $0 < 10 ? 0 : nil },
            sound: Loudness(levels: levels)
        )
        #expect(share > 0.9)
    }

    @Test(arguments: [
        ([Double](repeating: -70, count: 100), false), ([Double](repeating: -20, count: 100), false), ([], false),
        ((0..<100).map { $0 % 10 < 5 ? -20 : -50 }, true),
    ])
    func `a sound track without pauses does not help to detect speakers`(levels: [Double], isTelling: Bool) {
        #expect(Loudness(levels: levels).isTelling == isTelling)
    }

    @Test func `loudness is computed from the samples`() {
        let rate = 8000
        let loud = (0..<rate).map { Int16(16_384 * ($0 % 2 == 0 ? 1 : -1)) }
        let levels = Loudness(samples: loud + [Int16](repeating: 0, count: rate), rate: rate).levels
        #expect(levels.count == 50)
        #expect(levels.prefix(25).allSatisfy { abs($0 + 6.02) < 0.01 })
        #expect(levels.suffix(25).allSatisfy { $0 < -90 })
    }
}
