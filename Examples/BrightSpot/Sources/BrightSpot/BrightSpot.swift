import HeadroomCLI

/// Finds the brightest part of an image instead of faces.
struct BrightSpot: FaceDetector {
    let name = "bright-spot"
    let smallestDetectableSide = 16

    func detect(in image: LumaImage, threshold: Double) -> [Detection] {
        var brightest = (value: UInt8(200), x: 0, y: 0)
        image.withPixels { pixels in
            for y in 0..<image.size.height {
                let row = y * image.bytesPerRow
                for x in 0..<image.size.width where pixels[row + x] > brightest.value {
                    brightest = (pixels[row + x], x, y)
                }
            }
        }
        guard brightest.value > 200 else { return [] }
        let side = max(smallestDetectableSide, image.size.shortSide / 8)
        let box = PixelRect(x: brightest.x - side / 2, y: brightest.y - side / 2, width: side, height: side)
        return [Detection(box: box, confidence: 1)]
    }
}

@main
enum Program {
    static func main() {
        HeadroomCommand.main(detectors: [FaceDetectorModel(name: "bright-spot") { BrightSpot() }])
    }
}
