import Encodings
import Fetching
import Glibc

/// The rows of all arguments, in order.
package struct BatchInputs: Sendable {
    private var arguments: ArraySlice<String>
    private let kind: InputKind?
    private let keys: KeyRule
    private let excluded: String?
    private let buckets: ObjectReader?
    private var reader: (any RowReader)?
    /// The arguments that were opened, with patterns replaced by their paths.
    private(set) var opened: [String] = []
    private var rows = 0

    /// Rows of files, folders, patterns, URLs and standard input.
    ///
    /// - Parameters:
    ///   - arguments: The arguments of the command line.
    ///   - kind: The kind of all arguments; nil to determine it for each argument.
    ///   - keys: The rule for the keys of rows without a key.
    ///   - output: The output folder or its `s3:` URL without a slash at the end. Inputs in it are skipped.
    ///   - buckets: Lists and reads `s3:` URLs of folders, lists and archives; nil if only images may be in buckets.
    package init(
        _ arguments: [String],
        kind: InputKind? = nil,
        keys: KeyRule = .stem,
        excluding output: String? = nil,
        buckets: ObjectReader? = nil
    ) {
        self.arguments = arguments[...]
        self.kind = kind
        self.keys = keys
        excluded = output
        self.buckets = buckets
    }

    /// The next row; nil at the end.
    ///
    /// - Throws: A ``BatchError`` if an input cannot be read.
    package mutating func next() throws(BatchError) -> InputRow? {
        while true {
            if var row = try reader?.next() {
                rows += 1
                row.input = opened.count - 1
                if row.number == 0 { row.number = rows }
                if keys == .path, case .success(var job) = row.job, !job.hasOwnKey {
                    job.key = JobKey.whole(job.source)
                    row.job = .success(job)
                }
                return row
            }
            guard let argument = arguments.popFirst() else { return nil }
            reader = try open(argument)
            opened.append(argument)
            rows = 0
        }
    }

    /// Rejects an output whose results would be read as images.
    ///
    /// - Throws: A usage error if the output is an input, or if an input is in the output's folder of a bucket.
    package func checkOutput() throws(BatchError) {
        guard let excluded else { return }
        let output = try excludedObjects()
        for argument in arguments {
            let isInside: Bool
            if Self.isObject(argument) {
                let place = try Self.object(argument)
                isInside = argument.last == "/" && output?.contains(place) == true
            } else {
                isInside = FileIdentity(argument).map { $0 == FileIdentity(excluded) } ?? false
            }
            guard isInside else { continue }
            throw BatchError(
                usage:
                    "--output=\(excluded) is also an input (\(argument)), so outputs would be read as images. Choose "
                    + "another output, such as a subfolder."
            )
        }
    }

    /// The name of a row in messages.
    func name(input: Int, number: Int) -> String {
        Self.name(in: opened, input: input, number: number)
    }

    static func name(in opened: [String], input: Int, number: Int) -> String {
        opened.indices.contains(input) ? "\(opened[input]):\(number)" : "an earlier run"
    }

    private mutating func open(_ argument: String) throws(BatchError) -> any RowReader {
        if argument == "-" {
            guard let kind, kind != .folder, kind != .image else {
                throw BatchError(usage: "- is standard input: set its kind with --from txt, jsonl, csv or tar")
            }
            return try reader(of: argument, kind)
        }
        if Self.isObject(argument) { return try objects(argument, kind) ?? image(argument) }
        if kind == nil, JobColumns.isURL(argument) { return image(argument) }
        if access(argument.systemPath, F_OK) != 0, argument.contains(where: { "*?[".contains($0) }) {
            arguments = try Self.paths(matching: argument) + arguments
            return SingleRow(row: nil)
        }
        return try reader(of: argument, kind ?? InputKind(argument))
    }

    private func reader(of argument: String, _ kind: InputKind) throws(BatchError) -> any RowReader {
        switch kind {
        case .folder: try FolderReader(argument, excluding: excluded)
        case .image: image(argument)
        case .list, .jsonLines, .csv, .tar: try reader(of: try OpenFile(argument), kind)
        }
    }

    private func reader(of file: any InputFile, _ kind: InputKind) throws(BatchError) -> any RowReader {
        switch kind {
        case .jsonLines: ListReader(file, .jsonLines)
        case .csv: try CSVReader(file)
        case .tar: try TarReader(file)
        case .list, .folder, .image: ListReader(file, .names)
        }
    }

    private func image(_ argument: String) -> SingleRow {
        var job = JobColumns.job(line: argument)
        // Uses only the file name, as `headroom frame` does for its outputs.
        if case .file(let path) = job.source {
            job.key = JobKey.path(String(path[RelativePath.folderEnd(of: path)...]))
        }
        return SingleRow(row: InputRow(job: .success(job), place: argument))
    }

    /// The paths that match a pattern of glob(7), sorted.
    private static func paths(matching pattern: String) throws(BatchError) -> ArraySlice<String> {
        var found = glob_t()
        defer { globfree(&found) }
        guard glob(pattern.systemPath, 0, nil, &found) == 0 else { throw BatchError("\(pattern): no file matches") }
        return (0..<Int(found.gl_pathc)).compactMap { found.gl_pathv[$0].map { FileName.text(of: $0) } }[...]
    }
}

extension BatchInputs {
    /// Whether an argument is the URL of a bucket or of an object.
    package static func isObject(_ argument: String) -> Bool { argument.prefix(5).lowercased() == "s3://" }

    /// The rows of an argument in a bucket; nil for a single image.
    private func objects(_ argument: String, _ kind: InputKind?) throws(BatchError) -> (any RowReader)? {
        let isPattern = argument.contains { ObjectLister.wildcards.contains($0) }
        let kind = kind ?? (isPattern ? .folder : InputKind(object: argument))
        if kind == .image { return nil }
        guard let buckets else { throw BatchError(usage: "\(argument): s3: URLs are disabled; set --s3-buckets") }
        let place = try Self.object(argument)
        guard kind == .folder else { return try reader(of: ObjectFile(place, buckets), kind) }
        let output = try excludedObjects()
        return ObjectLister(isPattern ? place : place.folder, isPattern: isPattern, buckets, excluding: output)
    }

    /// The output folder in a bucket; nil if the output is not in a bucket.
    private func excludedObjects() throws(BatchError) -> ObjectPlace? {
        guard let excluded, Self.isObject(excluded) else { return nil }
        return try Self.object(excluded + "/")
    }

    private static func object(_ text: String) throws(BatchError) -> ObjectPlace {
        do throws(FetchError) {
            return try ObjectPlace(text)
        } catch {
            throw BatchError(usage: "\(text): \(error)")
        }
    }
}

extension ObjectPlace {
    /// Whether the keys of another place start with the key of this place.
    fileprivate func contains(_ other: ObjectPlace) -> Bool {
        bucket == other.bucket && other.key.utf8.starts(with: key.utf8)
    }
}

extension InputKind {
    /// The kind of a place in a bucket: a folder if it ends with a slash, or is a bucket.
    fileprivate init(object: String) {
        let isBucket = !object.dropFirst(5).contains("/")
        self = isBucket || object.hasSuffix("/") ? .folder : InputKind(named: object)
    }
}

/// The form of an input; the raw values name it on the command line.
package enum InputKind: String, CaseIterable, Sendable {
    /// All images below a folder.
    case folder
    /// One image.
    case image
    /// A text file with a path or a URL per line.
    case list = "txt"
    /// A text file with a JSON object per line.
    case jsonLines = "jsonl"
    /// CSV with the names of columns in its first line.
    case csv
    /// A tar archive in WebDataset's order.
    case tar

    /// The kind of an argument that is not a pattern: a folder if its path is a folder, otherwise by its extension.
    init(_ argument: String) {
        var status = stat()
        if stat(argument.systemPath, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            self = .folder
            return
        }
        self.init(named: argument)
    }

    init(named argument: String) {
        switch RelativePath.pathExtension(argument) {
        case "txt": self = .list
        case "jsonl", "ndjson": self = .jsonLines
        case "csv": self = .csv
        case "tar": self = .tar
        default: self = .image
        }
    }
}
