extension [Double] {
    /// The upper median; 0 for an empty array.
    package var median: Double { isEmpty ? 0 : sorted()[count / 2] }
}

extension Array {
    /// Returns the number of leading elements that do not meet a condition, by binary search; all other elements meet
    /// it.
    package func boundary(where isAfter: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
