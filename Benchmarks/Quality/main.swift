import Foundation
import Geometry
import Imaging

// quality-benchmark FOLDER [SIDE…]: prints the tables of docs/quality.md and docs/contributing/image-quality.md, from the
// JPEG photos in a folder.
//
// Each photo is scaled to a longer side of SIDE pixels (400, 800 and 1600) and encoded on one thread. SSIM is computed on
// luma.

var arguments = Array(CommandLine.arguments.dropFirst())
guard let folder = arguments.first else {
    print("usage: quality-benchmark FOLDER [SIDE…]")
    exit(64)
}
let sides = arguments.dropFirst().compactMap { Int($0) }
let photographs = Photograph.all(in: folder, maximum: 12)
guard !photographs.isEmpty else {
    print("no JPEG photographs of enough pixels in \(folder)")
    exit(1)
}
for side in sides.isEmpty ? [400, 800, 1600] : sides {
    let images = photographs.compactMap { $0.scaled(to: side) }
    guard !images.isEmpty else { continue }
    print("\n\(images.count) photographs, longer side \(side)\n")
    EffortTable(images).print()
    QualityTable(images).print()
}
