/// The part of a file that a converter reads.
package struct ConvertedPart: Hashable, Sendable {
    /// The number of the page, from 1.
    package let page: Int
    /// The position in a video, in milliseconds.
    package let milliseconds: Int

    /// Creates a part; by default the first page and the first frame.
    package init(page: Int = 1, milliseconds: Int = 0) {
        self.page = page
        self.milliseconds = milliseconds
    }

    /// The position in a video in seconds, with three decimals.
    var seconds: String {
        let (whole, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        return "\(whole)." + String("\(1000 + rest)".dropFirst())
    }
}
