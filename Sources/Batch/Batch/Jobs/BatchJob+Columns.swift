extension BatchJob {
    /// Columns that ``JobColumns`` parses to the same job.
    var columns: [String: String] {
        var columns = Dictionary(parameters.map { ($0.name, $0.value) }) { $1 }
        columns["key"] = key
        switch source {
        case .file(let path): columns["file"] = path
        case .url(let url): columns["url"] = url
        case .part(let path, let range, _):
            columns["file"] = path
            columns["offset"] = "\(range.lowerBound)"
            columns["bytes"] = "\(range.count)"
        }
        return columns
    }
}
