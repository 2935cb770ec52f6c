import Geometry
import Imaging
import TestImages

extension Fuzzer {
    /// Complete PNG files.
    static let png = Fuzzer(name: "png", maxLength: 4096, seeds: { SeedImages.png() }) { decode($0, as: .png) }

    /// Complete WebP files.
    static let webp = Fuzzer(name: "webp", maxLength: 4096, seeds: SeedImages.webp) { decode($0, as: .webp) }

    /// Complete GIF files.
    static let gif = Fuzzer(name: "gif", maxLength: 4096, seeds: { SeedImages.gif() }) { decode($0, as: .gif) }

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

    #if TIFF
    /// Complete TIFF files, with one directory and with several.
    static let tiff = Fuzzer(
        name: "tiff",
        maxLength: 4096,
        seeds: { TIFFFile.samples.map(\.bytes) + TIFFTree.samples.map { $0.encode() } }
    ) {
        decode($0, as: .tiff)
    }
    #endif

    /// JPEG files with gain maps.
    static let gainMap = Fuzzer(
        name: "gain-map",
        maxLength: 8192,
        seeds: { try UltraHDRFile.Form.allCases.map { try UltraHDRFile.sample(PixelSize(width: 24, height: 16), $0) } }
    ) { input in
        let bytes = Array(input)
        guard let header = try? ImageHeader.read(bytes), header.format == .jpeg, let map = GainMap(jpeg: bytes) else {
            return
        }
        let region = FractionalRect(x: 0.25, y: 0.25, width: 0.5, height: 0.5)
        let size = PixelSize(width: 12, height: 8)
        guard
            let part = try? map.cropped(to: region, of: size, turn: .up, source: header, limits: .ofFuzzers)
        else { return }
        let file = map.joined(bytes, part, nil)
        guard file.count < 1 << 16, let again = GainMap(jpeg: file) else { return }
        precondition(again.hasSameMetadata(as: map), "metadata that change")
    }

    /// Complete BMP files.
    static let bmp = Fuzzer(name: "bmp", maxLength: 4096, seeds: { BMPFile.samples.map(\.bytes) }) {
        decode($0, as: .bmp)
    }

    /// Complete ICO files.
    static let ico = Fuzzer(name: "ico", maxLength: 4096, seeds: { ICOFile.samples.map(\.bytes) }) {
        decode($0, as: .ico)
    }

    private static func decode(_ input: UnsafeBufferPointer<UInt8>, as format: InputFormat) {
        let bytes = Array(input)
        guard let header = try? ImageHeader.read(bytes), header.format == format else { return }
        guard let image = try? ImageDecoder.decode(bytes, header: header, limits: .ofFuzzers) else { return }
        precondition(image.size == header.size, "an image whose size differs from its header")
        image.checkSamples()
        guard let luma = try? ImageDecoder.decodeLuma(bytes, header: header, limits: .ofFuzzers) else {
            preconditionFailure("an image without luma")
        }
        precondition(luma.size == header.size)
        SecondTenant.check(bytes)
    }
}
