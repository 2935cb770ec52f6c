extension RandomAccessCollection {
    /// The element at an index; nil if the index is out of range.
    ///
    /// The normal subscript of a collection would end the process instead.
    @inlinable package subscript(at index: Index) -> Element? {
        index >= startIndex && index < endIndex ? self[index] : nil
    }
}
