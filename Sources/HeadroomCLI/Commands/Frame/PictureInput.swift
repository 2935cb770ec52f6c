import Foundation
import Imaging
import Requests

/// One input picture.
struct PictureInput: Hashable, Sendable {
    /// The path of the file; nil for standard input.
    var path: String?
    /// The path below the given folder, or the file name: the path of the result below an output folder.
    var relativePath: String
    /// Whether it was found in a folder that was given.
    var isInFolder = false

    /// The name in messages.
    var name: String { path ?? "standard input" }

    /// The format according to the file's signature; nil if it is unknown, and for standard input.
    var format: SourceFormat? {
        path.flatMap { SourceFormat.sniff(LocalFile.beginning(of: $0, count: SourceFormat.signatureLength)) }
    }

    /// The inputs of a command line: files in the given order, `-` for standard input, and the pictures below a
    /// folder, sorted by name.
    ///
    /// A missing file is an input as well: it fails when it is read, without affecting the others.
    ///
    /// - Throws: A ``CommandFailure`` if there are no pictures, for an address, or if standard input is combined with other pictures.
    static func all(_ arguments: [String]) throws(CommandFailure) -> [PictureInput] {
        if arguments.contains("-") {
            guard arguments.count == 1 else {
                throw .usage("- is standard input, which holds one picture and cannot stand among others")
            }
            return [PictureInput(path: nil, relativePath: "picture")]
        }
        for argument in arguments where argument.prefixMatch(of: address) != nil && !exists(argument) {
            throw .usage(
                """
                \(ParameterError.shortened(argument)) is an address, and this command reads files; use a pipe, curl -fsSL \
                \(ShellWord.quoted(argument)) | headroom frame -, or headroom batch with a list of addresses
                """
            )
        }
        let inputs = arguments.flatMap { argument in
            isFolder(argument)
                ? pictures(below: argument)
                : [PictureInput(path: argument, relativePath: NSString(string: argument).lastPathComponent)]
        }
        guard !inputs.isEmpty else {
            throw CommandFailure("there are no pictures in \(arguments.joined(separator: ", "))")
        }
        return inputs
    }

    /// Files with extensions of pictures that are not hidden; others are ignored.
    private static func pictures(below folder: String) -> [PictureInput] {
        let extensions = Set(SourceFormat.allCases.flatMap(\.fileExtensions))
        let root = folder.hasSuffix("/") ? folder : folder + "/"
        // The enumerator does not follow links, including the root itself.
        let place = URL(filePath: root).resolvingSymlinksInPath().path
        return (FileManager.default.enumerator(atPath: place)?.compactMap { $0 as? String } ?? [])
            .filter { path in
                extensions.contains(NSString(string: path).pathExtension.lowercased())
                    && !path.split(separator: "/").contains { $0.hasPrefix(".") }
                    && !isFolder(root + path)
            }
            .sorted()
            .map { PictureInput(path: root + $0, relativePath: $0, isInFolder: true) }
    }

    private nonisolated(unsafe) static let address = /(https?|s3):\/\//.ignoresCase()

    private static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}
