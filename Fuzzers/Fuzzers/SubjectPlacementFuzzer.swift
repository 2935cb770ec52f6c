import Framing
import Geometry

extension Fuzzer {
    /// Objects with arbitrary numbers, as from a faulty or hostile network, in images of any size.
    ///
    /// Invariants: each crop has the requested size, is inside the image, and does not depend on objects that must be
    /// ignored.
    static let subjectPlacement = Fuzzer(name: "subject-placement", maxLength: 4096) {
        let numbers: [Double] = [.nan, .infinity, -.infinity, -1, 0, 0.3, 1, 100, 1e18, .greatestFiniteMagnitude]
        return numbers.map { number in
            var seed: [UInt8] = [0x40, 200, 0x40, 100, 1, 0, 0]
            for kind: UInt8 in 0..<80 {
                seed.append(kind)
                for value in [10, number, 50, 60, 0.9] {
                    seed += withUnsafeBytes(of: value.bitPattern.bigEndian) { Array($0) }
                }
            }
            return seed
        }
    } run: { input in
        var numbers = FuzzedNumbers(input)
        func side() -> Int { 1 + (numbers.number() & ((1 << 24) - 1)) }
        let size = PixelSize(width: side(), height: side())
        let options = numbers.byte()
        func part(_ side: Int) -> Range<Int> {
            let length = 1 + (numbers.number() & Int.max) % side
            let start = side == length ? 0 : (numbers.number() & Int.max) % (side - length + 1)
            return start..<(start + length)
        }
        let (columns, rows) = (part(size.width), part(size.height))
        let near = PixelRect(x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
        func any() -> Double {
            var bits: UInt64 = 0
            for _ in 0..<8 { bits = bits << 8 | UInt64(numbers.byte()) }
            return Double(bitPattern: bits)
        }
        let objects = (0..<input.count / 41).map { _ in
            let kind = SubjectClass.allCases[Int(numbers.byte()) % SubjectClass.allCases.count]
            let box = FractionalRect(x: any(), y: any(), width: any(), height: any())
            return DetectedSubject(kind, box: box, score: any())
        }
        let factors =
            options & 1 == 0 ? nil : Dictionary(uniqueKeysWithValues: [(SubjectClass.dog, any()), (.cat, any())])
        let placement = SubjectPlacement(objects, in: size, factors: factors)
        for subject in placement.subjects {
            precondition(subject.box.area > 0 && PixelRect(size).contains(subject.box))
            precondition(subject.head.map { $0.area > 0 && PixelRect(size).contains($0) } ?? true)
        }
        let crop = placement.crop(near: near, in: PixelRect(size))
        precondition(crop.size == near.size && PixelRect(size).contains(crop))
        precondition(!placement.isEmpty || crop == near)
        let empty = DetectedSubject(.dog, box: FractionalRect(x: .nan, y: 0, width: 1, height: 1), score: 1)
        precondition(
            SubjectPlacement(objects + [empty], in: size, factors: factors).crop(near: near, in: PixelRect(size))
                == crop
        )
    }
}
