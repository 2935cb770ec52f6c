import Foundation
import SystemLimits
import Testing

@Suite("The limits of a container")
struct ControlGroupTests {
    /// Limits in files as Linux provides them, in a temporary folder.
    private func limits(_ files: [String: String]) throws -> ControlGroup {
        let root = FileManager.default.temporaryDirectory.appending(path: "headroom-tests-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        for (path, text) in files {
            let file = root.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data("\(text)\n".utf8).write(to: file)
        }
        return ControlGroup(root: root.path)
    }

    @Test func `cgroup version 2 in a container, which appears as the root, is supported`() throws {
        let limits = try limits([
            "proc/self/cgroup": "0::/",
            "sys/fs/cgroup/memory.max": "2147483648",
            "sys/fs/cgroup/cpu.max": "150000 100000",
        ])
        #expect(limits.memoryBytes == 2_147_483_648)
        #expect(limits.processors == 1.5)
    }

    @Test func `the minimum of all ancestors' limits applies`() throws {
        let limits = try limits([
            "proc/self/cgroup": "0::/system.slice/headroom.service",
            "sys/fs/cgroup/system.slice/memory.max": "1000",
            "sys/fs/cgroup/system.slice/cpu.max": "max 100000",
            "sys/fs/cgroup/system.slice/headroom.service/memory.max": "max",
            "sys/fs/cgroup/system.slice/headroom.service/cpu.max": "50000 100000",
        ])
        #expect(limits.memoryBytes == 1000)
        #expect(limits.processors == 0.5)
    }

    @Test func `cgroup version 1 with a hierarchy for each controller is supported`() throws {
        let limits = try limits([
            "proc/self/cgroup": "4:memory:/docker/0f3c\n3:cpu,cpuacct:/docker/0f3c\n0::/",
            "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712",
            "sys/fs/cgroup/memory/docker/0f3c/memory.limit_in_bytes": "536870912",
            "sys/fs/cgroup/cpu,cpuacct/docker/0f3c/cpu.cfs_quota_us": "200000",
            "sys/fs/cgroup/cpu,cpuacct/docker/0f3c/cpu.cfs_period_us": "100000",
        ])
        #expect(limits.memoryBytes == 536_870_912)
        #expect(limits.processors == 2)
    }

    @Test(arguments: [
        [:],
        ["proc/self/cgroup": "nonsense"],
        ["proc/self/cgroup": "0::/", "sys/fs/cgroup/memory.max": "max", "sys/fs/cgroup/cpu.max": "max 100000"],
        ["proc/self/cgroup": "4:memory:/", "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712"],
        [
            "proc/self/cgroup": "4:cpu:/", "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1",
            "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000",
        ],
    ])
    func `without a limit the value is nil`(files: [String: String]) throws {
        let limits = try limits(files)
        #expect(limits.memoryBytes == nil)
        #expect(limits.processors == nil)
    }
}
