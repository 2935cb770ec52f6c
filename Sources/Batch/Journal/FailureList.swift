import Glibc
import HeadroomAPI

/// The jobs that failed, as JSON lines that can be the input of another run.
enum FailureList {
    /// Writes the list from the results, in their order; the last line of a key counts.
    static func write(to path: String, from results: String) throws(BatchError) {
        var last: [RowIdentity: Int] = [:]
        var number = 0
        try Journal.forEachLine(of: results) { line in
            number += 1
            last[line.identity] = line.error == nil ? nil : number
        }
        let folder = RelativePath.folder(of: path)
        if !folder.isEmpty { try PartsFolder.create(String(folder)) }
        let part = "\(path).part"
        let file = try OpenFile(part, O_WRONLY | O_CREAT | O_TRUNC)
        number = 0
        try Journal.forEachLine(of: results) { line throws(BatchError) in
            number += 1
            guard let error = line.error, last[line.identity] == number else { return }
            var columns = line.job ?? [:]
            if line.job == nil { columns["row"] = line.row }
            columns["error"] = error.detail
            try file.write(JSONDocument.bytes(of: columns))
        }
        guard rename(part, path) == 0 else { throw .system(path) }
    }
}
