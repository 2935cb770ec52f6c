import FaceDetection
import Geometry
import Imaging
import TestPacing
import Testing

/// scripts/check-facenet tests the network's arithmetic in C with all instruction sets.
///
/// These tests cover the API.
@Suite(.limitedConcurrency) struct FaceNetworkTests {
    @Test(arguments: [20, 40, 80, 160, 260])
    func `drawn faces are found from brow to chin, with eyes, nose and mouth`(side: Int) throws {
        let source = LumaTestImage(faceOfSide: side)
        let faces = try source.withLuma { image in
            try FaceNetwork().detect(red: image, green: image, blue: image, threshold: 0)
        }
        let face = try #require(faces.first)
        #expect(faces.count == 1 && face.finder == .network && face.pose == nil)
        let margin = side / 2
        let drawn = PixelRect(x: margin, y: margin, width: side, height: side)
        #expect(face.box.overlap(with: drawn) > 0.5, "\(face.box)")
        let points = try #require(face.landmarks).points
        let expected = [(0.3, 0.28), (0.7, 0.28), (0.5, 0.545), (0.3, 0.77), (0.7, 0.77)]
        for (point, place) in zip(points, expected) {
            #expect(abs(point.x - Double(margin) - place.0 * Double(side)) < 0.15 * Double(side))
            #expect(abs(point.y - Double(margin) - place.1 * Double(side)) < 0.15 * Double(side))
        }
    }

    @Test func `a lower threshold finds at least as many faces, and results are reproducible`() throws {
        let source = LumaTestImage(faceOfSide: 60)
        let network = try FaceNetwork()
        try source.withLuma { image in
            let counts = try [-1.9, -0.9, -0.3, 0, 1].map { threshold in
                try network.detect(red: image, green: image, blue: image, threshold: threshold).count
            }
            #expect(counts == counts.sorted(by: >))
            let first = try network.detect(red: image, green: image, blue: image, threshold: -0.9)
            #expect(try network.detect(red: image, green: image, blue: image, threshold: -0.9) == first)
            #expect(try FaceNetwork().detect(red: image, green: image, blue: image, threshold: -0.9) == first)
            #expect(first.allSatisfy { $0.confidence >= FaceNetwork.minSuspicion })
        }
    }

    @Test func `images with inconsistent sizes are rejected`() throws {
        let network = try FaceNetwork()
        let (one, other) = (LumaTestImage(faceOfSide: 40), LumaTestImage(faceOfSide: 41))
        try one.withLuma { image in
            try other.withLuma { larger in
                #expect(throws: DetectionError.invalidImage) {
                    try network.detect(red: image, green: larger, blue: image, threshold: 0)
                }
                #expect(throws: DetectionError.invalidThreshold(-3)) {
                    try network.detect(red: image, green: image, blue: image, threshold: -3)
                }
                #expect(throws: DetectionError.self) {
                    try network.detect(red: image, green: image, blue: image, threshold: .nan)
                }
            }
        }
    }

    @Test(arguments: [
        ((4000, 3000), (640, 480)), ((300, 400), (480, 640)), ((100, 100), (400, 400)), ((6000, 1000), (1920, 320)),
        ((50_000, 10), (4096, 1)), ((1, 1), (4, 4)),
    ])
    func `the input has a long side of 640 pixels and a short side of at least half of that`(
        image: (Int, Int),
        input: (Int, Int)
    ) {
        let size = FaceNetwork.inputSize(of: PixelSize(width: image.0, height: image.1))
        #expect(size == PixelSize(width: input.0, height: input.1))
    }

    @Test func `the default detector is the network, with HOG as the second opinion`() throws {
        let both = try #require(try FaceDetectorModel.standard.makeDetector() as? NetworkDetector)
        #expect(both.name == "yunet+dlib-hog" && both.hasSecondOpinion && both.smallestDetectableSide == 80)
        let alone = try #require(try FaceDetectorModel.network.makeDetector() as? NetworkDetector)
        #expect(alone.name == "yunet" && !alone.hasSecondOpinion && alone.smallestDetectableSide == 20)
        let hog = try FaceDetectorModel.hog.makeDetector()
        #expect(!(hog is NetworkDetector) && hog.name == "dlib-hog")
    }
}
