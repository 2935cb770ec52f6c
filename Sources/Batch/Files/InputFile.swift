/// A file that is read: here, or in a bucket.
protocol InputFile: Sendable {
    /// The name in messages.
    var path: String { get }

    /// The length in bytes; nil for a pipe.
    func knownLength() throws(BatchError) -> Int?

    /// The next bytes, fewer at the end; for one reader of the whole file.
    func read(upTo count: Int) throws(BatchError) -> [UInt8]

    /// The bytes of a range, fewer if the file ends before.
    func read(_ range: Range<Int>) throws(BatchError) -> [UInt8]
}

extension OpenFile: InputFile {
    func knownLength() -> Int? { length }
}
