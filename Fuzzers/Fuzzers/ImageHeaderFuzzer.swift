import Geometry
import Imaging
import TestImages

extension Fuzzer {
    /// The headers of all formats: the parsed values must be consistent, because decoders rely on them.
    static let imageHeader = Fuzzer(name: "image-header", maxLength: 4096) {
        try SeedImages.jpeg() + SeedImages.png() + SeedImages.webp() + SeedImages.gif()
    } run: { input in
        guard let header = try? ImageHeader.read(Array(input)) else { return }
        precondition(header.size.width > 0 && header.size.height > 0 && (1...16).contains(header.bitDepth))
        for eighths in 1...8 {
            let scale = DecodeScale(eighths: eighths)
            precondition(header.decodedBytes(atScale: scale) > 0 && header.size(atScale: scale).width > 0)
        }
        if let quantization = header.quantization { precondition((1...100).contains(quantization.estimatedQuality)) }
        if let cropping = header.losslessCropping { precondition(cropping.bytesNeeded > 0) }
    }
}
