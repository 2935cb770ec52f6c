@testable import Imaging
import TestImages

extension Fuzzer {
    /// The TIFF structure of EXIF.
    static let exif = Fuzzer(name: "exif", maxLength: 512) {
        (1...8).flatMap { orientation in
            [true, false].map { ExifBlock.tiff(orientation: orientation, isBigEndian: $0) }
        }
    } run: { input in
        let orientation = EXIF.orientation(input.span)
        precondition((1...8).contains(orientation.rawValue))
        // Bytes after the structure are ignored unless an offset points to them. A truncated header contains no offset.
        let cut = UnsafeBufferPointer(rebasing: input.prefix(8))
        precondition(EXIF.orientation(cut.span) == .up, "an orientation out of a header without entries")
    }
}
