/// Rows of a CSV file (RFC 4180) whose first record names the columns; an empty field counts as absent.
struct CSVReader: RowReader {
    private var records: CSVRecords
    private let name: String
    private let columns: [String]

    /// Reads the names of the columns.
    ///
    /// - Throws: A ``BatchError`` if the first record does not name `url` or `file`.
    init(_ file: any InputFile) throws(BatchError) {
        records = CSVRecords(file)
        name = file.path
        guard let header = try records.next(), case .fields(let columns) = header.content,
            columns.contains("url") || columns.contains("file"), Set(columns).count == columns.count
        else {
            throw BatchError(usage: "\(file.path): the first line must name the columns, one of them url or file")
        }
        self.columns = columns
    }

    mutating func next() throws(BatchError) -> InputRow? {
        while let record = try records.next() {
            let job: Result<BatchJob, RowError>
            switch record.content {
            case .fields([""]): continue
            case .fields(let fields) where fields.count == columns.count:
                job = JobColumns.job(zip(columns, fields).filter { !$1.isEmpty }.map { (name: $0, value: $1) })
            case .fields(let fields):
                job = .failure(.row("The row has \(fields.count) fields, and the first line \(columns.count)."))
            case .malformed(let reason):
                job = .failure(.row(reason))
            }
            return InputRow(job: job, place: "\(name):\(record.line)", number: record.line)
        }
        return nil
    }
}
