extension RandomAccessCollection {
    /// The element at an index; nil if the collection has no such index.
    ///
    /// The subscript of a collection ends the process instead.
    @inlinable package subscript(at index: Index) -> Element? {
        index >= startIndex && index < endIndex ? self[index] : nil
    }
}
