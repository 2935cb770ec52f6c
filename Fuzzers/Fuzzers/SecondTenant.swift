import CImageCodec
import Imaging
import TestImages

/// Checks that the decoded pixels of a file do not depend on previously decoded files, such as files of another client.
enum SecondTenant {
    /// The last file with pixels, and the digest of its decoded pixels.
    nonisolated(unsafe) private static var last: (file: [UInt8], digest: DecodedDigest)?

    /// Decodes a file A, the previous file B, and A again, each time with different initial bytes in the memory for planes.
    ///
    /// Traps if the two results of A differ, or if the result of B differs from the result of B before A.
    static func check(_ file: [UInt8]) {
        guard let digest = digest(file, over: 0x5A), digest.hasPixels else { return }
        if let last {
            precondition(self.digest(last.file, over: 0xA3) == last.digest, "a file depends on one decoded between")
            precondition(self.digest(file, over: 0x3C) == digest, "a file depends on the file before it")
        }
        last = (file, digest)
    }

    private static func digest(_ file: [UInt8], over fill: UInt8) -> DecodedDigest? {
        hr_memory_set_fill(fill)
        let start = Work.now
        let digest = DecodedDigest(file, limits: .ofFuzzers, maxFrames: 4)
        Work.check(since: start, bytes: file.count, pixels: 16 << 14, .ofDecoders, in: "decoding")
        return digest
    }
}
