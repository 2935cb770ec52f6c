import Framing
import Geometry
import Imaging
import Pipeline
import TestPictures
import Workers

/// Somebody walks through a wide picture: the picture with two frames, and below it what each of them shows.
///
/// The red one is the centre crop. The green one is Headroom's for an animation with `motion=follow`.
struct FollowedWalk {
    let service: FrameService

    private static let size = PixelSize(width: 720, height: 270)
    private static let frameTime = 80
    private static let count = 60
    private static let gap = 12
    private static let red = DrawnFace.Colour(200, 56, 52)
    private static let green = DrawnFace.Colour(46, 140, 76)

    /// The animation as WebP.
    func picture() async throws -> [UInt8] {
        let scenes = (0..<Self.count).map(Self.scene)
        let source = try AnimationEncoder.begin(.png, size: Self.size, plays: 0, quality: nil)
        for scene in scenes { try source.add(try scene.image(), milliseconds: Self.frameTime) }
        var job = FrameJob(source: try source.finish(), answer: .plan)
        job.options.aspects = [AspectRatio(1, 1)]
        job.options.motion = .follow
        let crop = try await service.run(job).plan.crops[0]
        guard let path = crop.path, path.count == Self.count else { preconditionFailure("the crop does not move") }
        let side = Self.size.height
        let centre = PixelRect(x: (Self.size.width - side) / 2, y: 0, width: side, height: side)
        let height = 2 * side + Self.gap
        let output = try AnimationEncoder.begin(
            .webp,
            size: PixelSize(width: Self.size.width, height: height),
            plays: 0,
            quality: 75
        )
        for (scene, followed) in zip(scenes, path) {
            try output.add(try Self.sheet(scene, centre, followed, height: height), milliseconds: Self.frameTime)
        }
        return try output.finish()
    }

    /// The picture with both frames, and below it the two crops.
    private static func sheet(
        _ scene: DrawnScene,
        _ centre: PixelRect,
        _ followed: PixelRect,
        height: Int
    ) throws -> PlanarImage {
        let white = DrawnFace.Colour(255, 255, 255)
        var sheet = DrawnScene(PixelSize(width: size.width, height: height), top: white, bottom: white)
        let picture = try scene.image()
        let columns = (size.width - 2 * centre.width - 2 * gap) / 2
        for (rect, column) in [(centre, columns), (followed, size.width - columns - followed.width)] {
            sheet.picture(try part(picture, rect), x: column, y: size.height + gap)
        }
        sheet.picture(picture, x: 0, y: 0)
        outline(&sheet, centre, red)
        outline(&sheet, followed, green)
        badge(&sheet, column: columns, red)
        badge(&sheet, column: size.width - columns - followed.width, green)
        return try sheet.image()
    }

    /// A part of a picture, pixel by pixel.
    private static func part(_ picture: PlanarImage, _ rect: PixelRect) throws -> PlanarImage {
        let planes = try picture.planes.map { plane in
            try Plane(rect.size) { plane[x: rect.x + $0, y: rect.y + $1] }
        }
        return PlanarImage(size: rect.size, colorModel: .rgb, planes: planes)
    }

    private static func outline(_ scene: inout DrawnScene, _ rect: PixelRect, _ colour: DrawnFace.Colour) {
        let (left, top) = (Double(rect.x) + 2, Double(rect.y) + 2)
        let (right, bottom) = (Double(rect.x + rect.width) - 2, Double(rect.y + rect.height) - 2)
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
        for index in 0..<4 {
            scene.limb(from: corners[index], radius: 2, to: corners[(index + 1) % 4], radius: 2, colour)
        }
    }

    private static func badge(_ scene: inout DrawnScene, column: Int, _ colour: DrawnFace.Colour) {
        let (x, y) = (Double(column) + 22, Double(size.height + gap) + 22)
        scene.ellipse(x: x, y: y, radiusX: 14, radiusY: 14, DrawnFace.Colour(255, 255, 255))
        scene.ellipse(x: x, y: y, radiusX: 11, radiusY: 11, colour)
    }

    /// A frame: the walker goes from the left to the right, and waits at both ends.
    private static func scene(_ index: Int) -> DrawnScene {
        let progress = min(1, max(0, Double(index - 8) / Double(count - 17)))
        let eased = progress * progress * (3 - 2 * progress)
        var scene = Landscape.summer(size)
        let bob = index % 4 < 2 || progress == 0 || progress == 1 ? 0 : 2
        var person = DrawnPerson(x: 40 + Int(eased * 580), y: 62 - bob, side: 60)
        person.shirt = DrawnFace.Colour(214, 92, 74)
        person.hair = DrawnFace.Colour(74, 48, 32)
        person.draw(in: &scene)
        return scene
    }
}
