import Geometry
import Imaging
import TestImages

extension Fuzzer {
    /// Animated GIF files; also crops them without a new palette.
    static let animatedGIF = Fuzzer(name: "animated-gif", maxLength: 4096, seeds: { SeedAnimations.gif() }) { input in
        let bytes = Array(input)
        guard let frames = frames(bytes, as: .gif) else { return }
        let size = frames[0].image.size
        let (x, y) = (Int(input.digest % UInt64(size.width)), Int(input.digest / 7 % UInt64(size.height)))
        let rect = PixelRect(x: x, y: y, width: size.width - x, height: size.height - y)
        guard let file = try? GIFCropping.crop(bytes, to: rect, plays: 0) else {
            preconditionFailure("an animation that cannot be cropped")
        }
        guard let cropped = Self.frames(file, as: .gif) else { return }
        precondition(cropped.count == frames.count, "a number of frames that differs from the source")
        for (whole, part) in zip(frames, cropped) { precondition(isPart(part.image, of: whole.image, rect)) }
        SecondTenant.check(bytes)
    }

    /// Animated PNG files.
    static let apng = Fuzzer(name: "apng", maxLength: 4096, seeds: { SeedAnimations.apng() }) {
        decode(Array($0), as: .png)
    }

    /// Animated WebP files.
    static let animatedWebP = Fuzzer(name: "animated-webp", maxLength: 4096, seeds: SeedAnimations.webp) {
        decode(Array($0), as: .webp)
    }

    #if AVIF
    /// AVIF sequences.
    static let sequence = Fuzzer(name: "avif-sequence", maxLength: 4096, seeds: { [SequenceFile.avif] }) {
        decode(Array($0), as: .avif)
    }
    #endif

    /// Frames drawn from the input, written in every animation format and read again.
    static let animationWriters = Fuzzer(name: "animation-writers", maxLength: 256, seeds: { [Array(0...80)] }) {
        input in
        var numbers = FuzzedNumbers(input)
        let size = PixelSize(width: Int(numbers.byte() % 40) + 1, height: Int(numbers.byte() % 30) + 1)
        let plays = Int(numbers.byte()) << Int(numbers.byte() % 12)
        let quality = Int(numbers.byte() % 100) + 1
        var drawn: [(image: PlanarImage, milliseconds: Int)] = []
        for _ in 0..<(numbers.byte() % 6 + 1) {
            guard let image = try? Self.image(size, &numbers, after: drawn.last?.image) else { return }
            drawn.append((image, Int(numbers.byte()) * 10 + 20))
        }
        for format in OutputFormat.allCases where format.keepsAnimation {
            guard let writer = try? AnimationEncoder.begin(format, size: size, plays: plays, quality: quality),
                (try? drawn.forEach { try writer.add($0.image, milliseconds: $0.milliseconds) }) != nil,
                let file = try? writer.finish()
            else { preconditionFailure("an animation that cannot be written") }
            check(file, format, drawn)
        }
    }

    /// Traps unless a written file preserves the times and the transparency of the frames.
    private static func check(
        _ file: [UInt8],
        _ format: OutputFormat,
        _ drawn: [(image: PlanarImage, milliseconds: Int)]
    ) {
        guard let header = try? ImageHeader.read(file), header.format == InputFormat(format) else {
            preconditionFailure("a file of another format")
        }
        guard let info = header.animation else { return }
        precondition(info.duration == drawn.reduce(0) { $0 + $1.milliseconds }, "another duration")
        guard let read = frames(file, as: header.format) else { preconditionFailure("frames that cannot be read") }
        precondition(read.reduce(0) { $0 + $1.milliseconds } == info.duration, "frames of another duration")
        var (index, end, start) = (0, read[0].milliseconds, 0)
        for frame in drawn {
            while start >= end, index + 1 < read.count {
                index += 1
                end += read[index].milliseconds
            }
            start += frame.milliseconds
            precondition(
                hasAlpha(
                    read[index].image,
                    of: frame.image,
                    isBinary: format == .gif,
                    error: format.isExpensive ? 64 : 1
                ),
                "another transparency"
            )
        }
    }

    /// Returns whether the alpha of two images differs by at most `error`; with `isBinary`, the alpha of `frame` is first
    /// rounded to 0 or 255.
    private static func hasAlpha(
        _ shown: PlanarImage,
        of frame: PlanarImage,
        isBinary: Bool,
        error: Int
    ) -> Bool {
        for y in 0..<shown.size.height {
            for x in 0..<shown.size.width {
                let wanted = frame.alpha?[x: x, y: y] ?? 255
                let alpha = Int(shown.alpha?[x: x, y: y] ?? 255)
                guard abs(alpha - (isBinary ? (wanted < 128 ? 0 : 255) : Int(wanted))) <= error else { return false }
            }
        }
        return true
    }

    /// Draws a rectangle over the last image, or over a transparent image.
    private static func image(
        _ size: PixelSize,
        _ numbers: inout FuzzedNumbers,
        after last: PlanarImage?
    ) throws -> PlanarImage {
        let values = (0..<4).map { _ in numbers.byte() }
        let (x, y) = (Int(numbers.byte()) % size.width, Int(numbers.byte()) % size.height)
        let rect = PixelRect(x: x, y: y, width: Int(numbers.byte() % 32) + 1, height: Int(numbers.byte() % 32) + 1)
        let step = numbers.byte()
        let planes = try (0..<4).map { channel in
            try Plane(size) { column, row in
                guard rect.contains(PixelRect(x: column, y: row, width: 1, height: 1)) else {
                    guard let last else { return 0 }
                    return channel < 3 ? last.planes[channel][x: column, y: row] : last.alpha?[x: column, y: row] ?? 255
                }
                return values[channel] &+ (channel < 3 ? step &* UInt8((column + row * 3 + channel) & 255) : 0)
            }
        }
        return PlanarImage(size: size, colorModel: .rgb, planes: Array(planes.prefix(3)), alpha: planes[3])
    }

    private static func decode(_ bytes: [UInt8], as format: InputFormat) {
        if frames(bytes, as: format) != nil { SecondTenant.check(bytes) }
    }

    /// Returns all frames of an animation within the limits; nil for other files.
    private static func frames(_ bytes: [UInt8], as format: InputFormat) -> [AnimatedFrame]? {
        guard let header = try? ImageHeader.read(bytes), header.format == format, let info = header.animation,
            info.frames <= 100, info.pixels <= 1 << 17,
            let stream = try? AnimationDecoder.frames(bytes, header: header, limits: .ofFuzzers)
        else { return nil }
        precondition(info.frames > 1 && info.duration > 0 && info.plays >= 0 && info.bytes > 0)
        var frames: [AnimatedFrame] = []
        while let frame = try? stream.next() {
            precondition(frame.image.size == header.size, "a frame of another size")
            precondition((11...16_777_215).contains(frame.milliseconds), "a time that browsers do not have")
            frame.image.checkSamples()
            frames.append(frame)
        }
        // The structure counts complete frames; decoders also show the part of an incomplete last frame.
        precondition(frames.count <= info.frames + 1, "more frames than the structure has")
        return frames.isEmpty ? nil : frames
    }

    private static func isPart(_ part: PlanarImage, of whole: PlanarImage, _ rect: PixelRect) -> Bool {
        for y in 0..<rect.height {
            for x in 0..<rect.width {
                let alpha = whole.alpha?[x: rect.x + x, y: rect.y + y] ?? 255
                guard part.alpha?[x: x, y: y] ?? 255 == alpha else { return false }
                guard alpha > 0 else { continue }
                for (one, other) in zip(part.planes, whole.planes)
                where one[x: x, y: y] != other[x: rect.x + x, y: rect.y + y] { return false }
            }
        }
        return true
    }
}
