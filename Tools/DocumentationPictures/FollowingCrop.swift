import Framing
import Geometry
import Imaging
import Pipeline
import TestPictures
import Workers

/// People who walk through a wide animation, and beside it the tall crop that follows them (`motion=follow`).
struct FollowingCrop {
    let service: FrameService

    private static let size = PixelSize(width: 480, height: 270)
    private static let gap = 12
    private static let count = 32
    private static let milliseconds = 120

    /// One frame of the animation: a person walks to another one.
    private static func frame(_ index: Int) throws -> PlanarImage {
        let share = Double(index) / Double(count - 1)
        // Slow at both ends.
        let way = share * share * (3 - 2 * share)
        let step = index % 4 < 2 ? 0 : 3
        let scene = PictureSet.draw(
            [(x: 20 + Int(way * 310), y: 92 + step, side: 54, look: 1), (x: 405, y: 90, side: 50, look: 0)],
            in: Landscape.summer(size)
        )
        return try scene.image()
    }

    /// The animation with its crop, as a WebP.
    func picture() async throws -> [UInt8] {
        let frames = try (0..<Self.count).map(Self.frame)
        let writer = try AnimationEncoder.begin(.webp, size: Self.size, plays: 0, quality: 90)
        for frame in frames { try writer.add(frame, milliseconds: Self.milliseconds) }
        var job = FrameJob(source: try writer.finish(), answer: .image(ImageOutput(format: .webp, quality: 95)))
        job.options.aspects = [AspectRatio(9, 16)]
        job.options.motion = .follow
        let result = try await service.run(job)
        guard let bytes = result.image?.bytes, let crop = result.plan.crops.first, let path = crop.path else {
            preconditionFailure("the crop of an animation follows who walks out of it")
        }
        let stream = try AnimationDecoder.frames(bytes, header: try ImageHeader.read(bytes))
        let whole = PixelSize(width: Self.size.width + Self.gap + crop.output.width, height: Self.size.height)
        let film = try AnimationEncoder.begin(.webp, size: whole, plays: 0, quality: 70)
        for (frame, rect) in zip(frames, path) {
            guard let shown = try stream.next() else { break }
            let white = DrawnFace.Colour(255, 255, 255)
            var scene = DrawnScene(whole, top: white, bottom: white)
            scene.picture(try Self.outlined(frame, rect), x: 0, y: 0)
            scene.picture(shown.image, x: Self.size.width + Self.gap, y: 0)
            try film.add(try scene.image(), milliseconds: Self.milliseconds)
        }
        return try film.finish()
    }

    /// A frame with everything beside its crop darkened.
    private static func outlined(_ frame: PlanarImage, _ rect: PixelRect) throws -> PlanarImage {
        var canvas = Canvas(frame)
        let black = Color(red: 0, green: 0, blue: 0)
        let left = PixelRect(x: 0, y: 0, width: rect.x, height: size.height)
        let right = PixelRect(x: rect.maxX, y: 0, width: size.width - rect.maxX, height: size.height)
        for side in [left, right] { canvas.fill(side, with: black, opacity: 0.45) }
        return try canvas.image()
    }
}
