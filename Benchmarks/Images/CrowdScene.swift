import Geometry
import Imaging
import TestImages

/// People side by side in front of hills, with the grain of a photo.
struct CrowdScene {
    typealias Colour = DrawnFace.Colour

    private let size: PixelSize
    private let people: Int

    /// A scene of about `pixels` pixels, 4:3 or upright 3:4.
    init(pixels: Double, people: Int, isUpright: Bool) {
        let long = (pixels * 4 / 3).squareRoot()
        let short = long * 3 / 4
        size = PixelSize(
            width: Int((isUpright ? short : long).rounded()),
            height: Int((isUpright ? long : short).rounded())
        )
        self.people = people
    }

    /// Returns the scene as input for the encoders; the seed determines the grain.
    func image(seed: UInt64) throws -> PlanarImage {
        var scene = DrawnScene(size, top: Colour(92, 160, 222), bottom: Colour(226, 240, 246))
        let width = Double(size.width)
        let height = Double(size.height)
        scene.hills(crest: height * 0.5, valley: height * 0.6, length: width * 0.7, phase: 0.2, Colour(118, 172, 118))
        let side = Int(Double(size.shortSide) / Double(people + 3))
        for index in 0..<people {
            let middle = size.width * (2 * index + 1) / (2 * people)
            DrawnPerson(x: middle - side / 2, y: size.height / 3, side: side).draw(in: &scene)
        }
        let image = try scene.image()
        var generator = SeededGenerator(seed: seed)
        let planes = try image.planes.map { plane in
            try Plane(size) { x, y in
                // The sum of four random numbers approximates the noise distribution of a sensor.
                let bits = generator.next()
                let sum = (bits & 7) + (bits >> 8 & 7) + (bits >> 16 & 7) + (bits >> 24 & 7)
                return UInt8(clamping: Int(plane[x: x, y: y]) + Int(sum) - 14)
            }
        }
        return PlanarImage(size: size, colorModel: .rgb, planes: planes)
    }
}
