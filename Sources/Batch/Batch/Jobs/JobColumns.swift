import Cryptography
import UntrustedText
import Encodings
import Requests

/// The columns of a row: `url` or `file`, `key`, and parameters of `/frame`.
enum JobColumns {
    /// Columns that are not parameters; `error` and `row`, which occur in lists of failures, are ignored.
    private static let own: Set<String> = ["url", "file", "offset", "bytes", "key", "error", "row"]
    /// The maximum length of a path or URL in bytes.
    static let maxSourceBytes = 8192

    /// The job of a row, from the names and values of its columns.
    static func job(_ columns: [(name: String, value: String)]) -> Result<BatchJob, RowError> {
        var fields: [String: String] = [:]
        var parameters: [BatchJob.Parameter] = []
        for (name, value) in columns {
            if let error = ParameterName.error(name, value) { return .failure(.row(error.sentence)) }
            guard own.contains(name) else {
                parameters.append(.init(name: name, value: value))
                continue
            }
            if fields.updateValue(value, forKey: name) != nil { return .failure(.row("Duplicate column \(name).")) }
        }
        return source(fields).map { source in
            let standard =
                switch source {
                case .file(let path), .part(let path, _, _): JobKey.path(path)
                case .url(let url): JobKey.url(url)
                }
            var job = BatchJob(key: fields["key"] ?? standard, source: source, parameters: parameters)
            job.hasOwnKey = fields["key"] != nil
            return job
        }
    }

    static func job(line: String) -> BatchJob {
        let source = isURL(line) ? JobSource.url(line) : .file(line)
        return BatchJob(key: isURL(line) ? JobKey.url(line) : JobKey.path(line), source: source)
    }

    static func isURL(_ text: String) -> Bool {
        ["http://", "https://", "s3://", "local://"].contains(where: text.bytes.begins)
    }

    private static func source(_ fields: [String: String]) -> Result<JobSource, RowError> {
        let (url, file) = (fields["url"], fields["file"])
        guard let text = url ?? file, !text.isEmpty, url == nil || file == nil else {
            return .failure(.row("The row requires either url or file."))
        }
        guard text.utf8.count <= maxSourceBytes else {
            return .failure(.row("\(url == nil ? "file" : "url") has more than \(maxSourceBytes) bytes."))
        }
        guard !text.utf8.contains(0) else { return .failure(.row("A path must not contain NUL.")) }
        guard fields["offset"] != nil || fields["bytes"] != nil else {
            return .success(url == nil ? .file(text) : .url(text))
        }
        guard url == nil, let offset = fields["offset"].flatMap({ Int(plainDigits: $0) }),
            let bytes = fields["bytes"].flatMap({ Int(plainDigits: $0) })
        else {
            return .failure(.row("offset and bytes must be whole numbers and require file."))
        }
        return .success(.part(of: text, offset..<(offset + bytes), member: nil))
    }
}

/// Default keys, for rows without the column `key`.
enum JobKey {
    /// The key of a source with ``KeyRule/path``.
    ///
    /// For an archive member, this is its name.
    static func whole(_ source: JobSource) -> String {
        switch source {
        case .file(let path), .part(let path, _, nil): cleaned(path)
        case .part(_, _, let member?): cleaned(member)
        case .url(let text): url(text, keepsExtension: true)
        }
    }

    /// The key of a file: its path without an extension, and without leading `/` and `./`.
    static func path(_ path: String) -> String {
        cleaned(RelativePath.withoutExtension(path))
    }

    private static func cleaned(_ path: String) -> String {
        let parts = path.bytes.split(separator: "/").filter { $0.bytes != "." }
        // A key must not lead out of the output folder.
        return parts.drop { $0.bytes == ".." }.joined(separator: "/")
    }

    /// The key of a URL: its host, and its path without the extension.
    ///
    /// A digest is added if the URL has a query, or if the path is not a valid file path.
    static func url(_ url: String, keepsExtension: Bool = false) -> String {
        var rest = url[...]
        if let scheme = rest.bytes.firstRange(of: "://") { rest = rest[scheme.upperBound...] }
        let address = rest.bytes.prefix(before: "?#")
        let joined = String(address).bytes.split(separator: "/").joined(separator: "/")
        let plain = keepsExtension ? cleaned(joined) : path(joined)
        if rest.endIndex == address.endIndex, RelativePath.problem(plain) == nil { return plain }
        let digest = Hexadecimal.text(Array(SHA256.digest(of: Array(url.utf8)).prefix(8)))
        let named = "\(plain)-\(digest)"
        if RelativePath.problem(named) == nil { return named }
        let host = String(address.bytes.prefix(before: "/:@"))
        return RelativePath.problem(host) == nil ? "\(host)/\(digest)" : digest
    }
}
