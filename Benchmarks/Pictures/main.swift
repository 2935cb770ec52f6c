import Foundation
import Framing
import HeadroomTesting
import ImageCodec

// Draws pictures with people in them, for benchmarks where there are no photographs.
//
//     benchmark-pictures FOLDER PIXELS COUNT
//
// Each has about so many pixels, the shape of a camera's picture, and as many people as its number says. Grain makes a
// JPEG of it about as large as a photograph's, for decoding takes time by the byte.

let arguments = CommandLine.arguments
guard arguments.count == 4, let pixels = Double(arguments[2]), pixels >= 10_000, let count = Int(arguments[3]) else {
    FileHandle.standardError.write(Data("usage: benchmark-pictures FOLDER PIXELS COUNT\n".utf8))
    exit(64)
}
let folder = URL(filePath: arguments[1], directoryHint: .isDirectory)
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
for number in 0..<count {
    let scene = CrowdScene(pixels: pixels, people: 1 + number % 4, isUpright: number % 3 == 2)
    let bytes = try ImageEncoder.encode(try scene.picture(seed: UInt64(number + 1)), as: .jpeg, quality: 89)
    try Data(bytes).write(to: folder.appending(path: "\(number).jpg"))
}
