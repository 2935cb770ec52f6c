import CImageCodec
import CLinux
import Geometry
import Glibc
import Imaging
import TestPacing
import TestImages
import Testing

/// Planes reuse the memory of released planes.
@Suite(.limitedConcurrency) struct PlaneMemoryTests {
    private static let size = PixelSize(width: 640, height: 480)

    private func flat(_ value: UInt8) throws -> PlanarImage { try TestImage.gray(Self.size) { _, _ in value } }

    @Test func `memory that is reused for a new plane is cleared`() throws {
        // Images in other tests do not have this size. Another test may release the block between the two steps, so
        // this test tries again.
        let bytes = 1_234_560
        let isClear = try (0..<20).contains { _ in
            let memory = try #require(hr_memory_take(bytes))
            memset(memory, 0x5A, bytes)
            hr_memory_give(memory, bytes)
            let again = try #require(hr_memory_take(bytes))
            defer { hr_memory_give(again, bytes) }
            return UnsafeRawBufferPointer(start: again, count: bytes).allSatisfy { $0 == 0 }
        }
        #expect(isClear)
    }

    @Test func `a crop outlives the image it was cut from`() throws {
        let rect = PixelRect(x: 33, y: 17, width: 500, height: 401)
        var image: PlanarImage? = try TestImage.waves(Self.size)
        let expected = try Plane(rect.size) { image?.planes[0][x: 33 + $0, y: 17 + $1] ?? 0 }
        let crop = try Resampler.resample(
            try #require(image),
            region: FractionalRect(rect),
            to: rect.size,
            model: .gray
        )
        image = nil
        PlaneMemory.release()
        // These planes would reuse the image's memory if it had been released.
        let others = try (0..<8).map { try flat(UInt8($0)) }
        #expect(ImageDifference(crop.planes[0], expected).maximum == 0)
        // The last row of a part has no padding.
        let count = crop.planes[0].withUnsafeSamples(\.count)
        #expect(count == crop.planes[0].bytesPerRow * (rect.height - 1) + rect.width)
        #expect(others.count == 8)
    }

    @Test func `a crop with unaligned rows is scaled, converted and encoded like any other image`() throws {
        let source = try TestImage.gradient(PixelSize(width: 203, height: 155))
        let bytes = try ImageEncoder.encode(source, as: .jpeg, quality: 95)
        let image = try ImageDecoder.decode(bytes, header: try ImageHeader.read(bytes))
        let rect = PixelRect(x: 21, y: 13, width: 101, height: 97)
        let part = try Resampler.resample(image, region: FractionalRect(rect), to: rect.size, model: image.colorModel)
        let whole = FractionalRect(PixelRect(rect.size))
        let reference = try Resampler.resample(source, region: FractionalRect(rect), to: rect.size, model: .rgb)
        let rgb = try Resampler.resample(part, region: whole, to: rect.size, model: .rgb)
        #expect(ImageDifference(rgb, reference).mean < 2)
        for format in OutputFormat.allCases {
            let file = try ImageEncoder.encode(part, as: format, quality: 95)
            let decoded = try ImageDecoder.decode(file, header: try ImageHeader.read(file))
            let again = try Resampler.resample(decoded, region: whole, to: rect.size, model: .rgb)
            #expect(ImageDifference(again, reference).mean < 3)
        }
    }

    @Test(arguments: [(1, 1), (63, 2), (186, 5), (192, 5), (250, 256), (4033, 3000)])
    func `memory extends beyond the last row, where zimg reads`(width: Int, height: Int) throws {
        let plane = try Plane(PixelSize(width: width, height: height)) { _, _ in 0 }
        plane.withUnsafeSamples { samples in
            let memory = UnsafeMutableRawPointer(mutating: samples.baseAddress)
            #expect(malloc_usable_size(memory) >= samples.count + 16)
        }
    }

    @Test func `planes on many threads do not share memory`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for value in 0..<16 {
                group.addTask {
                    for _ in 0..<20 {
                        let image = try flat(UInt8(value))
                        #expect(
                            image.planes[0][x: 639, y: 479] == UInt8(value)
                                && image.planes[0][x: 0, y: 0] == UInt8(value)
                        )
                        if value == 3 { PlaneMemory.release() }
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
