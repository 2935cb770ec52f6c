import Framing
import Geometry
import Testing

/// Attention weights of drawn scenes.
@Suite struct AttentionMapTests {
    @Test func `skin outweighs a grass-green patch of the same brightness`() {
        let scene = Scene(width: 120, height: 80)
            .ellipse(x: 30, y: 30, radius: 12, Scene.skin)
            .ellipse(x: 90, y: 30, radius: 12, Scene.grass)
        #expect(scene.map().held(0..<60) > 2 * scene.map().held(60..<120))
    }

    @Test(arguments: Scene.complexions)
    func `skin of every complexion has a high weight`(skin: Scene.Color) {
        let scene = Scene(width: 60, height: 60).ellipse(x: 30, y: 15, radius: 8, skin)
        // The inside of the patch has no detail, so its weight can come only from its colour.
        #expect(scene.map().weights[15 * 60 + 30] > 2 * scene.map().weights[15 * 60 + 10])
    }

    @Test(arguments: ExpectedSubject.allCases)
    func `a uniform image has the weights of the position prior`(expected: ExpectedSubject) {
        let weights = Scene(width: 64, height: 48).map(expecting: expected).weights
        #expect(weights.allSatisfy { $0 > 0 })
        let peak = weights.firstIndex(of: AttentionMap.maxWeight)
        #expect(peak == (expected == .people ? 0 : 23) * 64 + 31)
    }

    @Test func `a grey image has detail but no skin`() {
        let scene = Scene(width: 100, height: 60).ellipse(x: 75, y: 20, radius: 10, Scene.Color(240, 128, 128))
        let weights = scene.map().weights
        // Columns 25 and 74 are at the same distance from the centre, and neither has detail.
        #expect(abs(weights[20 * 100 + 74] - weights[20 * 100 + 25]) <= 1)
        #expect(scene.map().held(50..<100) > 2 * scene.map().held(0..<50))
    }

    @Test func `if no people are expected, detail outweighs skin, and the centre outweighs the top`() {
        let scene = Scene(width: 120, height: 80)
            .ellipse(x: 30, y: 10, radius: 8, Scene.skin)
            .painted { x, y in
                let isInside = 80..<100 ~= x && 24..<44 ~= y
                return isInside && (x / 2 + y / 2).isMultiple(of: 2) ? Scene.Color(250, 128, 128) : nil
            }
        let people = scene.map(expecting: .people)
        let things = scene.map(expecting: .things)
        #expect(people.held(0..<60) > people.held(60..<120))
        #expect(things.held(60..<120) > 2 * things.held(0..<60))
    }

    @Test func `objects differ from the background, and the background reaches the border`() {
        let scene = Scene(width: 120, height: 80).painted { x, y in
            let isThing = 20..<50 ~= x && 20..<60 ~= y
            let isBackground = 70..<100 ~= x && y >= 20
            return (isThing || isBackground) && (x / 2).isMultiple(of: 2) ? Scene.Color(250, 128, 128) : nil
        }
        let people = scene.map(expecting: .people)
        #expect(3 * people.held(60..<120) > 2 * people.held(0..<60))
        let things = scene.map(expecting: .things)
        #expect(things.held(0..<60) > 2 * things.held(60..<120))
    }

    @Test func `the upper of two equal patches has more weight`() {
        let scene = Scene(width: 60, height: 120)
            .ellipse(x: 30, y: 30, radius: 10, Scene.skin)
            .ellipse(x: 30, y: 90, radius: 10, Scene.skin)
        let rows = scene.map().profile.rows
        #expect(rows[..<60].reduce(0, +) > 2 * rows[60...].reduce(0, +))
    }

    @Test func `detail counts at every position, and skin without detail does not count as detail`() {
        let scene = Scene(width: 120, height: 120)
            .ellipse(x: 30, y: 100, radius: 10, Scene.Color(240, 128, 128))
            .ellipse(x: 90, y: 20, radius: 10, Scene.Color(128, 104, 152))
        let profile = scene.map().profile
        #expect(profile.detailColumns[..<60].reduce(0, +) > 0)
        #expect(profile.detailColumns[60...].allSatisfy { $0 == 0 })
        #expect(profile.detailRows[60...].reduce(0, +) == profile.detailColumns.reduce(0, +))
        #expect(scene.map(expecting: .things).profile.detailColumns == profile.detailColumns)
    }

    @Test(arguments: [(1, 1), (1, 9), (9, 1), (2, 2), (3, 3)])
    func `the smallest images yield a map`(width: Int, height: Int) {
        let map = Scene(width: width, height: height).map()
        #expect(map.weights.count == width * height)
        #expect(map.profile.columns.count == width)
        #expect(map.profile.rows.count == height)
    }

    @Test func `columns and rows have the same sums`() {
        let profile = Scene(width: 33, height: 21).ellipse(x: 10, y: 8, radius: 5, Scene.skin).map().profile
        #expect(profile.columns.reduce(0, +) == profile.rows.reduce(0, +))
    }

    @Test func `a chessboard with maximum contrast stays within the bounds`() {
        let scene = Scene(width: 128, height: 128).painted { x, y in
            (x / 2 + y / 2).isMultiple(of: 2) ? Scene.Color(255, 102, 153) : Scene.Color(0, 102, 153)
        }
        for expected in ExpectedSubject.allCases {
            let weights = scene.map(expecting: expected).weights
            #expect(weights.allSatisfy { (0...AttentionMap.maxWeight).contains($0) })
            #expect(weights.max() == AttentionMap.maxWeight)
        }
    }

    @Test(arguments: [
        (PixelSize(width: 4000, height: 3000), PixelSize(width: 148, height: 110)),
        (PixelSize(width: 100, height: 80), PixelSize(width: 100, height: 80)),
        (PixelSize(width: 1, height: 1_000_000), PixelSize(width: 1, height: 1000)),
        (PixelSize(width: 1_000_000, height: 1), PixelSize(width: 16384, height: 1)),
        (PixelSize(width: 1, height: 1), PixelSize(width: 1, height: 1)),
    ])
    func `analysed images are small and keep the aspect ratio`(image: PixelSize, size: PixelSize) {
        let working = AttentionImage.workingSize(for: image)
        #expect(working.area <= AttentionImage.maxPixels)
        if image.shortSide > 1 { #expect(working == size) }
        #expect(working.shortSide >= 1)
    }
}

extension AttentionMap {
    /// The weight in a range of columns.
    fileprivate func held(_ columns: Range<Int>) -> Int { profile.columns[columns].reduce(0, +) }
}
