import Foundation

/// A table for a terminal.
struct Table: CustomStringConvertible {
    private var rows: [[String]]

    init(columns: [String]) {
        rows = [columns]
    }

    mutating func add(_ row: [String]) {
        rows.append(row)
    }

    var description: String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).map { String(repeating: " ", count: $1 - $0.count) + $0 }.joined(separator: "  ")
        }.joined(separator: "\n")
    }
}

/// A number with two decimals.
func decimal(_ value: Double) -> String {
    String(format: "%.2f", value)
}
