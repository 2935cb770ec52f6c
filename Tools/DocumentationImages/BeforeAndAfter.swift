import Framing
import Geometry
import Imaging
import Pipeline
import TestImages
import Workers

/// An image, its centre crop, and Headroom's crop, side by side.
///
/// A cross and a tick mark the two crops.
struct BeforeAndAfter {
    /// The encoded image.
    let source: [UInt8]
    let service: WorkerService

    private static let height = 360
    private static let gap = 20

    /// Returns the three images as one PNG.
    func image() async throws -> [UInt8] {
        let whole = try await crop(nil, .center)
        let before = try await crop(AspectRatio(1, 1), .center)
        let after = try await crop(AspectRatio(1, 1), .faces)
        let beforeX = whole.size.width + Self.gap
        let afterX = beforeX + before.size.width + Self.gap
        let size = PixelSize(width: afterX + after.size.width, height: Self.height)
        let white = DrawnFace.Colour(255, 255, 255)
        var scene = DrawnScene(size, top: white, bottom: white)
        scene.image(whole, x: 0, y: 0)
        scene.image(before, x: beforeX, y: 0)
        scene.image(after, x: afterX, y: 0)
        Self.cross(&scene, x: Double(beforeX + before.size.width) - 36, y: 36)
        Self.tick(&scene, x: Double(size.width) - 36, y: 36)
        return try ImageEncoder.encode(try scene.image(), as: .png)
    }

    private func crop(_ aspect: AspectRatio?, _ gravity: Gravity) async throws -> PlanarImage {
        var job = FrameJob(source: source, target: .image(ImageOutput(format: .png)))
        job.options.aspects = [aspect]
        job.options.framing.gravity = gravity
        job.options.resultSize.height = Self.height
        guard let bytes = try await service.run(job).image?.bytes else { preconditionFailure("an image was asked for") }
        return try ImageDecoder.decode(bytes, header: try ImageHeader.read(bytes))
    }

    private static func cross(_ scene: inout DrawnScene, x: Double, y: Double) {
        badge(&scene, x: x, y: y, DrawnFace.Colour(200, 56, 52))
        stroke(&scene, (x - 8, y - 8), (x + 8, y + 8))
        stroke(&scene, (x - 8, y + 8), (x + 8, y - 8))
    }

    private static func tick(_ scene: inout DrawnScene, x: Double, y: Double) {
        badge(&scene, x: x, y: y, DrawnFace.Colour(46, 140, 76))
        stroke(&scene, (x - 9, y + 1), (x - 3, y + 7))
        stroke(&scene, (x - 3, y + 7), (x + 9, y - 7))
    }

    private static func badge(_ scene: inout DrawnScene, x: Double, y: Double, _ colour: DrawnFace.Colour) {
        scene.ellipse(x: x, y: y, radiusX: 22, radiusY: 22, DrawnFace.Colour(255, 255, 255))
        scene.ellipse(x: x, y: y, radiusX: 19, radiusY: 19, colour)
    }

    private static func stroke(
        _ scene: inout DrawnScene,
        _ start: (x: Double, y: Double),
        _ end: (x: Double, y: Double)
    ) {
        scene.limb(from: start, radius: 2.5, to: end, radius: 2.5, DrawnFace.Colour(255, 255, 255))
    }
}
