import Framing
import Geometry
import Requests
import Testing

@Suite struct ObjectPositionTests {
    @Test func `the object-position of a crop is its offset as a fraction of the available space`() {
        let size = PixelSize(width: 1000, height: 500)
        let crop = PixelRect(x: 125, y: 0, width: 500, height: 500)
        let position = ObjectPosition(of: crop, in: size)
        #expect(position.x == 25)
        #expect(position.y == 50)
    }

    @Test(arguments: [
        (Gravity.center, 50.0, 50.0), (.left, 0, 50), (.right, 100, 50), (.top, 50, 0), (.bottom, 50, 100),
        (.bottomLeft, 0, 100),
    ])
    func `the object-position of a letterboxed image follows the gravity`(
        gravity: Gravity,
        x: Double,
        y: Double
    ) throws {
        let size = PixelSize(width: 300, height: 200)
        var request = FramingRequest()
        request.fit = .pad
        request.gravity = gravity
        let frame = try Framer.frame([], in: size, aspect: AspectRatio(1, 1), request: request)
        let position = ObjectPosition(of: frame.crop, letterbox: frame.letterbox, in: size)
        #expect(position.x == x)
        #expect(position.y == y)
    }
}
