import Imaging
import TestPictures

extension Fuzzer {
    /// Complete PNG files.
    static let png = Fuzzer(name: "png", maxLength: 4096, seeds: { SeedPictures.png() }) { decode($0, as: .png) }

    /// Complete WebP files.
    static let webp = Fuzzer(name: "webp", maxLength: 4096, seeds: SeedPictures.webp) { decode($0, as: .webp) }

    /// Complete GIF files.
    static let gif = Fuzzer(name: "gif", maxLength: 4096, seeds: { SeedPictures.gif() }) { decode($0, as: .gif) }

    #if AVIF
    /// Complete AVIF files.
    static let avif = Fuzzer(name: "avif", maxLength: 4096, seeds: { CodedFile.avif.map(\.bytes) }) {
        decode($0, as: .avif)
    }
    #endif

    #if HEIC
    /// Complete HEIC files.
    static let heic = Fuzzer(name: "heic", maxLength: 4096, seeds: { CodedFile.heic.map(\.bytes) }) {
        decode($0, as: .heic)
    }
    #endif

    #if JPEGXL
    /// Complete JPEG XL files.
    static let jpegxl = Fuzzer(name: "jxl", maxLength: 4096, seeds: { CodedFile.jpegxl.map(\.bytes) }) {
        decode($0, as: .jpegxl)
    }
    #endif

    private static func decode(_ input: UnsafeBufferPointer<UInt8>, as format: SourceFormat) {
        let bytes = Array(input)
        guard let header = try? ImageHeader.read(bytes), header.format == format else { return }
        guard let image = try? ImageDecoder.decode(bytes, header: header, limits: .ofFuzzers) else { return }
        precondition(image.size == header.size, "a picture of another size than that of its header")
        image.checkSamples()
        guard let luma = try? ImageDecoder.decodeLuma(bytes, header: header, limits: .ofFuzzers) else {
            preconditionFailure("a picture without luma")
        }
        precondition(luma.size == header.size)
        SecondTenant.check(bytes)
    }
}
