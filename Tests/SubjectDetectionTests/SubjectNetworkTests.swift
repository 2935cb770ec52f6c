import CFaceNet
import CHOGDetector
import FaceDetection
import Framing
import Geometry
import SubjectDetection
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct SubjectNetworkTests {
    @Test(arguments: [
        ((4000, 3000), (256, 192)), ((300, 400), (192, 256)), ((100, 100), (256, 256)), ((10_000, 100), (256, 3)),
        ((1, 500), (1, 256)), ((1, 1), (256, 256)),
    ])
    func `the input has the image's aspect ratio and a long side of 256 pixels`(image: (Int, Int), input: (Int, Int)) {
        let size = SubjectNetwork.inputSize(of: PixelSize(width: image.0, height: image.1))
        #expect(size == PixelSize(width: input.0, height: input.1))
    }

    @Test(arguments: [(1, 1), (256, 1), (3, 256), (33, 31), (256, 192), (256, 256)])
    func `for any aspect ratio objects are inside the image, the highest score first`(side: (Int, Int)) throws {
        let planes = DrawnPlanes(side.0, side.1)
        let size = PixelSize(width: side.0 * 10, height: side.1 * 7)
        let found = try planes.found(threshold: 0, in: size)
        #expect(found.count <= SubjectNetwork.maximumCount)
        #expect(found.map(\.score) == found.map(\.score).sorted(by: >))
        for one in found {
            #expect(one.box.x >= 0 && one.box.y >= 0 && one.box.width > 0 && one.box.height > 0)
            #expect(one.box.x + one.box.width <= Double(size.width) + 1e-6)
            #expect(one.box.y + one.box.height <= Double(size.height) + 1e-6)
            #expect(one.score >= 0 && one.score <= 1)
        }
    }

    @Test func `a higher threshold keeps the first of the same objects, and results are reproducible`() throws {
        let planes = DrawnPlanes(256, 192)
        let all = try planes.found(threshold: 0.01, in: planes.size)
        #expect(!all.isEmpty)
        #expect(try planes.found(threshold: 0.01, in: planes.size) == all)
        for threshold in [0.02, 0.05, 0.1, 0.3] {
            let found = try planes.found(threshold: threshold, in: planes.size)
            #expect(found == Array(all.prefix(found.count)))
            #expect(found.allSatisfy { $0.score >= threshold - 1e-6 })
            #expect(all.dropFirst(found.count).allSatisfy { $0.score < threshold + 1e-6 })
        }
    }

    @Test func `the memory of an instance does not depend on earlier inputs`() throws {
        let network = try SubjectNetwork()
        let sizes = [(256, 192), (1, 1), (100, 256), (256, 256), (256, 192)]
        let planes = sizes.map { DrawnPlanes($0.0, $0.1) }
        let alone = try planes.map { try $0.found(threshold: 0.01, in: $0.size) }
        let together = try planes.map { try $0.found(with: network, threshold: 0.01, in: $0.size) }
        #expect(alone == together)
    }

    @Test func `the working memory is known in advance, and is nil for invalid sizes`() {
        let sizes = [(1, 1), (256, 64), (256, 192), (256, 256)]
        let bytes = sizes.map { SubjectNetwork.memory(for: PixelSize(width: $0.0, height: $0.1)) }
        #expect(bytes == bytes.sorted() && bytes[0] > 0)
        #expect(bytes[3] < 3 << 20)
        for size in [(0, 1), (1, 0), (-1, 5), (513, 1), (1, Int.max)] {
            #expect(SubjectNetwork.memory(for: PixelSize(width: size.0, height: size.1)) == 0)
        }
    }

    @Test func `invalid planes, sides and thresholds are rejected`()
        throws
    {
        let network = try SubjectNetwork()
        let (one, other, long) = (DrawnPlanes(40, 30), DrawnPlanes(40, 31), DrawnPlanes(513, 1))
        one.withImages { red, _, blue in
            _ = other.withImages { _, green, _ in
                #expect(throws: DetectionError.invalidImage) {
                    try network.detect(red: red, green: green, blue: blue, threshold: 0.1, in: one.size)
                }
            }
            for threshold in [-0.1, 1.1, .nan, .infinity] {
                #expect(throws: DetectionError.self) {
                    try network.detect(red: red, green: red, blue: blue, threshold: threshold, in: one.size)
                }
            }
            #expect(throws: DetectionError.invalidImage) {
                let empty = PixelSize(width: 0, height: 3)
                return try network.detect(red: red, green: red, blue: blue, threshold: 0.1, in: empty)
            }
        }
        #expect(throws: DetectionError.invalidImage) { try long.found(threshold: 0.1, in: long.size) }
    }

    @Test func `the network has 80 classes, each with a unique name`() {
        #expect(SubjectClass.allCases.count == Int(HR_SUBJECTS_CLASSES))
        #expect(SubjectClass.allCases.first == .person && SubjectClass.allCases.last == .toothbrush)
        #expect(SubjectClass(rawValue: "traffic light") == .trafficLight)
    }
}

extension DrawnPlanes {
    func found(
        with network: SubjectNetwork? = nil,
        threshold: Double,
        in size: PixelSize
    ) throws -> [DetectedSubject] {
        let network = try network ?? SubjectNetwork()
        return try withImages { red, green, blue in
            try network.detect(red: red, green: green, blue: blue, threshold: threshold, in: size)
        }
    }
}
