/// A `String`, or a slice of a `String`.
package protocol TextSlice: StringProtocol where SubSequence == Substring {}

extension TextSlice {
    /// The text with operations on its bytes.
    package var bytes: ByteText { ByteText(self[...]) }
}
