extension ArraySlice<UInt8> {
    /// The bytes without the last non-ASCII character, which may be truncated.
    var dropLastCharacter: Self {
        let end = dropFirst(Swift.max(0, count - 4)).lastIndex { $0 < 0x80 }
        return end.map { self[...$0] } ?? self
    }
}
