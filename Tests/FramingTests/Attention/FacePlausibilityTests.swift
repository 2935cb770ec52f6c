import Framing
import Geometry
import Testing

/// Uncertain faces in drawn scenes.
@Suite struct FacePlausibilityTests {
    /// A patch of skin on the left and a patch of grass on the right, at a tenth of the image's size.
    private static let scene = Scene(width: 120, height: 80)
        .ellipse(x: 30, y: 40, radius: 12, Scene.skin)
        .ellipse(x: 90, y: 40, radius: 12, Scene.grass)

    private static func box(x: Int, y: Int, side: Int = 160) -> PixelRect {
        PixelRect(x: x - side / 2, y: y - side / 2, width: side, height: side)
    }

    @Test(
        arguments: [
            ([], false, "there is no box"),
            ([box(x: 300, y: 400)], true, "it has the colour of skin"),
            ([box(x: 900, y: 400)], false, "it has a colour other than skin"),
            ([box(x: 600, y: 200)], false, "it is grey where there is colour elsewhere"),
            ([box(x: 900, y: 400), box(x: 300, y: 400)], true, "one of two is enough"),
            ([box(x: 900, y: 400, side: 240)], false, "it is just not large"),
            ([box(x: 900, y: 400, side: 242)], true, "few large detections are false"),
            ([PixelRect(x: 1199, y: 799, width: 1, height: 1)], false, "it covers the last pixel only"),
            ([box(x: 300, y: 400, side: 40)], true, "it is small, and all of it is skin"),
            ([box(x: 300, y: 400, side: 8)], false, "it is too small for any amount of skin"),
        ] as [([PixelRect], Bool, Comment)]
    )
    func `an uncertain face is plausible if it is large or has the colour of skin`(
        boxes: [PixelRect],
        isPlausible: Bool,
        why: Comment
    ) {
        #expect(Self.scene.isAnyPlausible(boxes) == isPlausible, why)
    }

    @Test func `in an image without colour every uncertain face is plausible`() {
        let white = Scene.Color(220, 128, 128)
        let grey = Scene(width: 120, height: 80).ellipse(x: 90, y: 40, radius: 12, white)
        #expect(grey.isAnyPlausible([Self.box(x: 900, y: 400)]))
        #expect(!grey.isAnyPlausible([]))
    }
}

extension Scene {
    /// Whether one of the boxes is plausible in an image that is ten times as large.
    fileprivate func isAnyPlausible(_ boxes: [PixelRect]) -> Bool {
        FacePlausibility(boxes, in: PixelSize(width: size.width * 10, height: size.height * 10)).isAnyPlausible(
            in: image
        )
    }
}
