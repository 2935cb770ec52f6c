import Framing
import Geometry
import TestPacing
import Testing

// The tests are serialized and yield, so that server tests are not delayed.
@Suite(.limitedConcurrency, .serialized) struct PlacementTests {
    /// A plain reference implementation of positions: the preferred start of a crop along the axis of the position.
    private struct Wish {
        let place: Placement
        let isAcross: Bool
        /// The preferred start of a crop of a given length.
        let start: (Double) -> Double

        init(_ place: Placement, _ layout: RandomLayout, kept frame: Frame) {
            let people = zip(layout.subjects, frame.kept).filter(\.1).map(\.0)
            let faces = layout.subjects.map(\.face).filter(frame.crop.contains)
            func room(_ subject: Subject, _ share: Double) -> Double {
                max(Double(layout.padding), share * Double(subject.head.height))
            }
            let left = people.map { Double($0.head.x) - room($0, 0.5) }.min() ?? 0
            let right = people.map { Double($0.head.maxX) + room($0, 0.5) }.max() ?? 0
            let top = people.map { Double($0.head.y) - room($0, 0.5) }.min() ?? 0
            let bottom = people.map { Double($0.head.maxY) + room($0, 1) }.max() ?? 0
            let middleX = Double((faces.map(\.x).min() ?? 0) + (faces.map(\.maxX).max() ?? 0)) / 2
            let middleY = Double((faces.map(\.y).min() ?? 0) + (faces.map(\.maxY).max() ?? 0)) / 2
            let areas = people.map { Double($0.face.area) }
            let eyes = zip(people, areas).reduce(0) { sum, person in
                sum + (person.0.eyes ?? Double(person.0.face.y) + 0.38 * Double(person.0.face.height)) * person.1
            }
            let eyeLine = eyes / areas.reduce(0, +)
            self.place = place
            isAcross = place == .left || place == .right
            switch place {
            case .left: start = { max(left, middleX - $0 / 2) }
            case .right: start = { min(right - $0, middleX - $0 / 2) }
            case .top: start = { max(top, middleY - $0 / 2) }
            case .bottom: start = { min(bottom - $0, middleY - $0 / 2) }
            case .thirds: start = { eyeLine - $0 / 3 }
            default: start = { middleY - $0 / 2 }
            }
        }

        func length(of size: PixelSize) -> Int { isAcross ? size.width : size.height }

        /// Whether the image is large enough for a crop of a given length at its preferred start.
        ///
        /// People at the left edge of the image are placed on the left regardless of the space next to them; the same
        /// applies to the other edges.
        func fits(_ size: PixelSize, length: Int) -> Bool {
            let start = start(Double(length))
            let fitsBefore = start >= 0 || place == .left || place == .top
            let fitsAfter =
                start + Double(length) <= Double(self.length(of: size)) || place == .right || place == .bottom
            return fitsBefore && fitsAfter
        }
    }

    @Test(arguments: RandomLayout.batches)
    func `every head is kept, and no allowed crop is nearer to the requested position, on random layouts`(
        seeds: Range<UInt64>
    ) async throws {
        let places = [Placement.thirds, .left, .right, .top, .bottom]
        for seed in seeds {
            if seed.isMultiple(of: 4) { await Task.yield() }
            let layout = RandomLayout(seed: seed)
            let place = places[Int(seed) % places.count]
            let centred = try layout.frame()
            let frame = try layout.frame(place)
            let crop = frame.crop
            let comment: Comment = "seed \(seed) \(place): \(layout) gave \(crop), centred \(centred.crop)"
            try #require(PixelRect(layout.size).contains(crop), comment)
            // The position does not remove people or their padding.
            let before = BruteForce.kept(by: centred.crop, layout.subjects, padding: layout.padding, in: layout.size)
            let after = BruteForce.kept(by: crop, layout.subjects, padding: layout.padding, in: layout.size)
            let isKept = zip(before.joined(), after.joined()).allSatisfy { !$0 || $1 }
            try #require(isKept, comment)
            guard centred.kept.contains(true) else {
                try #require(crop == centred.crop, comment)
                continue
            }
            guard layout.isExact else {
                func value(_ crop: PixelRect) -> Int {
                    BruteForce.score(crop, layout.subjects, padding: layout.padding, in: layout.size).value
                }
                // A smaller crop may have less tolerance, but a crop of equal size must have the same value.
                try #require(crop.size != centred.crop.size || value(crop) == value(centred.crop), comment)
                continue
            }
            guard layout.isEqualAnywhere(centred.crop) else { continue }
            // No position that keeps the same people is closer to the preferred position.
            let wish = Wish(place, layout, kept: centred)
            let length = wish.length(of: crop.size)
            let wanted = wish.start(Double(length))
            let held = zip(layout.subjects, before).flatMap { subject, kept in
                [subject.head, subject.face, Self.padded(subject, layout)].enumerated()
                    .filter { kept[$0.offset] }.map(\.element)
            }
            let distances = (0...(wish.length(of: layout.size) - length)).filter { start in
                held.allSatisfy {
                    wish.isAcross
                        ? $0.x >= start && $0.maxX <= start + length : $0.y >= start && $0.maxY <= start + length
                }
            }.map { abs(Double($0) - wanted) }
            let got = abs(Double(wish.isAcross ? crop.x : crop.y) - wanted)
            // Padding that does not fit is partly kept, which the reference does not model.
            let padsAll = zip(centred.kept, before).allSatisfy { !$0 || $1[2] }
            if padsAll { try #require(got <= (distances.min() ?? 0) + 0.51, comment) }
            // The crop is as large as the image allows, and at least two thirds of the widest crop.
            let widest = wish.length(of: centred.crop.size)
            try #require(3 * length >= 2 * widest - 3, comment)
            if length < widest - 1 { try #require(!wish.fits(layout.size, length: length + 2), comment) }
            // If a smaller crop would reach the preferred position, this crop is as small as the kept people allow.
            let minimum = (2 * widest + 2) / 3
            let smaller = minimum..<max(minimum, length - 1)
            if padsAll, !wish.fits(layout.size, length: length),
                smaller.contains(where: { wish.fits(layout.size, length: $0) })
            {
                let width = (held.map(\.maxX).max() ?? 0) - (held.map(\.x).min() ?? 0)
                let height = (held.map(\.maxY).max() ?? 0) - (held.map(\.y).min() ?? 0)
                try #require(crop.width <= width + 1 || crop.height <= height + 1, comment)
            }
        }
    }

    private static func padded(_ subject: Subject, _ layout: RandomLayout) -> PixelRect {
        PixelRect(
            x: subject.head.x - layout.padding,
            y: subject.head.y - layout.padding,
            width: subject.head.width + 2 * layout.padding,
            height: subject.head.height + 2 * layout.padding
        ).intersection(PixelRect(layout.size))
    }

    /// A head of 130×145 pixels (from 465 to 595 horizontally, 255 to 400 vertically) in the centre of a wide image.
    private static let person = face(480, 300, 100, 100)
    private static let wide = PixelSize(width: 1600, height: 900)

    @Test(arguments: [
        // The crop can move horizontally. The space next to the head is half its height, 72 pixels.
        (Placement.center, "1:1", 80, 0, 900), (.left, "1:1", 393, 0, 900), (.right, "1:1", 1, 17, 667),
        // The crop cannot move vertically: with the eyes at 338 and a third of the crop above them, it has at most 843
        // of 900 pixels.
        (.thirds, "1:1", 109, 57, 843),
        // The head starts at 255, so 182 pixels above it can be cut. The space below the chin at 400 is one head, but
        // the crop must reach at least 600.
        (.top, "1:1", 172, 183, 717), (.bottom, "1:1", 230, 0, 600),
    ])
    func `a single person is at the requested position`(
        place: Placement,
        aspect: String,
        x: Int,
        y: Int,
        side: Int
    ) throws {
        var request = FramingRequest()
        request.place = place
        let frame = try Framer.frame([Self.person], in: Self.wide, aspect: shape(aspect), request: request)
        #expect(frame.crop == PixelRect(x: x, y: y, width: side, height: side))
        #expect(frame.kept == [true])
    }

    @Test(arguments: [320.0, 350, 380])
    func `detected eyes are on the upper third`(eyes: Double) throws {
        var request = FramingRequest()
        request.place = .thirds
        var person = Self.person
        person.eyes = eyes
        let crop = try Framer.frame([person], in: Self.wide, aspect: shape("1:1"), request: request).crop
        #expect(abs(Double(crop.y) + Double(crop.height) / 3 - eyes) <= 1)
    }

    @Test func `a mirrored image has the mirrored crop`() throws {
        for seed in 0..<5000 as Range<UInt64> {
            let layout = RandomLayout(seed: seed, longestSide: 400)
            func mirrored(_ rect: PixelRect) -> PixelRect {
                PixelRect(x: layout.size.width - rect.maxX, y: rect.y, width: rect.width, height: rect.height)
            }
            // The image has only one person: of two equal options, the first option is chosen, and mirroring the image
            // exchanges the options.
            let person = layout.subjects[0]
            var other = person
            other.face = mirrored(person.face)
            other.head = mirrored(person.head)
            let pairs: [(Placement, Placement)] = [(.left, .right), (.top, .top), (.thirds, .thirds)]
            for (place, mirror) in pairs {
                let one = try Framer.frame(
                    [person],
                    in: layout.size,
                    aspect: layout.aspect,
                    request: layout.request(place)
                ).crop
                let two = try Framer.frame(
                    [other],
                    in: layout.size,
                    aspect: layout.aspect,
                    request: layout.request(mirror)
                ).crop
                try #require(one.size == two.size && one.y == two.y, "seed \(seed): \(layout)")
                try #require(abs(mirrored(one).x - two.x) <= 1, "seed \(seed): \(layout)")
            }
        }
    }

    @Test func `without people, or without a whole head, the position has no effect`() throws {
        for place in Placement.plain {
            var request = FramingRequest()
            request.place = place
            let withoutPeople = try Framer.frame([], in: Self.wide, aspect: AspectRatio(1, 1), request: request)
            #expect(withoutPeople.crop == PixelRect(x: 350, y: 0, width: 900, height: 900))
            let large = try Framer.frame(
                [face(100, 300, 500, 500)],
                in: PixelSize(width: 700, height: 1000),
                aspect: AspectRatio(7, 2),
                request: request
            )
            #expect(large.crop == PixelRect(x: 0, y: 465, width: 700, height: 200))
        }
    }

    @Test func `thirds use the eyes of a group, with more weight for larger faces`() throws {
        var request = FramingRequest()
        request.place = .thirds
        let size = PixelSize(width: 900, height: 2000)
        // Eyes at 800 + 76 and 1000 + 38, weighted four to one: 908.
        let people = [face(100, 800, 200, 200), face(400, 1000, 100, 100)]
        let frame = try Framer.frame(people, in: size, aspect: AspectRatio(1, 1), request: request)
        #expect(frame.crop == PixelRect(x: 0, y: 608, width: 900, height: 900))
    }
}
