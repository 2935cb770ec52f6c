import HeadroomTesting
@testable import ImageCodec

extension Fuzzer {
    /// The TIFF structure of EXIF.
    static let exif = Fuzzer(name: "exif", maxLength: 512) {
        (1...8).flatMap { orientation in
            [true, false].map { ExifBlock.tiff(orientation: orientation, isBigEndian: $0) }
        }
    } run: { input in
        let orientation = ExifOrientation.parse(input.span)
        precondition((1...8).contains(orientation.rawValue))
        // Bytes behind the structure mean nothing unless something points there, which nothing at all does here.
        let cut = UnsafeBufferPointer(rebasing: input.prefix(8))
        precondition(ExifOrientation.parse(cut.span) == .up, "an orientation out of a header without entries")
    }
}
