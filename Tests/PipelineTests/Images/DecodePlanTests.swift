import Framing
import Geometry
import Imaging
import Pipeline
import SubjectDetection
import TestPacing
import TestImages
import Testing

@Suite(.limitedConcurrency) struct DecodePlanTests {
    private static let size = PixelSize(width: 4000, height: 2000)
    private static let jpeg = Result {
        try ImageHeader.read(try DrawnImage(width: size.width, height: size.height).jpeg(quality: 50))
    }
    private static let png = Result { try ImageHeader.read(try DrawnImage(width: 1000, height: 500).png()) }

    private func plan(
        _ response: FrameJob.Target,
        header: ImageHeader,
        _ change: (inout FrameJob) -> Void = { _ in }
    ) -> DecodePlan {
        var job = FrameJob(source: [], target: response)
        change(&job)
        return DecodePlan(job: job, header: header, needs: PyramidNeeds(smallestDetectableSide: 80))
    }

    @Test(arguments: [
        (nil, 8), (4000, 8), (1400, 8), (1330, 4), (680, 4), (660, 2), (340, 2), (330, 1), (10, 1),
    ])
    func `without faces, an image is decoded at the smallest scale that suffices for the output`(
        width: Int?,
        eighths: Int
    ) throws {
        let plan = plan(.image(ImageOutput()), header: try Self.jpeg.get()) {
            $0.options.framing.gravity = .center
            $0.options.resultSize.width = width
        }
        #expect(plan.firstScale == DecodeScale(eighths: eighths))
    }

    @Test(arguments: [(Accuracy.high, 4), (.low, 2)])
    func `for a plan, an image is decoded only as large as the first detection pass needs`(
        accuracy: Accuracy,
        eighths: Int
    ) throws {
        let plan = plan(.plan, header: try Self.jpeg.get()) { $0.options.accuracy = accuracy }
        #expect(plan.firstScale == DecodeScale(eighths: eighths))
    }

    @Test(arguments: [100, 600, 4000])
    func `attention is computed from the pixels of the first pass for every output size`(
        width: Int
    ) throws {
        let header = try Self.jpeg.get()
        let withFaces = plan(.image(ImageOutput()), header: header) {
            $0.options.accuracy = .low
            $0.options.resultSize.width = width
        }
        let without = plan(.image(ImageOutput()), header: header) {
            $0.options.framing.gravity = .attention
            $0.options.resultSize.width = width
        }
        #expect(withFaces.attentionScale == DecodeScale(eighths: 2))
        #expect(without.attentionScale == DecodeScale(eighths: 1))
    }

    @Test func `the scale meets the requirements of both detector and output`() throws {
        let header = try Self.jpeg.get()
        let forDetector = plan(.image(ImageOutput()), header: header) {
            $0.options.accuracy = .low
            $0.options.resultSize.width = 100
        }
        let forResult = plan(.image(ImageOutput()), header: header) {
            $0.options.accuracy = .low
            $0.options.resultSize.width = 1300
        }
        #expect(forDetector.firstScale == DecodeScale(eighths: 2))
        #expect(forResult.firstScale == DecodeScale(eighths: 4))
    }

    @Test func `a crop that is narrower than the image needs a larger scale`() throws {
        let plan = plan(.image(ImageOutput()), header: try Self.jpeg.get()) {
            $0.options.framing.gravity = .center
            $0.options.aspects = [AspectRatio(1, 1)]
            $0.options.resultSize.width = 600
        }
        #expect(plan.firstScale == DecodeScale(eighths: 4))
    }

    @Test func `a PNG is always decoded at full scale`() throws {
        let plan = plan(.image(ImageOutput()), header: try Self.png.get()) {
            $0.options.framing.gravity = .center
            $0.options.resultSize.width = 10
        }
        #expect(plan.firstScale == .full)
    }

    @Test func `the memory estimate grows with the output size`() throws {
        let header = try Self.jpeg.get()
        func bytes(_ response: FrameJob.Target, _ change: (inout FrameJob) -> Void) -> Int {
            plan(response, header: header, change).bytesNeeded
        }
        let image = FrameJob.Target.image(ImageOutput())
        let small = bytes(image) {
            $0.options.framing.gravity = .center
            $0.options.resultSize.width = 100
        }
        let withFaces = bytes(image) {
            $0.options.accuracy = .low
            $0.options.resultSize.width = 100
        }
        let zoomed = bytes(image) {
            $0.options.accuracy = .low
            $0.options.resultSize.width = 100
            $0.options.framing.zoom = 0.1
        }
        let whole = bytes(image) { $0.options.framing.gravity = .center }
        #expect(small < withFaces)
        #expect(withFaces < zoomed)
        #expect(small < whole)
        #expect(zoomed >= header.decodedBytes(atScale: .full))
        #expect(whole >= header.decodedBytes(atScale: .full) + Self.size.area)
    }

    @Test func `the memory of a search includes both networks`() throws {
        let header = try Self.png.get()
        func bytes(_ gravity: Gravity, _ needs: any SearchNeeds, _ change: (inout FrameJob) -> Void = { _ in }) -> Int {
            var job = FrameJob(source: [], target: .image(ImageOutput()))
            job.options.framing.gravity = gravity
            job.options.framing.fallback = .center
            change(&job)
            return DecodePlan(job: job, header: header, needs: needs).bytesNeeded
        }
        let input = PixelSize(width: 256, height: 128)
        let subjects = SubjectNetwork.memory(for: input) + 6 * input.area
        let network = NetworkNeeds(smallestDetectableSide: 80)
        // The luma, the input of the face network, and the pass of the second opinion.
        let others = header.size.area + 640 * 320 * 6 + 960 * 480 * 10
        #expect(subjects > 500_000)
        #expect(abs(bytes(.faces, network) - bytes(.center, network) - others - subjects) < 50_000)
        // A small face needs a larger input. With accuracy=low, an uncertain face needs the usual input.
        let fine = bytes(.faces, network) { $0.options.smallestFace = 0.01 }
        #expect(fine - bytes(.faces, network) == (1920 * 960 - 640 * 320) * 6)
        #expect(bytes(.faces, network) { $0.options.accuracy = .low } == bytes(.faces, network))
    }

    @Test func `memory for the output includes the whole image if it is a possible fallback`() throws {
        let header = try Self.jpeg.get()
        func bytes(_ fallback: Fallback) -> Int {
            plan(.image(ImageOutput()), header: header) {
                $0.options.aspects = [AspectRatio(1, 100)]
                $0.options.framing.fallback = fallback
            }.bytesNeeded
        }
        #expect(bytes(.original) >= bytes(.top) + Self.size.area)
    }
}
