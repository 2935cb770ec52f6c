import Geometry
package import Imaging

/// One number that identifies the results of all ways to decode a file: pixels or kinds of errors.
package struct DecodedDigest: Hashable, Sendable, CustomStringConvertible {
    private var value: UInt64 = 0xCBF2_9CE4_8422_2325
    /// Whether any way returned pixels.
    package private(set) var hasPixels = false

    package var description: String { (hasPixels ? "pixels " : "refused ") + String(value, radix: 16) }

    /// Decodes a file; nil if its header is rejected.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - limits: The limits for decoding.
    ///   - maxFrames: The maximum number of decoded frames of an animation.
    package init?(_ bytes: [UInt8], limits: DecodeLimits = DecodeLimits(), maxFrames: Int = 20) {
        guard let header = try? ImageHeader.read(bytes) else { return nil }
        add("\(header)")
        add { try ImageDecoder.decode(bytes, header: header, limits: limits) }
        if header.format == .jpeg {
            let scale = DecodeScale(eighths: 3)
            add { try ImageDecoder.decode(bytes, header: header, scale: scale, limits: limits) }
            do {
                add(try ImageDecoder.decodeLuma(bytes, header: header, limits: limits))
            } catch {
                add("\(error)")
            }
        }
        if header.animation != nil { add(bytes, header, limits, maxFrames) }
    }

    private mutating func add(_ bytes: [UInt8], _ header: ImageHeader, _ limits: DecodeLimits, _ maxFrames: Int) {
        do {
            let frames = try AnimationDecoder.frames(bytes, header: header, limits: limits)
            var count = 0
            while count < maxFrames, let frame = try frames.next() {
                add("\(frame.milliseconds)")
                add { frame.image }
                count += 1
            }
        } catch {
            add("\(error)")
        }
    }

    private mutating func add(_ decode: () throws -> PlanarImage) {
        do {
            let image = try decode()
            add("\(image.colorModel) \(image.isDamaged)")
            for plane in image.planes { add(plane) }
            if let alpha = image.alpha { add(alpha) }
        } catch {
            add("\(error)")
        }
    }

    private mutating func add(_ plane: Plane) {
        hasPixels = true
        plane.withUnsafeSamples { samples in
            for y in 0..<plane.size.height {
                let start = y * plane.bytesPerRow
                for x in start..<start + plane.size.width { add(samples[x]) }
            }
        }
    }

    private mutating func add(_ text: String) {
        for byte in text.utf8 { add(byte) }
    }

    /// FNV-1a.
    private mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
}
