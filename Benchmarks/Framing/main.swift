import Foundation

// Runs framing without detection, so that constants can be compared in seconds.
//
//     framing-benchmark constants
//     framing-benchmark record ACCURACY FOLDER FILE… > rows.jsonl
//     framing-benchmark crop rows.jsonl ASPECT… < constants.jsonl
//
// `constants` writes the program's constants. `record` searches images, and writes one JSON line for each image: its people,
// or its attention profile if no people were found. `crop` reads one JSON object per line, such as
// {"people": {"smallShare": 0.8}, "padding": 0.05}, with constants that differ from the program's constants. For each
// object it writes one line with a list of crops [x, y, width, height] for each row, one crop for each aspect ratio.

func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("\(message)\n".utf8))
    exit(64)
}

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments == ["constants"] {
    try CropComparison.constants().print()
    exit(0)
}
guard arguments.count >= 3 else { fail("usage: framing-benchmark constants|record|crop …") }
switch arguments[0] {
case "record":
    try Recorder(accuracy: arguments[1], folder: arguments[2]).record(Array(arguments[3...]))
case "crop":
    let croppers = try CropComparison(rows: arguments[1], aspects: Array(arguments[2...]))
    while let line = readLine() { try croppers.crops(with: Data(line.utf8)).print() }
default:
    fail("neither record nor crop: \(arguments[0])")
}

extension Encodable {
    /// Writes the value to standard output as a line of JSON.
    func print() throws {
        FileHandle.standardOutput.write(try JSONEncoder().encode(self) + Data("\n".utf8))
    }
}
