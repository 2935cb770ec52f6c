import Encodings
import Fetching
import Imaging
import Pipeline

enum ImageFileOutput: Equatable {
    case standardOutput
    case file(String)
    case folder(String)

    /// Interprets `--output`.
    ///
    /// The value names a folder if there are several images, if the images come from a folder, if the path ends in `/`,
    /// or if it is an existing folder. `-` is standard output. Without the option, a single image also goes to standard
    /// output.
    ///
    /// - Parameters:
    ///   - text: The option's value.
    ///   - inputs: The images.
    ///   - format: The format of all results; nil keeps the source's format.
    /// - Throws: A ``CommandFailure`` if there is no destination, if its extension does not belong to a format, or if a
    ///   result would overwrite another result or one of the inputs.
    init(_ text: String?, inputs: [ImageInput], format: OutputFormat?) throws(CommandFailure) {
        guard let text, text != "-" else {
            guard inputs.count == 1 else {
                throw .usage("\(inputs.count) images require a folder: give --output FOLDER")
            }
            guard !StandardStream.output.isTerminal else {
                throw .usage("standard output is a terminal: give --output FILE, or redirect the output")
            }
            self = .standardOutput
            return
        }
        guard !text.isEmpty else { throw .usage("--output requires the name of a file or folder") }
        let isFolder = PathParts.isFolder(text)
        if inputs.count > 1 || inputs.contains(where: \.isInFolder) || text.hasSuffix("/") || isFolder {
            guard isFolder || !PathParts.exists(text) else {
                let what = inputs.count > 1 ? "\(inputs.count) images require" : "the images of a folder require"
                throw .usage("--output=\(text) is a file; \(what) a folder")
            }
            self = .folder(text)
        } else {
            let ending = PathParts.ending(of: text)
            guard format != nil || ending.isEmpty || Self.format(named: text) != nil else {
                let known = OutputFormat.allCases.map { ".\($0.fileExtensions[0])" }.joined(separator: ", ")
                throw .usage(
                    "--output=\(text): .\(ending) is not one of \(known); set --format to use another extension"
                )
            }
            self = .file(text)
        }
        try checkPlaces(of: inputs, format)
    }

    /// The format according to the extension of the output file; nil without an extension.
    static func format(named text: String?) -> OutputFormat? {
        let name = text.map { PathParts.ending(of: $0) }
        return OutputFormat.allCases.first { name.map($0.fileExtensions.contains) ?? false }
    }

    func write(_ image: EncodedImage, of input: ImageInput) throws {
        if let place = place(of: input, image.format) {
            try LocalFile.write(image.bytes, to: place)
        } else {
            try StandardStream.output.write(image.bytes)
        }
    }

    /// The path of one image's result, with an extension for its format; nil for standard output.
    private func place(of input: ImageInput, _ format: OutputFormat) -> String? {
        switch self {
        case .standardOutput: return nil
        case .file(let path): return path
        case .folder(let folder):
            let path = (folder.utf8.last == UInt8(ascii: "/") ? folder : folder + "/") + input.relativePath
            if format.fileExtensions.contains(PathParts.ending(of: path)) { return path }
            return "\(PathParts.withoutEnding(path)).\(format.fileExtensions[0])"
        }
    }

    /// Checks all paths before anything is written, because overwritten files are lost.
    private func checkPlaces(of inputs: [ImageInput], _ format: OutputFormat?) throws(CommandFailure) {
        var sources: [FileIdentity: ImageInput] = [:]
        for input in inputs {
            if let identity = input.path.flatMap(FileIdentity.init) { sources[identity] = input }
        }
        var taken: [[UInt8]: ImageInput] = [:]
        var problems: [String] = []
        for input in inputs {
            // An input that is not an image has no output; its error is reported when it is processed.
            guard let source = input.format else { continue }
            let results = format.map { [$0] } ?? ImageOutput.formats(for: source)
            for place in Set(results.compactMap { place(of: input, $0) }) {
                if let other = taken.updateValue(input, forKey: FileName.bytes(of: place)) {
                    problems.append("\(other.name) and \(input.name) would both be written to \(place)")
                }
                if let source = FileIdentity(place).flatMap({ sources[$0] }) {
                    problems.append("the output of \(input.name) would replace the image \(source.name)")
                }
            }
        }
        if !problems.isEmpty { throw .usage(problems) }
    }
}
