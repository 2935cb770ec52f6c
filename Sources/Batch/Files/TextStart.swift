extension [UInt8] {
    /// Removes the byte order mark that some programs write at the beginning of UTF-8.
    mutating func removeByteOrderMark() {
        if starts(with: [0xEF, 0xBB, 0xBF]) { removeFirst(3) }
    }
}
