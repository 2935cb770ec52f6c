import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

@Suite(.limitedConcurrency) struct QualitySearchTests {
    private func image() throws -> PlanarImage {
        try TestImage.noise(PixelSize(width: 96, height: 64), seed: 5)
    }

    private func options(maxBytes: Int, quality: Int? = nil) -> EncodingOptions {
        var options = EncodingOptions(quality: quality)
        options.maxBytes = maxBytes
        return options
    }

    @Test(arguments: OutputFormat.allCases.filter(\.isLossy))
    func `the search finds the highest quality that fits`(format: OutputFormat) throws {
        let source = try image()
        /// The size in bytes at a quality, with the options of a search.
        func count(_ quality: Int) throws -> Int {
            try ImageEncoder.file(of: source, as: format, options(maxBytes: 1 << 20, quality: quality)).bytes.count
        }
        for quality in [25, 50, 75] {
            let limit = try count(quality)
            let file = try ImageEncoder.file(of: source, as: format, options(maxBytes: limit))
            #expect(file.bytes.count <= limit)
            let found = try #require(file.quality)
            #expect(found >= quality)
            // The file at the next quality is too large, unless it is the same file.
            #expect(try found == 82 || count(found + 1) > limit || count(found + 1) == file.bytes.count)
            #expect(OutputFormat.sniff(file.bytes) == format)
        }
    }

    @Test func `a file that fits keeps its quality`() throws {
        let file = try ImageEncoder.file(of: try image(), as: .jpeg, options(maxBytes: 1 << 20, quality: 95))
        #expect(file.quality == 95)
        #expect(try ImageEncoder.file(of: try image(), as: .jpeg, EncodingOptions(quality: 95)).quality == nil)
    }

    @Test(arguments: OutputFormat.allCases) func `a file that never fits is rejected with its size`(
        format: OutputFormat
    ) throws {
        let error = #expect(throws: CodecError.self) {
            try ImageEncoder.file(of: try image(), as: format, options(maxBytes: 100))
        }
        guard case .tooManyBytes(let count, limit: 100) = error else {
            Issue.record("\(error as Any)")
            return
        }
        if format.isLossy {
            let lowest = try ImageEncoder.file(of: try image(), as: format, options(maxBytes: 1 << 20, quality: 20))
            #expect(count == lowest.bytes.count)
        }
    }

    @Test func `a PNG either fits or is rejected`() throws {
        let source = try image()
        let whole = try ImageEncoder.encode(source, as: .png)
        let file = try ImageEncoder.file(of: source, as: .png, options(maxBytes: whole.count))
        #expect(file.bytes == whole && file.quality == nil)
        #expect(throws: CodecError.tooManyBytes(whole.count, limit: whole.count - 1)) {
            try ImageEncoder.file(of: source, as: .png, options(maxBytes: whole.count - 1))
        }
    }

    @Test func `the source's tables are used if the output fits`() throws {
        let source = try Resampler.resample(
            try image(),
            region: FractionalRect(PixelRect(try image().size)),
            to: try image().size,
            model: .ycbcr(.halved)
        )
        let header = try ImageHeader.read(try ImageEncoder.encode(source, as: .jpeg, quality: 60))
        var options = EncodingOptions(quantization: header.quantization)
        options.maxBytes = 1 << 20
        let file = try ImageEncoder.file(of: source, as: .jpeg, options)
        #expect(file.quality == 60)
        #expect(try ImageHeader.read(file.bytes).quantization?.tables == header.quantization?.tables)
        options.maxBytes = file.bytes.count - 1
        #expect(try #require(ImageEncoder.file(of: source, as: .jpeg, options).quality) < 60)
    }
}
