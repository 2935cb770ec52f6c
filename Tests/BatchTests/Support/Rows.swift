import Batch

/// The rows of an input in a short notation for tables.
enum Rows {
    /// The rows for arguments: `key<source{parameters}`, or `!` and the type of an error.
    static func of(
        _ arguments: [String],
        kind: InputKind? = nil,
        keys: KeyRule = .stem,
        in folder: Folder,
        output: String? = nil,
        buckets: ObjectReader? = nil
    ) throws -> [String] {
        var inputs = BatchInputs(arguments, kind: kind, keys: keys, excluding: output, buckets: buckets)
        var rows: [String] = []
        while let row = try inputs.next() {
            switch row.job {
            case .success(let job):
                let source = job.source.text.replacing(folder.path + "/", with: "")
                let own = job.parameters.map { "\($0.name)=\($0.value)" }.joined(separator: ",")
                let others = job.companions.map(\.name).joined(separator: ",")
                rows.append(
                    "\(job.key)<\(source)" + (own.isEmpty ? "" : "{\(own)}") + (others.isEmpty ? "" : "+\(others)")
                )
            case .failure(let error):
                rows.append("!\(error.type)@\(row.number)")
            }
        }
        return rows
    }

    /// The rows of a file with the given content.
    static func of(_ content: [UInt8], named name: String, keys: KeyRule = .stem) throws -> [String] {
        let folder = try Folder()
        return try of([try folder.write(content, to: name)], keys: keys, in: folder)
    }

    static func of(_ content: String, named name: String) throws -> [String] {
        try of(Array(content.utf8), named: name)
    }
}
