import Foundation
import Subprocess
import TestPacing
import TestPrograms
import Testing

/// No image may contain the previous content of memory.
@Suite(.limitedConcurrency) struct UnwrittenMemoryTests {
    /// Decodes damaged files of every format while new memory and freed memory are filled with `fill`.
    private func digests(over fill: UInt8) async throws -> [String] {
        let tests = URL(fileURLWithPath: CommandLine.arguments[0])
        let program = tests.deletingLastPathComponent().appending(path: "decode-digests").path
        // No block is mapped separately, because the kernel clears such blocks.
        let tunables = ["perturb=\(fill)", "tcache_count=0", "mmap_threshold=1073741824", "mmap_max=0"]
        let run = try await Configuration.program(
            program,
            ["\(fill)", "12"],
            environment: ["GLIBC_TUNABLES": tunables.map { "glibc.malloc.\($0)" }.joined(separator: ":")]
        ).run()
        #expect(run.status == 0, "\(run.error)")
        return run.lines
    }

    @Test func `a damaged file of any format has the same pixels regardless of previous memory content`() async throws {
        async let one = digests(over: 0x5A)
        async let other = digests(over: 0xA3)
        let (lines, others) = try await (one, other)
        #expect(lines.count > 1000)
        #expect(lines.filter { $0.contains("pixels") }.count > 300)
        for (line, other) in zip(lines, others) where line != other { Issue.record("\(line), and \(other)") }
        #expect(lines.count == others.count)
    }
}
