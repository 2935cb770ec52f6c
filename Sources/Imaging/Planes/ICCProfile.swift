/// An ICC colour profile, copied from the source to the result.
package struct ICCProfile: Hashable, Sendable {
    /// The bytes of the profile.
    package let bytes: [UInt8]

    /// More than any profile of grey or RGB needs; larger ones are dropped.
    static let maxBytes = 4 << 20

    /// A profile; nil if the bytes are invalid: the header is 128 bytes with "acsp" at 36 (ICC.1:2022, 7.2).
    package init?(_ bytes: [UInt8]) {
        guard (128...ICCProfile.maxBytes).contains(bytes.count), bytes[36..<40].elementsEqual("acsp".utf8) else {
            return nil
        }
        self.bytes = bytes
    }

    /// Whether the profile applies to pixels of `model`; its data colour space is at byte 16.
    func describes(_ model: ColorModel) -> Bool {
        bytes[16..<20].elementsEqual(model == .gray ? "GRAY".utf8 : "RGB ".utf8)
    }
}
