import Requests

/// Rows of a text file: a path or a URL a line, or a JSON object a line.
struct ListReader: RowReader {
    /// What a line is.
    enum Grammar {
        case names
        case jsonLines
    }

    private var lines: LineReader
    private let grammar: Grammar
    private let name: String
    private var number = 0

    init(_ file: any InputFile, _ grammar: Grammar) {
        lines = LineReader(file, limit: RowLimits.maxBytes)
        self.grammar = grammar
        name = file.path
    }

    mutating func next() throws(BatchError) -> InputRow? {
        while let line = try lines.next() {
            number += 1
            guard let job = job(line) else { continue }
            return InputRow(job: job, place: "\(name):\(number)", number: number)
        }
        return nil
    }

    /// Nil for an empty line.
    private func job(_ line: LineReader.Line) -> Result<BatchJob, RowError>? {
        guard case .text(var bytes) = line else {
            return .failure(.row("The line has more than \(RowLimits.maxBytes) bytes."))
        }
        if number == 1 { bytes.removeByteOrderMark() }
        if bytes.last == 0x0D { bytes.removeLast() }
        if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { return nil }
        switch grammar {
        case .names:
            guard let text = String(validating: bytes, as: UTF8.self) else {
                return .failure(.row("The line is not UTF-8."))
            }
            guard bytes.count <= JobColumns.maxSourceBytes, !bytes.contains(0) else {
                return .failure(.row("The line is no path and no URL."))
            }
            return .success(JobColumns.job(line: text))
        case .jsonLines:
            guard let object = try? ParameterObject(bytes, omittingNulls: true) else {
                return .failure(.row("The line is not a JSON object of strings, numbers, booleans and nulls."))
            }
            guard object.pairs.count <= RowLimits.maxColumns else {
                return .failure(.row("The row has more than \(RowLimits.maxColumns) columns."))
            }
            return JobColumns.job(object.pairs)
        }
    }
}
