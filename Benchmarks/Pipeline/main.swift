import Foundation

// Measures the parts of a crop on one thread without HTTP. Prints JSON.
//
//     pipeline-benchmark kernels ROUNDS IMAGE.jpg …
//     pipeline-benchmark crops ACCURACY SECONDS IMAGE.jpg …
//
// `kernels` measures decoding, scaling and encoding of each image separately. `crops` computes crops of 400 by 300 pixels
// like the service, and prints the time of each stage.

func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("\(message)\n".utf8))
    exit(64)
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 3 else { fail("usage: pipeline-benchmark kernels|crops … IMAGE.jpg …") }
switch arguments[0] {
case "kernels":
    guard let rounds = Int(arguments[1]), rounds > 0 else { fail("not a number of rounds: \(arguments[1])") }
    try KernelBenchmark(rounds: rounds).run(arguments[2...].map(SourceFile.init)).print()
case "crops":
    guard let benchmark = CropBenchmark(accuracy: arguments[1], seconds: arguments[2]) else {
        fail("not an accuracy and a number of seconds: \(arguments[1]) \(arguments[2])")
    }
    try await benchmark.run(arguments[3...].map(SourceFile.init)).print()
default:
    fail("neither kernels nor crops: \(arguments[0])")
}

extension Encodable {
    /// Writes the value to standard output as a line of JSON.
    func print() throws {
        FileHandle.standardOutput.write(try JSONEncoder().encode(self) + Data("\n".utf8))
    }
}
