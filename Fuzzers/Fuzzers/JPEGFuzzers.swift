import Framing
import Geometry
import Imaging
import TestImages

extension Fuzzer {
    /// JPEG at a scale; the last byte selects the scale.
    static let jpeg = Fuzzer(name: "jpeg", maxLength: 4096, seeds: { try chosen(8) }) { input in
        guard let source = Image(input) else { return }
        if let image = try? ImageDecoder.decode(
            source.bytes,
            header: source.header,
            scale: source.scale,
            limits: .ofFuzzers
        ) {
            precondition(image.size == source.header.size(atScale: source.scale), "not the size of the header")
            image.checkSamples()
        }
        if let luma = try? ImageDecoder.decodeLuma(
            source.bytes,
            header: source.header,
            scale: source.scale,
            limits: .ofFuzzers
        ) {
            precondition(luma.size == source.header.size(atScale: source.scale), "luma size differs from header")
        }
        SecondTenant.check(source.bytes)
    }

    /// A part of a JPEG; the last five bytes select its rectangle and the scale.
    static let jpegWindow = Fuzzer(name: "jpeg-window", maxLength: 4096, seeds: { try chosen(8) }) { input in
        guard let image = Image(input),
            let part = try? ImageDecoder.decode(
                image.bytes,
                header: image.header,
                scale: image.scale,
                covering: image.rect(in: image.header.size(atScale: image.scale)),
                limits: .ofFuzzers
            )
        else { return }
        let size = image.header.size(atScale: image.scale)
        let rect = image.rect(in: size)
        precondition(part.wholeSize == size && part.x >= 0 && part.y >= 0)
        precondition(part.x <= rect.x && part.x + part.image.size.width >= rect.maxX, "columns are missing")
        precondition(part.y <= rect.y && part.y + part.image.size.height >= rect.maxY, "rows are missing")
        precondition(part.x + part.image.size.width <= size.width && part.y + part.image.size.height <= size.height)
        part.image.checkSamples()
        SecondTenant.check(image.bytes)
    }

    /// Lossless crops: the output is a JPEG with the requested size.
    static let jpegCrop = Fuzzer(name: "jpeg-crop", maxLength: 4096, seeds: { try chosen(1) }) { input in
        guard let image = Image(input), let cropping = image.header.losslessCropping,
            (try? DecodeLimits.ofFuzzers.check(image.header, scale: .full)) != nil,
            let rect = cropping.grid.aligned(image.rect(in: image.header.size)),
            let file = try? LosslessCropping.crop(image.bytes, to: rect, limits: .ofFuzzers)
        else { return }
        guard let header = try? ImageHeader.read(file) else { preconditionFailure("a part that is not an image") }
        precondition(header.size == rect.size, "a part of another size")
        precondition((try? ImageDecoder.decode(file, header: header)) != nil, "a part that cannot be decoded")
        SecondTenant.check(file)
    }

    /// Returns JPEG files, each followed by five choice bytes.
    ///
    /// The last byte takes each value from 0 up to, but not including, `kinds`.
    private static func chosen(_ kinds: UInt8) throws -> [[UInt8]] {
        try SeedImages.jpeg().flatMap { file in (0..<kinds).map { file + [40, 80, 90, 60, $0] } }
    }

    /// A JPEG, and the choices from the last five bytes of an input.
    private struct Image {
        let bytes: [UInt8]
        let header: ImageHeader
        let scale: DecodeScale
        private let choices: [Int]

        init?(_ input: UnsafeBufferPointer<UInt8>) {
            bytes = Array(input.dropLast(5))
            guard let header = try? ImageHeader.read(bytes), header.format == .jpeg else { return nil }
            self.header = header
            choices = input.suffix(5).map(Int.init)
            scale = DecodeScale(eighths: choices[4] % 8 + 1)
        }

        /// Returns a rectangle inside an image.
        func rect(in size: PixelSize) -> PixelRect {
            let (x, y) = (choices[0] * size.width / 256, choices[1] * size.height / 256)
            return PixelRect(
                x: x,
                y: y,
                width: 1 + choices[2] * (size.width - x - 1) / 255,
                height: 1 + choices[3] * (size.height - y - 1) / 255
            )
        }
    }
}
