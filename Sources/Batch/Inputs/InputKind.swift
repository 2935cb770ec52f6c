import Glibc

/// The kinds of inputs.
package enum InputKind: String, CaseIterable, Sendable {
    /// All pictures below a folder.
    case folder
    /// One picture.
    case picture
    /// A text file with a path or a URL a line.
    case list = "txt"
    /// A text file with a JSON object a line.
    case jsonLines = "jsonl"
    /// CSV with the names of columns in its first line.
    case csv
    /// A tar archive in WebDataset's order.
    case tar

    /// The kind of an argument that is no pattern: by what is there, else by its extension.
    init(_ argument: String) {
        var status = stat()
        if stat(argument, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            self = .folder
            return
        }
        self.init(named: argument)
    }

    /// The kind of a file by its extension.
    init(named argument: String) {
        switch RelativePath.pathExtension(argument) {
        case "txt": self = .list
        case "jsonl", "ndjson": self = .jsonLines
        case "csv": self = .csv
        case "tar": self = .tar
        default: self = .picture
        }
    }
}
