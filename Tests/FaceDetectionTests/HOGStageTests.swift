import CHOGDetector
import FaceDetection
import Geometry
import TestPacing
import Testing

@Suite("Stages of the fast detector", .limitedConcurrency)
struct HOGStageTests {
    @Test(arguments: instructionCodes, [(64, 64), (65, 3), (2, 2), (100, 71), (323, 90), (1011, 40)])
    func `a level of the pyramid equals the reference exactly`(code: UInt32, size: (Int, Int)) {
        let image = LumaTestImage(noiseOfWidth: size.0, height: size.1, seed: 5)
        var out = [UInt8](repeating: 0, count: (5 * size.0 / 6) * (5 * size.1 / 6))
        let status = hr_hog_shrink(hr_hog_instructions(code), image.bytes, size.0, size.1, size.0, &out)
        #expect(status == HR_HOG_OK)
        #expect(out == Reference.shrink(image))
    }

    @Test(arguments: instructionCodes, [(24, 24), (27, 29), (28, 28), (100, 83), (331, 60), (40, 280), (60, 531)])
    func `features equal the reference`(code: UInt32, size: (Int, Int)) {
        let image = LumaTestImage(noiseOfWidth: size.0, height: size.1, seed: 9)
        let (columns, rows) = (Int(hr_hog_feature_cells(size.0)), Int(hr_hog_feature_cells(size.1)))
        var out = [Float](repeating: -1, count: columns * rows * 32)
        let status = hr_hog_features(hr_hog_instructions(code), image.bytes, size.0, size.1, size.0, &out)
        #expect(status == HR_HOG_OK)

        let expected = Reference.features(image)
        #expect(expected.count == out.count)
        let error = zip(out, expected).map { abs($0 - $1) }.max()
        #expect(error ?? 1 < 1e-5)

        var plain = [Float](repeating: -1, count: out.count)
        _ = hr_hog_features(HR_HOG_PLAIN, image.bytes, size.0, size.1, size.0, &plain)
        #expect(out == plain)
    }

    @Test(arguments: 0..<5 as Range<UInt64>)
    func `gradients of all directions and lengths equal the reference`(seed: UInt64) {
        var random = Generator(state: seed)
        var image = LumaTestImage(width: 220, height: 200)
        for i in image.bytes.indices { image.bytes[i] = .random(in: 0...255, using: &random) }
        let expected = Reference.features(image)
        for code in instructionCodes {
            var out = [Float](repeating: -1, count: expected.count)
            _ = hr_hog_features(hr_hog_instructions(code), image.bytes, 220, 200, 220, &out)
            let error = zip(out, expected).map { abs($0 - $1) }.max()
            #expect(error ?? 1 < 1e-5)
        }
    }

    @Test func `the number of cells per side equals dlib's`() {
        let sides = [1, 19, 20, 27, 28, 80, 83, 84]
        #expect(sides.map { hr_hog_feature_cells($0) } == [-2, 0, 1, 1, 2, 8, 8, 9])
    }
}

/// The codes of the instruction sets that this machine supports.
private let instructionCodes = (0..<UInt32(HR_HOG_INSTRUCTIONS)).filter {
    hr_hog_supports(hr_hog_instructions($0)) != 0
}
