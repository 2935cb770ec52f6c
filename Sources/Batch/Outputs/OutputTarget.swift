/// Where results go.
package enum OutputTarget: Sendable, Equatable {
    /// Files below a folder.
    case folder(String)
    /// Members of a tar archive.
    case archive(String)
    /// Nowhere: only plans are wanted.
    case plans

    /// The target of `--output`: an archive if the name ends in `.tar`.
    package init(_ path: String) {
        let trimmed = path.count > 1 && path.last == "/" ? String(path.dropLast()) : path
        self = RelativePath.pathExtension(path) == "tar" ? .archive(path) : .folder(trimmed)
    }

    /// The file of the results without `--results`; nil without a target.
    package var results: String? {
        switch self {
        case .folder(let path): "\(path)/results.jsonl"
        case .archive(let path): "\(path).results.jsonl"
        case .plans: nil
        }
    }

    /// The word in the digest of settings.
    var word: String {
        switch self {
        case .folder: "folder"
        case .archive: "archive"
        case .plans: "plans"
        }
    }

    /// The hidden folder of unfinished files; nil without a target.
    var parts: String? {
        switch self {
        case .folder(let path): return "\(path)/\(RelativePath.reserved)"
        case .archive(let path):
            let start = RelativePath.folderEnd(of: path)
            return "\(path[..<start])\(RelativePath.reserved)-\(path[start...])"
        case .plans: return nil
        }
    }
}
