import Foundation
import SystemLimits
import Testing

@Suite("Required files in /proc")
struct ProcFilesystemTests {
    @Test func `a mounted proc file system contains all required files`() {
        #expect(ProcFilesystem.obstacle() == nil)
    }

    @Test func `an empty folder instead of /proc is reported with advice`() throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "headroom-tests-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        let obstacle = try #require(ProcFilesystem.obstacle(root: root.path))
        #expect(obstacle == "headroom cannot run without \(root.path)/self/exe: mount proc(5) at \(root.path)")
    }
}
