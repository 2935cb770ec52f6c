/// An ICC colour profile, carried from source to result as it is.
package struct ICCProfile: Hashable, Sendable {
    /// The profile as a file holds it.
    package let bytes: [UInt8]

    /// More than any profile of grey or RGB needs; what is larger is not worth sending with a crop.
    static let maxBytes = 4 << 20

    /// A profile, or nil when the bytes are none: the header is 128 bytes with "acsp" at 36 (ICC.1:2022, 7.2).
    package init?(_ bytes: [UInt8]) {
        guard (128...ICCProfile.maxBytes).contains(bytes.count), bytes[36..<40].elementsEqual("acsp".utf8) else {
            return nil
        }
        self.bytes = bytes
    }

    /// Whether pixels of `model` can be what the profile is about; its data colour space is at byte 16.
    func describes(_ model: ColorModel) -> Bool {
        bytes[16..<20].elementsEqual(model == .gray ? "GRAY".utf8 : "RGB ".utf8)
    }
}
