import Framing
import Geometry
import Testing

/// What a detector was not sure of, on drawn scenes.
@Suite struct FacePlausibilityTests {
    /// A patch of skin at the left and one of grass at the right, ten times as small as the image.
    private static let scene = Scene(width: 120, height: 80)
        .ellipse(x: 30, y: 40, radius: 12, Scene.skin)
        .ellipse(x: 90, y: 40, radius: 12, Scene.grass)

    private static func box(x: Int, y: Int, side: Int = 160) -> PixelRect {
        PixelRect(x: x - side / 2, y: y - side / 2, width: side, height: side)
    }

    @Test(
        arguments: [
            ([], false, "nothing was seen"),
            ([box(x: 300, y: 400)], true, "it has the colour of skin"),
            ([box(x: 900, y: 400)], false, "it has a colour, and not that of skin"),
            ([box(x: 600, y: 200)], false, "it is grey where there is colour elsewhere"),
            ([box(x: 900, y: 400), box(x: 300, y: 400)], true, "one of two is enough"),
            ([box(x: 900, y: 400, side: 240)], false, "it is just not large"),
            ([box(x: 900, y: 400, side: 242)], true, "few large ones are there by chance"),
            ([PixelRect(x: 1199, y: 799, width: 1, height: 1)], false, "the last pixel is looked at"),
            ([box(x: 300, y: 400, side: 40)], true, "it is small, and all of it is skin"),
            ([box(x: 300, y: 400, side: 8)], false, "so little skin is anywhere"),
        ] as [([PixelRect], Bool, Comment)]
    )
    func `a doubtful box may be a person where it is large or has the colour of skin`(
        boxes: [PixelRect],
        remains: Bool,
        why: Comment
    ) {
        #expect(Self.scene.remains(of: boxes) == remains, why)
    }

    @Test func `in a picture without colour every doubtful box may be a person`() {
        let white = Scene.Color(220, 128, 128)
        let grey = Scene(width: 120, height: 80, padding: 9).ellipse(x: 90, y: 40, radius: 12, white)
        #expect(grey.remains(of: [Self.box(x: 900, y: 400)]))
        #expect(!grey.remains(of: []))
    }
}

extension Scene {
    fileprivate func remains(of boxes: [PixelRect]) -> Bool {
        FacePlausibility(boxes, in: PixelSize(width: size.width * 10, height: size.height * 10)).remains(
            luma: luma.span,
            blue: blue.span,
            red: red.span,
            size: size,
            bytesPerRow: bytesPerRow
        )
    }
}
