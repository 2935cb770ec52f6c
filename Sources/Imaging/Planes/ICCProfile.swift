/// An ICC colour profile: the meaning of a picture's samples.
///
/// Colours that a file describes in another way are described by a profile as well.
package struct ICCProfile: Hashable, Sendable {
    /// The bytes of the profile.
    package let bytes: [UInt8]

    /// The largest profile in bytes; larger ones are ignored.
    ///
    /// Profiles of displays have up to 10 kB, those of printers about 2 MB.
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
        let space =
            switch model {
            case .gray: "GRAY"
            case .rgb, .ycbcr: "RGB "
            case .cmyk: "CMYK"
            }
        return bytes[16..<20].elementsEqual(space.utf8)
    }
}
