import Fetching
import Glibc
import Encodings
import Imaging
import Requests

struct ImageInput: Hashable, Sendable {
    /// The path of the file; nil for standard input.
    var path: String?
    /// The path relative to the given folder, or the file name.
    ///
    /// It is also the path of the result in an output folder.
    var relativePath: String
    /// Whether it was found in a given folder.
    var isInFolder = false

    /// The name in messages.
    var name: String { path ?? "standard input" }

    /// The format according to the file's signature; nil if it is unknown, and for standard input.
    var format: InputFormat? {
        path.flatMap { InputFormat.sniff(RegularFile.beginning(of: $0, count: InputFormat.signatureLength)) }
    }

    /// The inputs of a command line: files in the given order, `-` for standard input, and the images below a folder,
    /// sorted by name.
    ///
    /// A missing file is also an input: it fails when it is read, without affecting other inputs.
    ///
    /// - Throws: A ``CommandFailure`` if there are no images, for a URL, or if standard input is combined with other
    ///   images.
    static func all(_ arguments: [String]) throws(CommandFailure) -> [ImageInput] {
        if arguments.contains("-") {
            guard arguments.count == 1 else {
                throw .usage("- is standard input, which contains one image: it must be the only input")
            }
            return [ImageInput(path: nil, relativePath: "picture")]
        }
        for argument in arguments where isAddress(argument) && !PathParts.exists(argument) {
            throw .usage(
                """
                \(ParameterError.shortened(argument)) is a URL, but this command reads files; use a pipe, curl -fsSL \
                \(ShellWord.quoted(argument)) | headroom frame -, or headroom batch with a list of addresses
                """
            )
        }
        let inputs = arguments.flatMap { argument in
            PathParts.isFolder(argument)
                ? images(below: argument)
                : [ImageInput(path: argument, relativePath: PathParts.name(of: argument))]
        }
        guard !inputs.isEmpty else {
            throw CommandFailure("no images found in \(arguments.joined(separator: ", "))")
        }
        return inputs
    }

    /// Visible files with image extensions; other files are ignored.
    private static func images(below folder: String) -> [ImageInput] {
        let extensions = Set(InputFormat.allCases.flatMap(\.fileExtensions))
        let root = folder.utf8.last == UInt8(ascii: "/") ? folder : folder + "/"
        var found: [(path: String, order: [UInt8])] = []
        var folders = [""]
        while let below = folders.popLast() {
            for name in PathParts.names(in: root + below) ?? [] where name.utf8.first != UInt8(ascii: ".") {
                let path = below + name
                var status = stat()
                // Links to folders are not followed, so that the walk ends; the root itself may be a link.
                guard lstat((root + path).systemPath, &status) == 0 else { continue }
                if status.st_mode & S_IFMT == S_IFDIR {
                    folders.append(path + "/")
                } else if extensions.contains(PathParts.ending(of: name)), !PathParts.isFolder(root + path) {
                    found.append((path, FileName.bytes(of: path)))
                }
            }
        }
        return found.sorted { $0.order.lexicographicallyPrecedes($1.order) }
            .map { ImageInput(path: root + $0.path, relativePath: $0.path, isInFolder: true) }
    }

    private static func isAddress(_ text: String) -> Bool {
        ["http://", "https://", "s3://", "gs://", "abs://"].contains { text.lowercased().hasPrefix($0) }
    }
}
