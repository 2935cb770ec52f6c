import Framing
import Geometry
import Glibc

/// A plain reference implementation of the framing rules.
///
/// It tries every pixel position: slow, but obviously correct.
enum BruteForce {
    struct Score: Comparable {
        /// The unit is a millionth, so that sums of the same fractions in a different order are equal.
        var value: Int
        var area: Int
        var padded: Int

        static func < (left: Score, right: Score) -> Bool {
            if left.value != right.value { return left.value < right.value }
            if left.area != right.area { return left.area < right.area }
            return left.padded < right.padded
        }
    }

    /// For each subject, whether the crop contains its head, its face, and its head with padding.
    static func kept(by crop: PixelRect, _ subjects: [Subject], padding: Int, in size: PixelSize) -> [[Bool]] {
        subjects.map { subject in
            let left = max(0, subject.head.x - padding)
            let top = max(0, subject.head.y - padding)
            let padded = PixelRect(
                x: left,
                y: top,
                width: min(size.width, subject.head.maxX + padding) - left,
                height: min(size.height, subject.head.maxY + padding) - top
            )
            return [crop.contains(subject.head), crop.contains(subject.face), crop.contains(padded)]
        }
    }

    static func score(_ crop: PixelRect, _ subjects: [Subject], padding: Int, in size: PixelSize) -> Score {
        let kept = kept(by: crop, subjects, padding: padding, in: size)
        let value = zip(subjects, weights(subjects, in: size)).reduce(0.0) { sum, person in
            let (subject, weight) = person
            let worth =
                10 * share(of: subject.face, tolerance: subject.tolerance, in: crop, of: size)
                + 9 * share(of: subject.head, tolerance: subject.tolerance, in: crop, of: size)
            return sum + worth * weight.kept - 3 * weight.halved * halving(of: subject.face, in: crop, of: size)
        }
        return Score(
            value: Int((value * 1e6).rounded()),
            area: zip(kept, subjects).reduce(0) { $0 + ($1.0[0] ? $1.1.head.area : 0) },
            padded: kept.count { $0[2] }
        )
    }

    /// The weight of each person, and the weight of halving each face.
    private static func weights(_ subjects: [Subject], in size: PixelSize) -> [(kept: Double, halved: Double)] {
        let best = subjects.map { Double($0.score ?? 600) }.max() ?? 0
        let minimum = min(best, 0.6 * min(best, 600))
        let faces = subjects.map { subject in
            let (face, score) = (subject.face, subject.score.map(Double.init) ?? 600)
            let isCut = face.x == 0 || face.y == 0 || face.maxX == size.width || face.maxY == size.height
            let isCertain = score >= minimum
            let certainty = isCertain ? 1 : minimum > 0 ? max(0, score / minimum) : 0
            return (
                side: Double(face.area).squareRoot(), cut: isCut ? 0.5 : 1, isCertain: isCertain,
                certainty: certainty, factor: 0.5 + 0.5 * certainty
            )
        }
        let isAnyWhole = faces.contains { $0.isCertain && $0.cut == 1 }
        let cuts = faces.map { isAnyWhole ? $0.cut : 1 }
        let largest = zip(faces, cuts).filter(\.0.isCertain).map { $0.side * $1 }.max() ?? 1
        let weights = subjects.indices.map { index in
            let (subject, face) = (subjects[index], faces[index])
            let share = min(1, face.side / largest)
            let small = pow(min(1, share / 0.5), 2)
            let kept = Double(subject.reliability) * pow(share, 1 / 8) * small * cuts[index] * face.factor
            return (
                kept: kept, halved: Double(subject.reliability) * share * face.factor, isSmall: share < 0.75,
                certainty: face.certainty
            )
        }
        let crowd = weights.filter(\.isSmall)
        let sum = crowd.reduce(0) { $0 + $1.kept }
        let factor = crowd.reduce(0) { $0 + $1.certainty } >= 20 && sum > 3000 ? 3000 / sum : 1
        return weights.map { ($0.kept * ($0.isSmall ? factor : 1), $0.halved * ($0.isSmall ? factor : 1)) }
    }

    /// The halving of a face by a crop, from 0 to 1: 0 if at most 8 % of the face's rows or columns are visible or
    /// hidden, and 1 from 13 %.
    private static func halving(of face: PixelRect, in crop: PixelRect, of size: PixelSize) -> Double {
        let slidesDown = crop.height < size.height
        let (lines, visible) = slidesDown ? (face.rows, crop.rows) : (face.columns, crop.columns)
        guard lines.count <= visible.count else { return 0 }
        let shown = lines.count(where: visible.contains)
        let sliver = Int((0.08 * Double(lines.count)).rounded())
        let slope = max(1, Int((0.05 * Double(lines.count)).rounded()))
        return Double(min(max(0, min(shown, lines.count - shown) - sliver), slope)) / Double(slope)
    }

    /// The fraction of a rectangle's possible true sizes that the crop contains.
    private static func share(of rect: PixelRect, tolerance: Int, in crop: PixelRect, of size: PixelSize) -> Double {
        let sizes = -tolerance...tolerance
        let held = sizes.count { more in
            (crop.x == 0 || rect.x - more >= crop.x) && (crop.y == 0 || rect.y - more >= crop.y)
                && (crop.maxX == size.width || rect.maxX + more <= crop.maxX)
                && (crop.maxY == size.height || rect.maxY + more <= crop.maxY)
        }
        return Double(held) / Double(sizes.count)
    }

    static func positions(of crop: PixelSize, in size: PixelSize) -> [PixelRect] {
        (0...(size.height - crop.height)).flatMap { y in
            (0...(size.width - crop.width)).map { x in
                PixelRect(x: x, y: y, width: crop.width, height: crop.height)
            }
        }
    }

    /// The distance between the centres of the kept faces and of the crop, in half pixels.
    static func offCentre(_ crop: PixelRect, _ subjects: [Subject]) -> Int {
        let kept = subjects.map(\.face).filter(crop.contains)
        guard let left = kept.map(\.x).min(), let right = kept.map(\.maxX).max(),
            let top = kept.map(\.y).min(), let bottom = kept.map(\.maxY).max()
        else { return 0 }
        return abs(left + right - crop.x - crop.maxX) + abs(top + bottom - crop.y - crop.maxY)
    }
}

/// A seeded generator, so that a failing layout can be reproduced (SplitMix64, Steele and others 2014).
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// A random image with random people, some at the edges, some larger than any crop.
struct RandomLayout: CustomStringConvertible {
    let size: PixelSize
    let subjects: [Subject]
    let aspect: AspectRatio
    let padding: Int
    /// Whether the edges of faces and heads have no tolerance.
    let isExact: Bool

    /// The seeds of 100,000 layouts (20,000 in debug builds), in batches, so that other tests can run between two
    /// batches.
    static let batches: [Range<UInt64>] = {
        #if DEBUG
        let parts: UInt64 = 4
        #else
        let parts: UInt64 = 20
        #endif
        return (0..<parts).map { ($0 * 5000)..<(($0 + 1) * 5000) }
    }()

    /// A layout that depends only on its seed; with scores, some people may be uncertain.
    init(seed: UInt64, longestSide: Int = 90, isScored: Bool = false) {
        var random = SeededGenerator(seed: seed)
        let size = PixelSize(
            width: .random(in: 1...longestSide, using: &random),
            height: .random(in: 1...longestSide, using: &random)
        )
        let longestFace = Bool.random(using: &random) ? 12 : longestSide
        let isExact = Bool.random(using: &random)
        self.isExact = isExact
        subjects = (0..<Int.random(in: 1...7, using: &random)).map { _ in
            let face = PixelRect(
                x: .random(in: 0..<size.width, using: &random),
                y: .random(in: 0..<size.height, using: &random),
                width: .random(in: 1...longestFace, using: &random),
                height: .random(in: 1...longestFace, using: &random)
            ).intersection(PixelRect(size))
            var subject = Subject(
                face: face,
                head: HeadGrowth.ofTests.grown(face, in: size),
                reliability: Bool.random(using: &random) ? Subject.certain : .random(in: 1...1000, using: &random),
                tolerance: isExact ? 0 : .random(in: 0...6, using: &random)
            )
            if isScored { subject.score = .random(in: -100...1200, using: &random) }
            if Bool.random(using: &random) {
                subject.eyes = Double(face.y) + .random(in: 0...Double(face.height), using: &random)
            }
            return subject
        }
        self.size = size
        let shapes = ["16:9", "1:1", "9:16", "4:5", "3:1", "1.91:1", "0.7", "5", "1:8"]
        aspect = shape(shapes[Int.random(in: 0..<shapes.count, using: &random)]) ?? aspectOfSquare
        padding = .random(in: 0...6, using: &random)
    }

    /// The service's default request with the padding of this layout.
    func request(_ place: Placement = .center, zoom: Double = 0) -> FramingRequest {
        var request = FramingRequest()
        request.padding = .pixels(padding)
        request.place = place
        request.zoom = zoom
        return request
    }

    func frame(_ place: Placement = .center, zoom: Double = 0) throws -> Frame {
        try Framer.frame(subjects, in: size, aspect: aspect, request: request(place, zoom: zoom))
    }

    /// Whether all crops of the same size that keep the same people have the same value, so that no crop halves a face.
    func isEqualAnywhere(_ crop: PixelRect) -> Bool {
        let kept = BruteForce.kept(by: crop, subjects, padding: padding, in: size)
        let value = BruteForce.score(crop, subjects, padding: padding, in: size).value
        return BruteForce.positions(of: crop.size, in: size).allSatisfy { other in
            let same = BruteForce.kept(by: other, subjects, padding: padding, in: size)
            guard zip(kept.joined(), same.joined()).allSatisfy({ !$0 || $1 }) else { return true }
            return BruteForce.score(other, subjects, padding: padding, in: size).value == value
        }
    }

    var description: String { "\(size) \(aspect.text) padding \(padding) \(subjects)" }
}

// "1:1" is always valid; another test covers it.
private let aspectOfSquare = AspectRatio(1, 1).unsafelyUnwrapped

extension HeadGrowth {
    /// The growth of a face to a head, with rounding.
    static let ofTests = HeadGrowth(above: 0.45, below: 0, left: 0.15, right: 0.15)
}
