import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

@Suite(.limitedConcurrency) struct AnimationEncoderTests {
    private static let size = PixelSize(width: 96, height: 64)
    private static let formats = OutputFormat.allCases.filter(\.keepsAnimation)

    private static func encode(
        _ format: OutputFormat,
        _ frames: [(image: PlanarImage, milliseconds: Int)],
        plays: Int = 0,
        quality: Int? = nil
    ) throws -> [UInt8] {
        let writer = try AnimationEncoder.begin(format, size: frames[0].image.size, plays: plays, quality: quality)
        for frame in frames { try writer.add(frame.image, milliseconds: frame.milliseconds) }
        return try writer.finish()
    }

    /// The maximum difference in alpha, because AVIF compresses alpha with a small loss.
    private static func alphaError(_ format: OutputFormat) -> Int { format.isExpensive ? 24 : 0 }

    /// The minimum alpha of an image.
    private func opacity(_ image: PlanarImage) -> Int {
        guard let alpha = image.alpha else { return 255 }
        return alpha.withUnsafeSamples { samples in
            (0..<image.size.height).map { y in
                Int(samples[y * alpha.bytesPerRow..<y * alpha.bytesPerRow + image.size.width].min() ?? 0)
            }.min() ?? 0
        }
    }

    private static func moving(_ count: Int) throws -> [PlanarImage] {
        try (0..<count).map { try Animations.square(at: 4 * $0, 20, in: size) }
    }

    @Test(arguments: formats, [0, 1, 2, 9, 65_535])
    func `encoding preserves frames, times and the number of plays`(format: OutputFormat, plays: Int) throws {
        let times = [100, 20, 350, 2000]
        let images = try Self.moving(4)
        let file = try Self.encode(format, Array(zip(images, times)).map { ($0, $1) }, plays: plays)
        let info = try #require(try ImageHeader.read(file).animation)
        #expect(info.frames == 4 && info.duration == 2470)
        #expect(info.plays == (format.keepsPlays ? plays : 0))
        let frames = try Animations.frames(file)
        #expect(frames.map(\.milliseconds) == times)
        for (frame, image) in zip(frames, images) {
            let difference = ImageDifference(frame.image, image)
            #expect(difference.mean < 4, "\(difference)")
            #expect(opacity(frame.image) >= 255 - Self.alphaError(format))
        }
    }

    /// aom would write different pixels if it encoded them losslessly.
    @Test(arguments: formats, [1, 50, 100]) func `the image is recognisable at every quality`(
        format: OutputFormat,
        quality: Int
    ) throws {
        let images = try Self.moving(5)
        let file = try Self.encode(format, images.map { ($0, 100) }, quality: quality)
        let frames = try Animations.frames(file)
        #expect(frames.count == images.count)
        for (frame, image) in zip(frames, images) {
            #expect(ImageDifference(frame.image, image).mean < (quality == 1 ? 40 : 8))
            #expect(opacity(frame.image) >= 255 - Self.alphaError(format))
        }
    }

    @Test func `the total delay of a GIF is kept although GIF delays are in hundredths of a second`() throws {
        let images = try Self.moving(20)
        let file = try Self.encode(.gif, images.map { ($0, 33) })
        #expect(abs(try #require(try ImageHeader.read(file).animation).duration - 660) <= 10)
        // Browsers would extend a delay of a hundredth of a second.
        let fast = try Self.encode(.gif, images.map { ($0, 11) })
        #expect(try Animations.frames(fast).allSatisfy { $0.milliseconds == 20 })
    }

    @Test(arguments: formats) func `equal frames are merged and take no bytes`(format: OutputFormat) throws {
        let image = try TestImage.gradient(Self.size)
        let other = try Animations.square(at: 1, 1, in: Self.size)
        let two = try Self.encode(format, [(image, 100), (other, 100)])
        let many = try Self.encode(format, Array(repeating: (image, 100), count: 30) + [(other, 100)])
        #expect(try ImageHeader.read(many).animation?.duration == 3100)
        #expect(many.count < two.count + 64)
    }

    @Test(arguments: formats) func `only the changed area of a frame is stored`(format: OutputFormat) throws {
        // Noise is large in every format.
        let noise = try TestImage.noise(Self.size, seed: 3)
        func frame(_ step: Int) throws -> PlanarImage {
            try TestImage.rgb(Self.size) { x, y in
                let value = noise.planes[0][x: x, y: y]
                return (4 * step..<4 * step + 6).contains(x) && y < 6 ? (255, 255, 255) : (value, value, value)
            }
        }
        let one = try Self.encode(format, [(try frame(0), 100)]).count
        let ten = try Self.encode(format, try (0..<10).map { (try frame($0), 100) }).count
        #expect(ten < one * 2, "\(one) and \(ten)")
    }

    @Test(arguments: formats) func `pixels can become visible and then transparent again`(format: OutputFormat) throws {
        func frame(_ columns: Range<Int>) throws -> PlanarImage {
            let opaque = try Animations.square(at: 10, 10, side: 20, in: Self.size)
            let alpha = try Plane(Self.size) { x, _ in columns.contains(x) ? 255 : 0 }
            return PlanarImage(size: Self.size, colorModel: .rgb, planes: opaque.planes, alpha: alpha)
        }
        let parts = [0..<0, 0..<40, 20..<60, 20..<60, 50..<96, 0..<0, 3..<9]
        let file = try Self.encode(format, try parts.map { (try frame($0), 100) })
        var time = 0
        var shown: [PlanarImage] = []
        for frame in try Animations.frames(file) {
            shown += Array(repeating: frame.image, count: frame.milliseconds / 100)
            time += frame.milliseconds
        }
        try #require(time == parts.count * 100 && shown.count == parts.count)
        for (part, image) in zip(parts, shown) {
            for x in stride(from: 0, to: Self.size.width, by: 3) {
                let alpha = Int(image.alpha?[x: x, y: 15] ?? 255)
                #expect(abs(alpha - (part.contains(x) ? 255 : 0)) <= Self.alphaError(format), "\(part) at \(x)")
            }
            guard part.contains(25) else { continue }
            #expect(image.planes[0][x: 25, y: 15] > 200 && image.planes[2][x: 25, y: 15] < 80)
        }
    }

    /// libwebp blends such pixels over themselves, which makes them less transparent with every frame.
    @Test(arguments: formats, [1, 80, 100]) func `translucent pixels next to a change keep their alpha`(
        format: OutputFormat,
        quality: Int
    ) throws {
        let size = PixelSize(width: 34, height: 21)
        func frame(_ step: Int) throws -> PlanarImage {
            let opaque = try Animations.square(at: 4 * step, 3, side: 5, in: size)
            let alpha = try Plane(size) { x, y in
                (4 * step..<4 * step + 5).contains(x) && (3..<8).contains(y) ? 255 : UInt8(min(x * 7 + y * 2, 250))
            }
            return PlanarImage(size: size, colorModel: .rgb, planes: opaque.planes, alpha: alpha)
        }
        // The third frame is shown twice, and the fifth frame does not contain the square.
        let images = try [0, 1, 2, 2, 9, 4].map(frame)
        let file = try Self.encode(format, images.map { ($0, 100) }, quality: quality)
        let frames = try Animations.frames(file)
        #expect(frames.map(\.milliseconds) == [100, 100, 200, 100, 100])
        for (frame, image) in zip(frames, [0, 1, 2, 4, 5].map { images[$0] }) {
            var worst = 0
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let wanted = Int(image.alpha?[x: x, y: y] ?? 255)
                    let shown = Int(frame.image.alpha?[x: x, y: y] ?? 255)
                    worst = max(worst, format == .gif ? abs(shown - (wanted < 128 ? 0 : 255)) : abs(shown - wanted))
                }
            }
            #expect(worst <= max(1, Self.alphaError(format)))
        }
    }

    @Test func `a GIF with few colours keeps them exactly`() throws {
        let colors = (0..<250).map { index -> TestImage.RGB in
            (red: UInt8(index), green: UInt8(255 - index), blue: UInt8(index * 7 % 256))
        }
        let frames = try (0..<3).map { step in
            try TestImage.rgb(Self.size) { x, y in colors[(x + y * 3 + step * 17) % colors.count] }
        }
        let file = try Self.encode(.gif, frames.map { ($0, 100) }, quality: 100)
        for (frame, image) in zip(try Animations.frames(file), frames) {
            #expect(ImageDifference(frame.image, image).maximum == 0)
        }
    }

    @Test func `a PNG keeps every pixel and long delays`() throws {
        let images = try (0..<3).map { try TestImage.noise(Self.size, seed: UInt64($0)) }.map { noise in
            let alpha = try Plane(Self.size) { x, y in UInt8((x * 5 + y) % 256) }
            let plane = noise.planes[0]
            return try PlanarImage(size: Self.size, colorModel: .rgb, planes: [plane, plane, plane], alpha: alpha)
                .hidingColors()
        }
        let times = [70_000, 1_000_000, 11]
        let file = try Self.encode(.png, Array(zip(images, times)).map { ($0, $1) })
        let frames = try Animations.frames(file)
        #expect(frames.map(\.milliseconds) == times)
        for (frame, image) in zip(frames, images) {
            #expect(ImageDifference(frame.image, image).maximum == 0)
        }
        // Programs without support for animations show the first frame.
        let still = try ImageDecoder.decode(file, header: try ImageHeader.read(file))
        #expect(ImageDifference(still, images[0]).maximum == 0)
    }

    @Test func `a still GIF resembles its source`() throws {
        for image in [try TestImage.gradient(Self.size), try TestImage.waves(Self.size)] {
            let file = try ImageEncoder.encode(image, as: .gif)
            let header = try ImageHeader.read(file)
            #expect(header.format == .gif && header.animation == nil && header.size == Self.size)
            let decoded = try ImageDecoder.decode(file, header: header)
            let wanted = image.colorModel == .gray ? [image.planes[0], image.planes[0], image.planes[0]] : image.planes
            let rgb = PlanarImage(size: Self.size, colorModel: .rgb, planes: wanted)
            #expect(ImageDifference(decoded, rgb).mean < 6)
        }
    }

    @Test func `a format that does not support the size rejects it`() {
        let wide = PixelSize(width: 70_000, height: 1)
        for format in Self.formats where format != .png {
            #expect(throws: CodecError.tooLarge(wide, limit: .format(InputFormat(format)))) {
                _ = try AnimationEncoder.begin(format, size: wide, plays: 0)
            }
        }
    }
}
