import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

@Suite(.limitedConcurrency) struct BuiltInStickerTests {
    @Test(arguments: BuiltInSticker.allCases) func `frames have their size and transparent edges`(
        sticker: BuiltInSticker
    ) throws {
        let frames = try sticker.frames()
        #expect(frames.count == sticker.count)
        for frame in frames {
            let alpha = try #require(frame.alpha)
            #expect(frame.size == sticker.size)
            for x in 0..<frame.size.width {
                #expect(alpha[x: x, y: 0] < 12 && alpha[x: x, y: frame.size.height - 1] < 12)
            }
            for y in 0..<frame.size.height {
                #expect(alpha[x: 0, y: y] < 12 && alpha[x: frame.size.width - 1, y: y] < 12)
            }
            let opaque = (0..<frame.size.height).reduce(0) { sum, y in
                sum + (0..<frame.size.width).count { alpha[x: $0, y: y] > 200 }
            }
            #expect((frame.size.area / 30..<frame.size.area).contains(opaque))
        }
    }

    @Test func `the halo rotates without a jump`() throws {
        let frames = try BuiltInSticker.halo.frames()
        let steps = frames.indices.map { index in
            ImageDifference(frames[index], frames[(index + 1) % frames.count]).mean
        }
        let (minimum, maximum) = (try #require(steps.min()), try #require(steps.max()))
        #expect(minimum > 0 && maximum < 2 * minimum)
    }

    @Test func `drawing keeps the pixels outside and blends by alpha`() throws {
        let size = PixelSize(width: 100, height: 80)
        let below = try TestImage.colorNoise(size, seed: 2)
        let red = try TestImage.rgb(PixelSize(width: 40, height: 20)) { _, _ in (255, 0, 0) }
        let half = try TestImage.gray(red.size) { _, _ in 128 }.planes[0]
        let place = OverlayPlace(centre: PixelPoint(x: 50, y: 40), width: 40, height: 20, roll: 0)
        for (overlay, share) in [
            (red, 1.0), (PlanarImage(size: red.size, colorModel: .rgb, planes: red.planes, alpha: half), 128.0 / 255),
        ] {
            let result = try below.drawing(overlay, at: place)
            for y in 0..<80 {
                for x in 0..<100 {
                    let old = Double(below.planes[0][x: x, y: y])
                    let new = Double(result.planes[0][x: x, y: y])
                    if (33..<67).contains(x), (33..<47).contains(y) {
                        #expect(abs(new - (old + (255 - old) * share)) < 2)
                    } else if !(29...70).contains(x) || !(29...50).contains(y) {
                        #expect(new == old)
                    }
                }
            }
        }
    }

    @Test func `drawing outside the image, and tiny or huge drawings, cause no invalid access`() throws {
        let below = try TestImage.colorNoise(PixelSize(width: 50, height: 40), seed: 3)
        let red = try TestImage.rgb(PixelSize(width: 8, height: 8)) { _, _ in (255, 0, 0) }
        for (x, side) in [(-1e9, 10.0), (1e300, 10), (25, 0.1), (.nan, 5)] {
            let place = OverlayPlace(centre: PixelPoint(x: x, y: 20), width: side, height: side, roll: 30)
            #expect(ImageDifference(try below.drawing(red, at: place), below).mean == 0)
        }
        let huge = OverlayPlace(centre: PixelPoint(x: 25, y: 20), width: 1e6, height: 1e6, roll: 12)
        let covered = try below.drawing(red, at: huge)
        #expect(covered.planes[0][x: 3, y: 3] == 255 && covered.planes[1][x: 40, y: 30] == 0)
    }
}
