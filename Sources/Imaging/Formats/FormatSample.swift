extension SourceFormat {
    /// A file of one or a few pixels of a format that is only read, to rehearse and check its decoder; nil for formats that
    /// can be written.
    package var sample: [UInt8]? {
        switch self {
        case .jpeg, .png, .webp: nil
        case .gif: Self.gifSample
        }
    }

    // One white pixel.
    private static let gifSample: [UInt8] =
        Array("GIF89a".utf8) + [
            0x01, 0x00, 0x01, 0x00, 0x80, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x2C, 0x00, 0x00, 0x00, 0x00,
            0x01, 0x00, 0x01, 0x00, 0x00, 0x02, 0x02, 0x44, 0x01, 0x00, 0x3B,
        ]
}
