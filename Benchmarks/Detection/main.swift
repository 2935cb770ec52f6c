import CHOGDetector
import FaceDetection
import Foundation
import Geometry

// Measures detection by detector and by stage.
//
//     swift run -c release --static-swift-stdlib detection-benchmark [--runs N] [IMAGE.pgm …]
//
// Without arguments it draws images. Times are the best of N runs, in nanoseconds per pixel of all pyramid levels,
// so that images of all sizes are comparable. Detectors alternate, so that other load affects all of them.

var runs = 7
var images: [Image] = []
var arguments = CommandLine.arguments.dropFirst()
while let argument = arguments.popFirst() {
    if argument == "--runs", let count = arguments.popFirst().flatMap({ Int($0) }), count > 0 {
        runs = count
    } else {
        images.append(try Image(pgm: argument))
    }
}
if images.isEmpty {
    images = [(320, 240), (640, 480), (1280, 960), (1920, 1440)].map { Image.drawn(width: $0, height: $1) }
}

let clock = ContinuousClock()
let start = clock.now
let standard = try FaceDetectorModel.hog.makeDetector()
_ = try Image.drawn(width: 96, height: 96).detections(by: standard)
print("first detection \(Int((clock.now - start) / .microseconds(1))) µs after the start")

var contenders: [(name: String, detector: any FaceDetector)] = [
    ("dlib, no AVX2", try DlibDetector.frontalWithoutAVX2()),
    ("dlib", try FaceDetectorModel.dlib.makeDetector()),
]
for instructions in HOGDetector.Instructions.supported {
    contenders.append(("\(instructions)", try HOGDetector.frontal(with: instructions)))
}

var table = Table(columns: ["image", "size", "faces"] + contenders.map(\.name) + ["shrink", "features", "ratio"])
var ratios: [Double] = []
for image in images {
    var times = [Double](repeating: .infinity, count: contenders.count)
    var stages = (shrink: Double.infinity, features: Double.infinity)
    var faces = 0
    for _ in 0..<runs {
        for (i, contender) in contenders.enumerated() {
            let time = try clock.measure { faces = try image.detections(by: contender.detector).count }
            times[i] = min(times[i], time / .nanoseconds(1))
        }
        let once = image.stages(clock)
        stages = (min(stages.shrink, once.shrink), min(stages.features, once.features))
    }
    let pixels = Double(image.pyramidPixels)
    let ratio = times[1] / (times.last ?? 1)
    ratios.append(ratio)
    table.add(
        [image.name, "\(image.size.width)x\(image.size.height)", "\(faces)"]
            + (times + [stages.shrink, stages.features]).map { decimal($0 / pixels) } + [decimal(ratio)]
    )
}
print(table)
print("dlib divided by \(contenders.last?.name ?? ""): median \(decimal(ratios.sorted()[ratios.count / 2]))")
