import Foundation

/// A folder of files with one input each.
struct SeedFolder {
    private let url: URL

    init(_ path: String) throws {
        url = URL(filePath: path, directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    func write(_ inputs: [[UInt8]]) throws {
        for (index, input) in inputs.enumerated() {
            try Data(input).write(to: url.appending(path: "seed-\(index)"))
        }
    }
}
