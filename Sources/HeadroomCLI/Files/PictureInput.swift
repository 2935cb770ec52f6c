import Foundation
import ImageCodec

/// One picture to work on.
struct PictureInput: Hashable, Sendable {
    /// The file; nil is standard input.
    var path: String?
    /// Its place below the folder that was named, or its name: where the result goes below an output folder.
    var relativePath: String

    /// The name in messages.
    var name: String { path ?? "standard input" }

    /// The format that the file's first bytes tell; nil when they tell none, and for standard input.
    var format: ImageFormat? {
        path.flatMap { ImageFormat.sniff(LocalFile.beginning(of: $0, count: 64)) }
    }

    /// Files as they are named, `-` for standard input, and every picture below a folder, in the order of their names.
    ///
    /// A file that is not there is an input as well: it fails when its turn comes, and the others do not.
    ///
    /// - Throws: A ``CommandFailure`` when there is nothing to work on, or standard input among other pictures.
    static func all(_ arguments: [String]) throws(CommandFailure) -> [PictureInput] {
        if arguments.contains("-") {
            guard arguments.count == 1 else {
                throw .usage("- is standard input, which holds one picture and cannot stand among others")
            }
            return [PictureInput(path: nil, relativePath: "picture")]
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

    /// Only files that are named like pictures and are not hidden: a folder of photographs holds other things too.
    private static func pictures(below folder: String) -> [PictureInput] {
        let extensions = Set(ImageFormat.allCases.flatMap(\.fileExtensions))
        let root = folder.hasSuffix("/") ? folder : folder + "/"
        // The enumerator does not look behind a link, not even the one that it is given.
        let place = URL(filePath: root).resolvingSymlinksInPath().path
        return (FileManager.default.enumerator(atPath: place)?.compactMap { $0 as? String } ?? [])
            .filter { path in
                extensions.contains(NSString(string: path).pathExtension.lowercased())
                    && !path.split(separator: "/").contains { $0.hasPrefix(".") }
                    && !isFolder(root + path)
            }
            .sorted()
            .map { PictureInput(path: root + $0, relativePath: $0) }
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}
