package import Fetching
package import Imaging

/// The destination of results.
package enum OutputTarget: Sendable, Equatable {
    /// Files below a folder.
    case folder(String)
    /// Members of a tar archive.
    case archive(String)
    /// Objects below a key prefix, which is empty or ends with a slash.
    case objects(ObjectPlace)
    /// A tar archive in a bucket. It grows in a hidden folder of this machine and is uploaded when complete.
    case objectArchive(ObjectPlace, hidden: String)
    /// No output: the run writes plans only.
    case plans

    /// The target of `--output`: an archive if the name ends in `.tar`.
    ///
    /// - Parameters:
    ///   - path: A path or an `s3:` URL.
    ///   - results: The file of results; an archive for a bucket grows next to it.
    /// - Throws: A ``BatchError`` for an invalid URL, and for a URL if `results` is nil.
    package init(_ path: String, results: String? = nil) throws(BatchError) {
        let isArchive = RelativePath.pathExtension(path) == "tar"
        guard BatchInputs.isObject(path) else {
            let trimmed = path.count > 1 && path.last == "/" ? String(path.dropLast()) : path
            self = isArchive ? .archive(path) : .folder(trimmed)
            return
        }
        guard let results else {
            throw BatchError(usage: "--output=\(path) requires --results FILE, a local file.")
        }
        let place: ObjectPlace
        do throws(FetchError) { place = try ObjectPlace(path) } catch {
            throw BatchError(usage: "--output=\(path) is not valid: \(error)")
        }
        if isArchive {
            self = .objectArchive(place, hidden: RelativePath.hidden(beside: results))
        } else {
            self = .objects(place.folder)
        }
    }

    /// The default results file; nil if `--results` is required.
    package var results: String? {
        switch self {
        case .folder(let path): "\(path)/results.jsonl"
        case .archive(let path): "\(path).results.jsonl"
        case .objects, .objectArchive, .plans: nil
        }
    }

    /// The place in a bucket; nil for files and archives.
    package var place: ObjectPlace? {
        switch self {
        case .objects(let place), .objectArchive(let place, _): place
        case .folder, .archive, .plans: nil
        }
    }

    var isArchive: Bool {
        switch self {
        case .archive, .objectArchive: true
        case .folder, .objects, .plans: false
        }
    }

    /// The output folder or its `s3:` URL, without a slash at its end.
    ///
    /// Inputs in it are skipped; nil without a folder.
    package var excluded: String? {
        switch self {
        case .folder(let path): path
        case .objects(let place): String(place.url.dropLast())
        case .archive, .objectArchive, .plans: nil
        }
    }

    /// The text in the digest of settings.
    ///
    /// It includes the place in a bucket, because the journal of a run with a bucket is not stored next to its results.
    var word: String {
        switch self {
        case .folder: "folder"
        case .archive: "archive"
        case .objects(let place), .objectArchive(let place, _): place.url
        case .plans: "plans"
        }
    }

    /// The hidden folder of unfinished files; nil if there is none.
    var parts: String? {
        switch self {
        case .folder(let path): "\(path)/\(RelativePath.reserved)"
        case .archive(let path): RelativePath.hidden(beside: path)
        case .objectArchive(_, let hidden): hidden
        case .objects, .plans: nil
        }
    }
}

/// The template of results' paths, such as `{key}-{aspect}.{format}`.
package struct OutputName: Sendable {
    private enum Part: Equatable {
        case text(Substring)
        case key, aspect, format
    }

    package let text: String
    private let parts: [Part]

    /// Parses a template.
    ///
    /// - Throws: A ``BatchError`` for an unknown word in braces, and without `{key}`.
    package init(_ text: String) throws(BatchError) {
        self.text = text
        var parts: [Part] = []
        var rest = text[...]
        while !rest.isEmpty {
            guard rest.first == "{" else {
                let plain = rest.prefix { $0 != "{" }
                parts.append(.text(plain))
                rest = rest[plain.endIndex...]
                continue
            }
            let word = rest.dropFirst().prefix { $0 != "}" }
            switch word {
            case "key": parts.append(.key)
            case "aspect": parts.append(.aspect)
            case "format": parts.append(.format)
            default:
                throw BatchError(usage: "--name=\(text) is not valid: expected {key}, {aspect} and {format} only.")
            }
            guard word.endIndex < rest.endIndex else {
                throw BatchError(usage: "--name=\(text) is not valid: a brace is not closed.")
            }
            rest = rest[rest.index(after: word.endIndex)...]
        }
        guard parts.contains(.key) else {
            throw BatchError(
                usage: "--name=\(text) is not valid: expected {key}, so that outputs do not replace each other."
            )
        }
        self.parts = parts
    }

    /// The default template.
    ///
    /// In an archive, the part before the first dot is the key of a sample.
    static func standard(isArchive: Bool, hasSeveral: Bool) -> OutputName {
        let aspect = [Part.text(isArchive ? "." : "-"), .aspect]
        return OutputName([.key] + (hasSeveral ? aspect : []) + [.text("."), .format])
    }

    private init(_ parts: [Part]) {
        self.parts = parts
        text = ""
    }

    /// Whether paths of several aspect ratios differ.
    var hasAspect: Bool { parts.contains(.aspect) }

    /// The path of a result; if the format is nil, the word in braces is kept.
    package func path(key: String, aspect: String, format: OutputFormat?) -> String {
        parts.map { part in
            switch part {
            case .text(let text): String(text)
            case .key: key
            // 16x9
            case .aspect: aspect.replacing(":", with: "x")
            case .format: format?.fileExtensions[0] ?? "{format}"
            }
        }.joined()
    }
}
