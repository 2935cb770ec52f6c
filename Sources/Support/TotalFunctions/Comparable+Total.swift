extension Comparable {
    /// Returns the nearest value in a range.
    ///
    /// For a value that cannot be ordered, such as `nan`, returns the lower bound.
    @inlinable package func clamped(to range: ClosedRange<Self>) -> Self {
        self >= range.lowerBound ? (self <= range.upperBound ? self : range.upperBound) : range.lowerBound
    }
}
