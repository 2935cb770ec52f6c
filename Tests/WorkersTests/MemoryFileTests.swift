import CSandbox
import Glibc
import TestPacing
import Testing

/// The files for the exchange of jobs and replies must not keep any of their bytes.
@Suite(.limitedConcurrency) struct MemoryFileTests {
    private func file(_ bytes: Int, _ body: (Int32) throws -> Void) throws {
        var name = Array("/dev/shm/memory-file-XXXXXX".utf8CString)
        let number = mkstemp(&name)
        try #require(number >= 0)
        unlink(name)
        defer { close(number) }
        let content = [UInt8](repeating: 7, count: bytes)
        try #require(hr_file_write(number, content, bytes, 0) == 0)
        try body(number)
    }

    @Test(arguments: [0, 1, 65_536, 150_000, 200_000, 300_000])
    func `the bytes of a job are overwritten`(used: Int) throws {
        try file(200_000) { number in
            #expect(hr_file_clear(number, UInt64(used), 1 << 20) == 0)
            #expect(hr_file_size(number) == 200_000)
            var content = [UInt8](repeating: 1, count: 200_000)
            try #require(hr_file_read(number, &content, content.count, 0) == 0)
            #expect(content.prefix(used).allSatisfy { $0 == 0 })
            #expect(content.dropFirst(used).allSatisfy { $0 == 7 })
        }
    }

    @Test func `memory beyond the kept bytes is released`() throws {
        try file(200_000) { number in
            #expect(hr_file_clear(number, 200_000, 100_000) == 0)
            #expect(hr_file_size(number) == 100_000)
            var content = [UInt8](repeating: 1, count: 100_000)
            try #require(hr_file_read(number, &content, content.count, 0) == 0)
            #expect(content.allSatisfy { $0 == 0 })
        }
    }
}
