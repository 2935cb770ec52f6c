import Framing
import Geometry
import Imaging
import Pipeline
import TestImages
import Workers

/// A person who walks back and forth, and the crop that follows the person.
///
/// The left half shows the image with the crop's outline, and the right half shows the crop.
struct FollowingCrop {
    let service: WorkerService

    private static let size = PixelSize(width: 640, height: 360)
    private static let aspect = AspectRatio(9, 16)
    private static let gap = 16
    private static let frames = 48
    private static let milliseconds = 100

    /// Returns both halves as one animated WebP.
    func image() async throws -> [UInt8] {
        let landscape = Landscape.summer(Self.size)
        let steps = Self.steps
        let scenes = steps.map { Self.scene(x: $0.x, in: landscape) }
        let images = try scenes.map { try $0.image() }
        let source = try AnimationEncoder.begin(.webp, size: Self.size, plays: 0)
        for (image, step) in zip(images, steps) { try source.add(image, milliseconds: step.milliseconds) }
        var job = FrameJob(source: try source.finish(), target: .plan)
        job.options.aspects = [Self.aspect]
        job.options.motion = .follow
        guard let path = try await service.run(job).plan.crops[0].path, path.count == steps.count else {
            preconditionFailure("a crop for each frame")
        }
        let shown = PixelSize(width: path[0].width, height: Self.size.height)
        let whole = PixelSize(width: Self.size.width + Self.gap + shown.width, height: Self.size.height)
        let result = try AnimationEncoder.begin(.webp, size: whole, plays: 0)
        let white = DrawnFace.Colour(255, 255, 255)
        for (index, rect) in path.enumerated() {
            var scene = DrawnScene(whole, top: white, bottom: white)
            var left = scenes[index]
            Self.outline(rect, in: &left)
            scene.image(try left.image(), x: 0, y: 0)
            let crop = try images[index].rendered(FractionalRect(rect), to: shown, model: .rgb, profile: .srgb)
            scene.image(crop, x: Self.size.width + Self.gap, y: 0)
            try result.add(try scene.image(), milliseconds: steps[index].milliseconds)
        }
        return try result.finish()
    }

    /// Positions and durations of the walk: from one side to the other side and back, with a stop at each side.
    ///
    /// Durations are needed because encoders join equal frames.
    private static var steps: [(x: Int, milliseconds: Int)] {
        var steps: [(x: Int, milliseconds: Int)] = []
        for frame in 0..<frames {
            let phase = 2 * Double(frame) / Double(frames)
            let way = min(max((phase < 1 ? phase : 2 - phase) * 1.4 - 0.2, 0), 1)
            // The walk starts and ends slowly.
            let x = 60 + Int((450 * way * way * (3 - 2 * way)).rounded())
            if let last = steps.last, last.x == x {
                steps[steps.count - 1].milliseconds += milliseconds
            } else {
                steps.append((x, milliseconds))
            }
        }
        return steps
    }

    private static func scene(x: Int, in landscape: DrawnScene) -> DrawnScene {
        var person = DrawnPerson(x: x, y: 110, side: 60)
        (person.shirt, person.hair) = (DrawnFace.Colour(214, 92, 74), DrawnFace.Colour(74, 48, 32))
        var scene = landscape
        person.draw(in: &scene)
        return scene
    }

    private static func outline(_ rect: PixelRect, in scene: inout DrawnScene) {
        let (left, right) = (Double(rect.x) + 2, Double(rect.maxX) - 2)
        let (top, bottom) = (Double(rect.y) + 2, Double(rect.maxY) - 2)
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]
        for (start, end) in zip(corners, corners.dropFirst()) {
            scene.limb(from: start, radius: 2, to: end, radius: 2, DrawnFace.Colour(255, 255, 255))
        }
    }
}
