@testable import Batch
import Glibc

/// An unlinked file in memory with the input of a fuzzer, for file readers.
enum FuzzedFile {
    private static let number: Int32 = {
        var name = Array("/dev/shm/fuzzed-XXXXXX".utf8CString)
        let number = mkstemp(&name)
        unlink(name)
        return number
    }()

    /// Returns the file with the given bytes, positioned at its start.
    ///
    /// All calls share the file, so earlier contents are overwritten.
    static func with(_ bytes: [UInt8]) -> OpenFile {
        let path = "/proc/self/fd/\(number)"
        guard let file = try? OpenFile(path, O_RDWR | O_TRUNC), (try? file.write(bytes)) != nil,
            lseek(file.descriptor, 0, SEEK_SET) == 0
        else { fatalError("there is no file in /dev/shm") }
        return file
    }

    /// Returns the rows of a reader; traps if there are more than `most` rows, or if their numbers do not increase.
    static func rows(_ reader: consuming some RowReader, maximum: Int, areNumbered: Bool = true) -> [InputRow] {
        var rows: [InputRow] = []
        while let row = try? reader.next() {
            rows.append(row)
            precondition(rows.count <= maximum, "more rows than lines")
            guard areNumbered else { continue }
            precondition(row.number > (rows.dropLast().last?.number ?? 0), "the numbers of rows do not rise")
        }
        return rows
    }
}
