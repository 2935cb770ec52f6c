import Geometry
import Imaging

/// Measures decoding, scaling and encoding separately.
struct KernelBenchmark {
    /// The number of repetitions; the fastest is the result.
    let rounds: Int

    /// The milliseconds of each operation, as the mean over all images.
    struct Result: Encodable {
        /// Decoding in colour at 8, 4, 2 and 1 eighths of the size.
        var decode: [Int: Double] = [:]
        /// Decoding of luma only, at the same scales.
        var decodeLuma: [Int: Double] = [:]
        /// Scaling from the whole image to a width of 400 pixels.
        var scale = 0.0
        /// Scaling from the smallest sufficient decoded scale to a luma plane with 480 pixels on the short side.
        var scaleLuma = 0.0
        /// Encoding of an image with a width of 400 pixels, at quality 82.
        var encode = 0.0
    }

    init(rounds: Int) {
        self.rounds = rounds
    }

    func run(_ files: [SourceFile]) throws -> Result {
        var result = Result()
        let share = 1 / Double(files.count)
        for file in files {
            for eighths in [8, 4, 2, 1] {
                let scale = DecodeScale(eighths: eighths)
                result.decode[eighths, default: 0] +=
                    share * (try fastest { try ImageDecoder.decode(file.bytes, header: file.header, scale: scale) })
                result.decodeLuma[eighths, default: 0] +=
                    share * (try fastest { try ImageDecoder.decodeLuma(file.bytes, header: file.header, scale: scale) })
            }
            let image = try ImageDecoder.decode(file.bytes, header: file.header)
            let small = Self.size(of: file.header.size, width: 400)
            let whole = FractionalRect(PixelRect(image.size))
            let model = ImageEncoder.model(for: image.colorModel, as: .jpeg)
            result.scale +=
                share * (try fastest { try Resampler.resample(image, region: whole, to: small, model: model) })
            let across = 480 * file.header.size.width / file.header.size.shortSide
            let passSize = Self.size(of: file.header.size, width: across)
            let wanted = DecodeScale.fast(atLeast: Double(passSize.width) / Double(image.size.width))
            let luma = try ImageDecoder.decodeLuma(file.bytes, header: file.header, scale: wanted)
            let all = FractionalRect(PixelRect(luma.size))
            result.scaleLuma +=
                share * (try fastest { try Resampler.resample(luma, region: all, to: passSize, filter: .linear) })
            let scaled = try Resampler.resample(image, region: whole, to: small, model: model)
            result.encode += share * (try fastest { try ImageEncoder.encode(scaled, as: .jpeg) })
        }
        return result
    }

    private static func size(of image: PixelSize, width: Int) -> PixelSize {
        PixelSize(width: width, height: max(1, image.height * width / image.width))
    }

    /// Returns the milliseconds of the fastest round.
    private func fastest<Output>(_ work: () throws -> Output) throws -> Double {
        var best = Double.infinity
        for _ in 0..<rounds {
            let start = ProcessorTime.ofThread
            _ = try work()
            best = min(best, (ProcessorTime.ofThread - start) * 1000)
        }
        return best
    }
}
