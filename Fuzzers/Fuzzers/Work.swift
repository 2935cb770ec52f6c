import CWork
import Glibc

/// The work of the process so far: control flow edges and moved bytes, counted by `CWork`, and the processor time of
/// the thread, which includes system libraries.
struct Work {
    private let count: UInt64
    private let seconds: Double

    static var now: Work {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Work(count: hr_work_done(), seconds: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
    }

    /// The maximum work for a number of bytes and pixels.
    struct Bound {
        let base: UInt64
        let each: UInt64

        /// Reading structures and metadata of files and lists, without pixels.
        static let ofReaders = Bound(base: 1_000_000, each: 300)
        /// Decoding files with the limits of fuzzers, several times.
        static let ofDecoders = Bound(base: 10_000_000, each: 300)
        /// One execution of any fuzzer, with the checks of its results.
        static let ofExecutions = Bound(base: 1_000_000_000, each: 10_000)

        func maximum(_ units: Int) -> UInt64 { base + each * UInt64(units) }
    }

    /// The maximum processor time: one second, plus a time for each byte and pixel, which is ten times the time of the
    /// slowest decoder with sanitizers.
    private static func maxSeconds(bytes: Int, pixels: Int) -> Double {
        1 + Double(bytes) * 2e-6 + Double(pixels) * 1e-6
    }

    /// Traps if reading an input took more work or time than its bytes and pixels allow.
    static func check(since start: Work, bytes: Int, pixels: Int, _ bound: Bound, in name: String) {
        let now = now
        let (count, seconds) = (now.count - start.count, now.seconds - start.seconds)
        let maximum = bound.maximum(bytes + pixels)
        if seconds > slowestSeconds || slowest.isEmpty {
            slowestSeconds = seconds
            slowest = "\(bytes) bytes: \(now.text(since: start))"
        }
        if showsMost { Largest.note(count, bytes + pixels, bound, in: name) }
        precondition(
            count <= maximum,
            "\(name): \(count) steps of work for \(bytes) bytes and \(pixels) pixels, more than \(maximum)"
        )
        precondition(
            seconds <= maxSeconds(bytes: bytes, pixels: pixels),
            "\(name): \(seconds) s of processor time for \(bytes) bytes and \(pixels) pixels"
        )
    }

    /// The slowest input that was checked; used with ``GrownFile/fixedBytes``.
    nonisolated(unsafe) static var slowest = "" { didSet { if slowest.isEmpty { slowestSeconds = 0 } } }
    nonisolated(unsafe) private static var slowestSeconds = 0.0

    func text(since start: Work) -> String {
        "\(count - start.count) steps, \(Int((seconds - start.seconds) * 1000)) ms"
    }

    /// Traps unless the bound for readers accepts a loop over 64 KiB and rejects a quadratic loop over these bytes,
    /// even if the inner loop is in the standard library.
    static func checkBounds() {
        let bytes = (0..<1 << 16).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        func count(_ body: () -> Int) -> UInt64 {
            let start = Work.now
            let result = body()
            let now = Work.now
            print("\(now.text(since: start)), result \(result)")
            return now.count - start.count
        }
        let maximum = Bound.ofReaders.maximum(bytes.count)
        let linear = count { bytes.reduce(0) { $0 + Int($1) } }
        // Makes one pass for each 16-byte box in the file; each pass reads all boxes.
        let pairs = count {
            stride(from: 0, to: bytes.count, by: 16).reduce(0) { sum, start in
                sum + stride(from: 0, to: bytes.count, by: 16).reduce(0) { $0 + (bytes[$1] == bytes[start] ? 1 : 0) }
            }
        }
        let moves = count {
            var (rest, sum) = (bytes, 0)
            while rest.count > 16 {
                sum += Int(rest[0])
                rest.removeFirst()
            }
            return sum
        }
        precondition(linear > 0 && linear < maximum, "a linear loop takes \(linear) steps")
        precondition(
            pairs > maximum && moves > maximum,
            "squares take \(pairs) and \(moves) steps, and \(maximum) are allowed"
        )
    }

    /// Whether to print the maximum used fraction of each bound.
    private static let showsMost = getenv("SHOW_WORK") != nil

    private enum Largest {
        nonisolated(unsafe) private static var shares: [String: Double] = [:]

        static func note(_ count: UInt64, _ units: Int, _ bound: Bound, in name: String) {
            let share = Double(count) / Double(bound.maximum(units))
            guard share > 1.1 * (shares[name] ?? 0) else { return }
            shares[name] = share
            print("\(name): \(count) steps for \(units) bytes and pixels, \(Int(share * 1000)) ‰ of the bound")
        }
    }
}
