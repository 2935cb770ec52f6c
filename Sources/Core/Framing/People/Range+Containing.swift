extension Range<Int> {
    /// Whether this range contains the whole range `other`.
    func holds(_ other: Range<Int>) -> Bool {
        other.lowerBound >= lowerBound && other.upperBound <= upperBound
    }
}
