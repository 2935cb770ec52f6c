import FaceDetection
import Geometry
import Imaging
import TestImages

/// Sources that contain a face, and a search for faces in any image of a response.
package enum RedactionOracle {
    private static let size = PixelSize(width: 360, height: 220)
    private static let face = DrawnFace(x: 130, y: 60, side: 100)
    private static let other = DrawnFace(x: 40, y: 60, side: 90)

    /// A named source with a hidden or visible face.
    package struct Source: Sendable, CustomStringConvertible {
        package let name: String
        package let bytes: [UInt8]

        package var description: String { name }
    }

    private static func pixels(_ faces: [DrawnFace]) -> (_ x: Int, _ y: Int, _ alpha: Int) -> WebPFile.RGBA {
        let bytes = DrawnFace.rgb(faces, size: size)
        return { x, y, alpha in
            let first = (y * size.width + x) * 3
            return (bytes[first], bytes[first + 1], bytes[first + 2], UInt8(alpha))
        }
    }

    private static func png(_ pixel: (_ x: Int, _ y: Int) -> WebPFile.RGBA) -> [UInt8] {
        OddPNG(.rgba).encode(size) { x, y, channel in
            let one = pixel(x, y)
            return Int([one.red, one.green, one.blue, one.alpha][channel])
        }
    }

    private static let whole = PixelRect(size)

    /// Stills and animations that show a face, or that hide a face in a part that some decoders or viewers ignore.
    package static let sources: [Source] = {
        let shown = pixels([face])
        let moved = pixels([other])
        var sources: [Source] = []
        func add(_ name: String, _ bytes: [UInt8]) { sources.append(Source(name: name, bytes: bytes)) }
        for alpha in [0, 1, 3, 5, 40, 255] {
            add("PNG with alpha \(alpha) around a face", png { shown($0, $1, $0 > 60 && $0 < 300 ? alpha : 255) })
        }
        add("PNG whose alpha is the image", png { (255, 255, 255, shown($0, $1, 0).red) })
        add("black PNG whose alpha is the image", png { (0, 0, 0, shown($0, $1, 0).red) })
        // The still image, which is not a frame of the animation, shows the face at another position.
        var hidden = APNGFile(
            size,
            frames: [
                .init(whole) { moved($0, $1, 255) },
                .init(whole) { $0 < 9 && $1 < 9 ? (0, 0, 0, 255) : moved($0, $1, 255) },
            ]
        )
        hidden.hidden = { shown($0, $1, 255) }
        add("APNG whose still image is not a frame", hidden.bytes)
        let fading = APNGFile(
            size,
            frames: (0..<4).map { index in .init(whole) { shown($0, $1, $0 % 8 == 0 ? 255 : index * 3) } }
        )
        add("APNG that fades in", fading.bytes)
        // The first frame is transparent, so a still shows the first opaque frame.
        let palette = (0..<64).map { (level: Int) -> TestImage.RGB in
            let value = UInt8(level * 4)
            return (value, value, value)
        }
        let frames: [GIFFile.Frame] = [
            .init(whole, transparent: 0) { _, _ in 0 },
            .init(whole) { x, y in shown(x, y, 0).red / 4 },
            .init(whole) { x, y in moved(x, y, 0).red / 4 },
        ]
        let grey = GIFFile(size, palette: palette, frames: frames)
        add("GIF that begins transparent", grey.bytes)
        return sources
    }()

    /// The number of faces that both detectors find in all frames and views of an image.
    ///
    /// - Throws: If the image cannot be decoded.
    package static func faces(in bytes: [UInt8]) throws -> Int {
        var detector = try FaceDetectorModel.hog.makeDetector()
        let header = try ImageHeader.read(bytes)
        var images = [try ImageDecoder.decode(bytes, header: header)]
        if header.animation != nil {
            let stream = try AnimationDecoder.frames(bytes, header: header)
            while let frame = try stream.next() { images.append(frame.image) }
        }
        let network = try FaceNetwork()
        var count = 0
        for source in images {
            let rgb = try Resampler.resample(
                source,
                region: FractionalRect(PixelRect(source.size)),
                to: source.size,
                model: source.colorModel == .gray ? .gray : .rgb
            )
            for view in try ImageView.allCases.map(rgb.luma) {
                count += try view.withUnsafeSamples { samples in
                    guard let pixels = samples.baseAddress else { return 0 }
                    let image = LumaImage(pixels: pixels, size: view.size, bytesPerRow: view.bytesPerRow)
                    let seen = try network.detect(red: image, green: image, blue: image, threshold: 0).count
                    return try seen + detector.detect(in: image, threshold: 0).count
                }
            }
        }
        return count
    }
}
