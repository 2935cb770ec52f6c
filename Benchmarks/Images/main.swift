import Foundation
import Imaging

// Draws images with people for benchmarks without photos.
//
//     benchmark-images FOLDER PIXELS COUNT
//
// Each image has about PIXELS pixels, the aspect ratio of a camera, and one to four people. Grain makes the JPEG about
// as large as a photo, because decoding time depends on the number of bytes.

let arguments = CommandLine.arguments
guard arguments.count == 4, let pixels = Double(arguments[2]), pixels >= 10_000, let count = Int(arguments[3]) else {
    FileHandle.standardError.write(Data("usage: benchmark-images FOLDER PIXELS COUNT\n".utf8))
    exit(64)
}
let folder = URL(filePath: arguments[1], directoryHint: .isDirectory)
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
for number in 0..<count {
    let scene = CrowdScene(pixels: pixels, people: 1 + number % 4, isUpright: number % 3 == 2)
    let bytes = try ImageEncoder.encode(try scene.image(seed: UInt64(number + 1)), as: .jpeg, quality: 89)
    try Data(bytes).write(to: folder.appending(path: "\(number).jpg"))
}
