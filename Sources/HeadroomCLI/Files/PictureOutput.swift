import FramePipeline
import Foundation
import ImageCodec

/// Where results go.
enum PictureOutput: Equatable {
    case standardOutput
    case file(URL)
    case folder(URL)

    /// Reads `--output`.
    ///
    /// Many pictures, or a path that ends in `/` or is a folder, make it a folder; `-`, or nothing for a single picture,
    /// is standard output.
    ///
    /// - Throws: A ``CommandFailure`` when many pictures have nowhere to go.
    init(_ text: String?, inputs: [PictureInput]) throws(CommandFailure) {
        guard let text, text != "-" else {
            guard inputs.count == 1 else {
                throw CommandFailure("\(inputs.count) pictures need a folder: give --output FOLDER")
            }
            self = .standardOutput
            return
        }
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: text, isDirectory: &isFolder)
        if inputs.count > 1 || text.hasSuffix("/") || isFolder.boolValue {
            guard !exists || isFolder.boolValue else {
                throw CommandFailure("\(text): is a file, but must be a folder")
            }
            self = .folder(URL(filePath: text, directoryHint: .isDirectory))
        } else {
            self = .file(URL(filePath: text))
        }
    }

    /// Where the result of one picture goes; nil is standard output.
    ///
    /// The type of the result names the extension.
    func place(of input: PictureInput, _ image: EncodedImage) -> URL? {
        switch self {
        case .standardOutput:
            return nil
        case .file(let url):
            return url
        case .folder(let folder):
            let path = URL(filePath: input.relativePath, relativeTo: folder)
            let named = image.format.fileExtensions.contains(path.pathExtension.lowercased())
            return named ? path : path.deletingPathExtension().appendingPathExtension(image.format.fileExtensions[0])
        }
    }

    /// Writes a result.
    func write(_ image: EncodedImage, of input: PictureInput) throws(CommandFailure) {
        let place = place(of: input, image)
        do {
            guard let place else {
                try FileHandle.standardOutput.write(contentsOf: image.bytes)
                return
            }
            try FileManager.default.createDirectory(
                at: place.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(image.bytes).write(to: place, options: .atomic)
        } catch {
            throw CommandFailure("\(place?.path(percentEncoded: false) ?? "standard output"): cannot be written")
        }
    }
}
