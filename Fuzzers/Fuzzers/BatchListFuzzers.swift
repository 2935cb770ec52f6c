@testable import Batch
import Encodings

extension Fuzzer {
    /// JSON Lines and lists of names for `headroom batch`.
    ///
    /// Invariant: the columns of a job, written to a list of failures, parse to the same job.
    static let batchLines = Fuzzer(name: "batch-lines", maxLength: 2048) {
        [
            #"{"file":"a.jpg","width":4e2,"losslessCrop":true,"zoom":null}"#,
            #"{"url":"s3://b/c?versionId=1","key":"\ud83d\ude00","aspect":"1:1,16:9"}"#,
            #"{"file":"s.tar","offset":512,"bytes":10,"key":"k"}"#, "\u{FEFF}a.jpg\r\nhttps://h/b.png?c\n../d\n\n/e",
            #"{"error":"why","row":"x:1","url":"https://[::1]:80//","file":null}"#,
        ].map { Array($0.utf8) }
    } run: { input in
        let bytes = Array(input)
        for grammar in [ListReader.Grammar.names, .jsonLines] {
            let maximum = bytes.count { $0 == 0x0A } + 1
            for row in FuzzedFile.rows(ListReader(FuzzedFile.with(bytes), grammar), maximum: maximum) { check(row) }
        }
    }

    /// CSV for `headroom batch`.
    ///
    /// Invariant: records that are written with quotation marks parse to the same records.
    static let batchCSV = Fuzzer(name: "batch-csv", maxLength: 2048) {
        [
            "file,key,aspect\r\n\"a\"\"b\nc.jpg\",k,1:1\r\nd.jpg,,\r\n", "\u{FEFF}url\nhttps://h/a,b\n\n\"\"\n",
            "file,offset,bytes\ns.tar,512,9\n\"never closed\r\n",
            "\"key\",\"file\"\na\"b,c\n\"d\"e,f\n\"g\r\n\r\n\",h\r",
        ].map { Array($0.utf8) }
    } run: { input in
        let bytes = Array(input)
        let lines = bytes.count { $0 == 0x0A } + 1
        if let reader = try? CSVReader(FuzzedFile.with(bytes)) {
            for row in FuzzedFile.rows(reader, maximum: lines) { check(row) }
        }
        var records = Fuzzer.records(of: bytes)
        precondition(records.count <= lines, "more records than lines")
        records.removeAll { $0.contains("\0") }
        let written = records.map { fields in
            fields.map { "\"\($0.replacing("\"", with: "\"\""))\"" }.joined(separator: ",") + "\r\n"
        }
        precondition(
            Fuzzer.records(of: FileName.bytes(of: written.joined())) == records,
            "records change when they are written"
        )
    }

    private static func records(of bytes: [UInt8]) -> [[String]] {
        var (reader, found) = (CSVRecords(FuzzedFile.with(bytes)), [[String]]())
        while let record = try? reader.next() {
            if case .fields(let fields) = record.content { found.append(fields) }
        }
        return found
    }

    /// Traps unless the columns of a job parse to the same job.
    private static func check(_ row: InputRow) {
        guard case .success(let job) = row.job else { return }
        let text = job.source.text
        precondition(!text.isEmpty && text.utf8.count <= JobColumns.maxSourceBytes + 32, "a source beyond its limit")
        // A repeated column is rejected later, when parameters are parsed.
        guard Set(job.parameters.map(\.name)).count == job.parameters.count else { return }
        guard case .success(let again) = JobColumns.job(job.columns.map { (name: $0.key, value: $0.value) }) else {
            preconditionFailure("the columns of a job are not a row")
        }
        precondition(again.key == job.key && Set(again.parameters) == Set(job.parameters), "another job")
        if case .url(let url) = job.source, JobKey.url(url) == job.key {
            precondition(RelativePath.problem(job.key) == nil, "the key of a URL cannot be a path")
        }
    }
}
