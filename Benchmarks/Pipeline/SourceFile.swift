import Foundation
import Imaging

/// An image for the benchmark.
struct SourceFile {
    let bytes: [UInt8]
    let header: ImageHeader

    /// Reads a file.
    init(path: String) throws {
        bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        header = try ImageHeader.read(bytes)
    }
}
