import Foundation

/// One picture to work on.
struct PictureInput: Hashable, Sendable {
    /// The file; nil is standard input.
    var file: URL?
    /// Its place below the folder that was named, or its name: where the result goes below an output folder.
    var relativePath: String

    /// The name in messages.
    var name: String { file?.path(percentEncoded: false) ?? "standard input" }

    /// The bytes.
    func read() throws -> [UInt8] {
        do {
            if let file { return [UInt8](try Data(contentsOf: file)) }
            return [UInt8](try FileHandle.standardInput.readToEnd() ?? Data())
        } catch {
            throw CommandFailure("\(name): cannot be read")
        }
    }

    /// Files as they are named, `-` for standard input, and every picture below a folder, in the order of their names.
    ///
    /// - Throws: A ``CommandFailure`` that names what does not exist.
    static func all(_ arguments: [String]) throws(CommandFailure) -> [PictureInput] {
        var inputs: [PictureInput] = []
        for argument in arguments {
            if argument == "-" {
                inputs.append(PictureInput(file: nil, relativePath: "picture"))
                continue
            }
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: argument, isDirectory: &isFolder) else {
                throw CommandFailure("\(argument): no such file or folder")
            }
            let url = URL(filePath: argument)
            if isFolder.boolValue {
                inputs += pictures(below: url)
            } else {
                inputs.append(PictureInput(file: url, relativePath: url.lastPathComponent))
            }
        }
        guard !inputs.isEmpty else {
            throw CommandFailure("there are no pictures in \(arguments.joined(separator: ", "))")
        }
        return inputs
    }

    /// Only files that are named like pictures: a folder of photographs holds other things too.
    private static func pictures(below folder: URL) -> [PictureInput] {
        let extensions: Set = ["jpg", "jpeg", "jpe", "jfif", "png"]
        let paths = FileManager.default.enumerator(atPath: folder.path(percentEncoded: false))?.compactMap {
            $0 as? String
        }
        return (paths ?? [])
            .filter { extensions.contains(URL(filePath: $0).pathExtension.lowercased()) }
            .sorted()
            .map { PictureInput(file: folder.appending(path: $0), relativePath: $0) }
    }
}
