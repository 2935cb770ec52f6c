import CImageCodec
import Glibc
import Imaging
import TestPictures

/// Checks that the decoded pixels of a file do not depend on a file that was decoded before, such as another client's.
enum SecondTenant {
    /// The last file that had pixels, and the digest of its decoded pixels.
    nonisolated(unsafe) private static var last: (file: [UInt8], digest: DecodedDigest)?

    /// Decodes a file A, the previous file B, and A again, each time with other initial bytes in the memory for planes.
    ///
    /// Traps if the two results of A differ, or if the result of B differs from its first one, which preceded A.
    static func check(_ file: [UInt8]) {
        guard let digest = digest(file, over: 0x5A), digest.hasPixels else { return }
        if let last {
            precondition(self.digest(last.file, over: 0xA3) == last.digest, "a file depends on one decoded between")
            precondition(self.digest(file, over: 0x3C) == digest, "a file depends on the one before")
        }
        last = (file, digest)
    }

    private static func digest(_ file: [UInt8], over fill: UInt8) -> DecodedDigest? {
        hr_memory_set_fill(fill)
        let start = ProcessorTime.now
        let digest = DecodedDigest(file, limits: .ofFuzzers, mostFrames: 4)
        ProcessorTime.check(since: start, file, pixels: 16 << 14)
        return digest
    }
}

/// Processor time of the calling thread, in seconds.
enum ProcessorTime {
    static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Traps if a file took more time than its bytes and pixels explain.
    ///
    /// The limit of 2 µs a byte and 1 µs a pixel is ten times the time of the slowest decoder with sanitizers.
    static func check(since start: Double, _ file: [UInt8], pixels: Int) {
        let seconds = now - start
        let allowed = 1 + Double(file.count) * 2e-6 + Double(pixels) * 1e-6
        precondition(seconds <= allowed, "\(seconds) s of processor time for \(file.count) bytes")
    }
}
