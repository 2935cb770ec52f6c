import CDlibHOG
import Foundation

// Writes dlib's frontal face detector as Swift source: frontal-weights FILE. The plugin EmbedFrontalWeights runs it.

guard CommandLine.arguments.count == 2 else {
    FileHandle.standardError.write(Data("usage: frontal-weights FILE\n".utf8))
    exit(64)
}
do {
    let table = try FrontalTable()
    try Data(table.source.utf8).write(to: URL(fileURLWithPath: CommandLine.arguments[1]))
} catch {
    FileHandle.standardError.write(Data("frontal-weights: \(error)\n".utf8))
    exit(1)
}
