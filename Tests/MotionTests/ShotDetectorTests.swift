import Motion
import Testing

@Suite struct ShotDetectorTests {
    /// A scene of coloured patches, moved to the right, mixed with another scene, or with added light.
    private func thumbnail(
        _ scene: Int,
        moved: Int = 0,
        with other: Int? = nil,
        share: Double = 0,
        light: Int = 0
    )
        -> Thumbnail
    {
        func sample(_ scene: Int, _ plane: Int, _ x: Int, _ y: Int) -> Int {
            let (column, row) = ((x + 400 - moved) / 4, y / 3)
            return (column &* 73 &+ row &* 151 &+ plane &* 37 &+ scene &* 101 &+ column &* row &* scene) % 200 + 20
        }
        var samples: [UInt8] = []
        for plane in 0..<3 {
            for y in 0..<Thumbnail.height {
                for x in 0..<Thumbnail.width {
                    let here = Double(sample(scene, plane, x, y))
                    let mixed = other.map { here + share * (Double(sample($0, plane, x, y)) - here) } ?? here
                    samples.append(UInt8(min(255, max(0, Int(mixed) + (plane == 0 ? light : 0)))))
                }
            }
        }
        return Thumbnail(samples)
    }

    private func starts(_ thumbnails: [Thumbnail], fps: Double = 25) -> [Int] {
        var detector = ShotDetector(fps: fps)
        var starts: [Int] = []
        for thumbnail in thumbnails {
            detector.add(thumbnail)
            starts += detector.starts()
        }
        return starts + detector.starts(isLast: true)
    }

    @Test func `each cut is found at its frame`() {
        let scenes = (0..<120).map { thumbnail($0 / 30 + 1) }
        #expect(starts(scenes) == [0, 30, 60, 90])
    }

    @Test func `a cut near the beginning or the end is found`() {
        #expect(starts((0..<40).map { thumbnail($0 < 2 ? 1 : 2) }) == [0, 2])
        #expect(starts((0..<40).map { thumbnail($0 < 38 ? 1 : 2) }) == [0, 38])
    }

    @Test(arguments: 1...3) func `a flash is not a cut`(length: Int) {
        let frames = (0..<60).map { thumbnail(1, light: (20..<20 + length).contains($0) ? 235 : 0) }
        #expect(starts(frames) == [0])
    }

    @Test(arguments: [1, 2, 3]) func `a panning camera does not cause a cut`(speed: Int) {
        #expect(starts((0..<80).map { thumbnail(1, moved: $0 * speed) }) == [0])
    }

    @Test func `a dissolve starts one shot, in the middle of the dissolve`() {
        let frames = (0..<80).map { frame in
            thumbnail(1, with: 2, share: min(1, max(0, Double(frame - 30) / 12)))
        }
        let found = starts(frames)
        #expect(found.count == 2)
        #expect(found.last.map { (34...38).contains($0) } ?? false)
    }

    @Test func `a fade from black does not start a shot`() {
        let frames = (0..<60).map { frame -> Thumbnail in
            let share = min(1, Double(frame) / 12)
            let plane = Thumbnail.count / 3
            let black = [UInt8](repeating: 16, count: plane) + [UInt8](repeating: 128, count: 2 * plane)
            return Thumbnail(black).mixed(with: thumbnail(1), share)
        }
        #expect(starts(frames) == [0])
    }

    @Test func `frames are classified after a limited delay`() {
        var detector = ShotDetector(fps: 25, maxDelay: 3)
        #expect(detector.delay == 3)
        var found: [Int: Int] = [:]
        for frame in 0..<60 {
            detector.add(thumbnail(frame < 30 ? 1 : 2))
            for start in detector.starts() { found[start] = frame }
        }
        #expect(found == [0: 3, 30: 33])
    }
}

extension Thumbnail {
    fileprivate func mixed(with other: Thumbnail, _ share: Double) -> Thumbnail {
        Thumbnail(zip(samples, other.samples).map { UInt8(Double($0) + share * (Double($1) - Double($0))) })
    }
}
