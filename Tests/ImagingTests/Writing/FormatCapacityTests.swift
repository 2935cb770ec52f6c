import Geometry
import Imaging
import TestImages
import TestPacing
import Testing

/// The largest sides of each format, in the table and in its encoder.
@Suite(.limitedConcurrency) struct FormatCapacityTests {
    @Test(arguments: OutputFormat.allCases)
    func `each encoder writes the maximum side in the table and rejects a longer side`(format: OutputFormat) throws {
        for side in [min(format.capacity.maxSide, 100_000), format.capacity.maxSide + 1] {
            for size in [PixelSize(width: side, height: 1), PixelSize(width: 1, height: side)] {
                guard side <= format.capacity.maxSide else {
                    let image = try TestImage.gray(size) { _, _ in 0 }
                    #expect(throws: CodecError.tooLarge(size, limit: .format(InputFormat(format)))) {
                        try ImageEncoder.encode(image, as: format)
                    }
                    continue
                }
                // The AVIF encoder takes minutes for one row of 65,536 pixels.
                guard !format.isExpensive else { continue }
                let image = try TestImage.gray(size) { x, y in UInt8(truncatingIfNeeded: x ^ y) }
                let file = try ImageEncoder.encode(image, as: format)
                #expect(try ImageHeader.read(file).size == size)
            }
        }
        #expect(format.capacity.maxShownSide <= format.capacity.maxSide)
        #expect(format.holds(PixelSize(width: 1, height: 1)) && format.suits(PixelSize(width: 1, height: 1)))
    }

    @Test func `an animation that a format cannot contain is rejected before its first frame`() {
        for format in OutputFormat.allCases where format.keepsAnimation {
            let size = PixelSize(width: format.capacity.maxSide + 1, height: 1)
            #expect(throws: CodecError.tooLarge(size, limit: .format(InputFormat(format)))) {
                _ = try AnimationEncoder.begin(format, size: size, plays: 0)
            }
        }
    }

    @Test func `the error names the limit and what to do`() {
        let size = PixelSize(width: 130, height: 17_000)
        #expect(
            CodecError.tooLarge(size, limit: .format(.webp)).description
                == "WebP files have at most 16383 pixels per side, and the output has 130 × 17000. Request a smaller size, "
                + "or another format."
        )
        #expect(
            CodecError.tooLarge(size, limit: .formats([.webp])).description
                == "No accepted format can contain the output of 130 × 17000 pixels: WebP files have at most 16383 pixels "
                + "per side. Request a smaller size, or set format to another format."
        )
    }
}
