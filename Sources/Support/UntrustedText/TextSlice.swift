/// A `String`, or a slice of one.
package protocol TextSlice: StringProtocol where SubSequence == Substring {}

extension TextSlice {
    /// The text as its bytes.
    package var bytes: ByteText { ByteText(self[...]) }
}
