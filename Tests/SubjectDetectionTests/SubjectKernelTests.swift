import CFaceNet
import CHOGDetector
import FaceDetection
import Geometry
import TestPacing
import Testing

/// The kernels of all instruction sets; scripts/check-facenet compares them on many more images.
@Suite(.limitedConcurrency) struct SubjectKernelTests {
    private static let sets = (0..<UInt32(HR_HOG_INSTRUCTIONS)).map { hr_hog_instructions(rawValue: $0) }
        .filter { hr_hog_supports($0) != 0 }

    private static func weights() -> [UInt8] {
        var count = 0
        let bytes = hr_subjects_weights(&count)
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    @Test(arguments: [(256, 192), (192, 256), (77, 40), (1, 200), (256, 2)])
    func `all instruction sets yield the same bits as the plain kernels`(side: (Int, Int)) throws {
        let planes = DrawnPlanes(side.0, side.1)
        let expected = try Self.found(in: planes, HR_HOG_PLAIN)
        #expect(!expected.isEmpty)
        for set in Self.sets { #expect(try Self.found(in: planes, set) == expected, "\(set)") }
    }

    @Test func `a drawn pattern yields the same bits as on every other machine`() throws {
        let found = try Self.found(in: DrawnPlanes(256, 192), hr_hog_best_instructions())
        let digest = found.reduce(UInt64(14_695_981_039_346_656_037)) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
        #expect(digest == Self.expected, "\(digest)")
    }

    /// This digest changes only with the weights.
    private static let expected: UInt64 = 9_876_506_464_191_624_175

    @Test func `damaged weights are rejected`() {
        let weights = Self.weights()
        #expect(Self.status(weights) == HR_NET_OK)
        #expect(Self.status([]) == HR_NET_INVALID_WEIGHTS)
        for count in [0, 1, 7, 8, 9, 500, weights.count / 2, weights.count - 1] {
            #expect(Self.status(Array(weights.prefix(count))) == HR_NET_INVALID_WEIGHTS)
        }
        #expect(Self.status(weights + [0]) == HR_NET_INVALID_WEIGHTS)
        // The magic number, the version, and the first layer's inputs, outputs and shift.
        for (place, value) in [(0, 0), (4, 2), (8, 26), (10, 25), (12, 25), (15, 255)] as [(Int, UInt8)] {
            var changed = weights
            changed[place] = value
            #expect(Self.status(changed) == HR_NET_INVALID_WEIGHTS, "byte \(place)")
        }
        // Two weights whose products would exceed 16 bits.
        var large = weights
        (large[16], large[17]) = (127, 127)
        #expect(Self.status(large) == HR_NET_INVALID_WEIGHTS)
    }

    private static func status(_ weights: [UInt8]) -> hr_net_status {
        var model: OpaquePointer?
        defer { hr_subjects_model_free(model) }
        return weights.withUnsafeBufferPointer { bytes in
            var none: UInt8 = 0
            return withUnsafePointer(to: &none) { empty in
                hr_subjects_model_make(bytes.baseAddress ?? empty, bytes.count, hr_hog_best_instructions(), &model)
            }
        }
    }

    /// The bytes of the 100 best objects.
    private static func found(in planes: DrawnPlanes, _ set: hr_hog_instructions) throws -> [UInt8] {
        var count = 0
        let bytes = hr_subjects_weights(&count)
        var (model, detector): (OpaquePointer?, OpaquePointer?)
        defer {
            hr_subjects_free(detector)
            hr_subjects_model_free(model)
        }
        try #require(hr_subjects_model_make(bytes, count, set, &model) == HR_NET_OK)
        try #require(hr_subjects_make(#require(model), &detector) == HR_NET_OK)
        let handle = try #require(detector)
        return try planes.withImages { red, green, blue in
            var image = hr_net_image(
                planes: (red.pixels, green.pixels, blue.pixels),
                bytes_per_row: (red.bytesPerRow, green.bytesPerRow, blue.bytesPerRow),
                width: planes.size.width,
                height: planes.size.height
            )
            var findings = hr_subject_findings()
            try #require(hr_subjects_detect(handle, &image, 0, 1, &findings) == HR_NET_OK)
            return Array(UnsafeRawBufferPointer(UnsafeBufferPointer(start: findings.subjects, count: findings.count)))
        }
    }
}
