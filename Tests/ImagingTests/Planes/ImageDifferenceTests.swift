import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

@Suite(.limitedConcurrency) struct ImageDifferenceTests {
    private let size = PixelSize(width: 10, height: 10)

    @Test func `an image does not differ from itself`() throws {
        let image = try TestImage.gradient(size)
        let difference = ImageDifference(image, image)
        #expect(difference.mean == 0 && difference.maximum == 0 && difference.psnr == .infinity)
    }

    @Test func `differences are computed sample by sample`() throws {
        let dark = try Plane(size) { _, _ in 100 }
        let spotted = try Plane(size) { x, y in x == 3 && y == 4 ? 150 : 100 }
        let difference = ImageDifference(dark, spotted)
        #expect(difference.mean == 0.5 && difference.maximum == 50)
        // A mean square of 25 is 34.15 dB below 255².
        #expect(abs(difference.psnr - 34.15) < 0.01)
    }

    @Test func `planes of different sizes have the maximum difference`() throws {
        let wide = try Plane(PixelSize(width: 20, height: 5)) { _, _ in 0 }
        #expect(ImageDifference(try Plane(size) { _, _ in 0 }, wide).mean == 255)
    }
}
