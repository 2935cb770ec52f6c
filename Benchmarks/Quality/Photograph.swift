import Foundation
import Geometry
import Imaging
import TestImages

/// A photo to encode.
struct Photograph {
    private let bytes: [UInt8]

    /// Returns photos spread evenly, by name, over the `.jpg` files of a folder with more than 250,000 bytes.
    static func all(in folder: String, maximum count: Int) -> [Photograph] {
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
        let files = names.filter { $0.hasSuffix(".jpg") }.compactMap { name -> [UInt8]? in
            let data = FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data()
            return data.count > 250_000 ? Array(data) : nil
        }
        let step = max(1, files.count / count)
        return stride(from: 0, to: files.count, by: step).prefix(count).map { Photograph(bytes: files[$0]) }
    }

    /// Returns the photo with chroma 4:2:0 and a longer side of `side` pixels; nil if the photo is smaller.
    func scaled(to side: Int) -> PlanarImage? {
        guard let header = try? ImageHeader.read(bytes), header.size.longSide >= side,
            let image = try? ImageDecoder.decode(bytes, header: header), case .ycbcr = image.colorModel
        else { return nil }
        let scale = Double(side) / Double(image.size.longSide)
        let size = PixelSize(
            width: max(8, Int((Double(image.size.width) * scale).rounded())),
            height: max(8, Int((Double(image.size.height) * scale).rounded()))
        )
        let whole = FractionalRect(PixelRect(image.size))
        return try? Resampler.resample(image, region: whole, to: size, model: .ycbcr(.halved))
    }
}

/// An encoded image: its bytes, SSIM of luma, and encoding time.
struct Encoding {
    let bytes: Int
    let similarity: Double
    let milliseconds: Double

    /// Encodes an image, decodes it again and compares the pixels; returns nil if a step fails.
    init?(_ source: PlanarImage, _ format: OutputFormat, _ options: EncodingOptions) {
        let start = ProcessorTime.milliseconds
        guard let file = try? ImageEncoder.encode(source, as: format, options) else { return nil }
        milliseconds = ProcessorTime.milliseconds - start
        guard let header = try? ImageHeader.read(file), let image = try? ImageDecoder.decode(file, header: header)
        else {
            return nil
        }
        bytes = file.count
        similarity = StructuralSimilarity(image.planes[0], source.planes[0]).mean
    }
}

/// The processor time of this process.
enum ProcessorTime {
    static var milliseconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
    }
}
