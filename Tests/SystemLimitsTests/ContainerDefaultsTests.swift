import Foundation
import SystemLimits
import Testing

@Suite("Defaults that depend on the container")
struct ContainerDefaultsTests {
    /// A control group, simulated with files as Linux provides them.
    private func group(_ files: [String: String], _ body: (String) throws -> Void) throws {
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
        try body(root.path)
    }

    private static let v2 = ["proc/self/cgroup": "0::/"]

    @Test(
        arguments: [
            ("max 100000", 8, 8), ("150000 100000", 8, 2), ("200000 100000", 8, 2), ("50000 100000", 8, 1),
            ("900000 100000", 8, 8), ("1 100000", 8, 1), ("400000 100000", 0, 1),
            ("99999999999999999999 1", 2, 2),
        ]
    )
    func `the default number of workers equals the number of processors`(
        quota: String,
        processors: Int,
        workers: Int
    ) throws {
        try group(Self.v2.merging(["sys/fs/cgroup/cpu.max": quota]) { $1 }) { root in
            let defaults = ContainerDefaults(ControlGroup(root: root), processors: processors)
            #expect(defaults.workers == workers)
        }
    }

    @Test func `a quota of cgroup version 1 is used`() throws {
        let files = [
            "proc/self/cgroup": "3:cpu,cpuacct:/docker/0f3c",
            "sys/fs/cgroup/cpu,cpuacct/docker/0f3c/cpu.cfs_quota_us": "250000",
            "sys/fs/cgroup/cpu,cpuacct/docker/0f3c/cpu.cfs_period_us": "100000",
        ]
        try group(files) { root in
            let defaults = ContainerDefaults(ControlGroup(root: root), processors: 16)
            #expect(defaults.workers == 3)
            #expect("\(defaults)" == "quota of 2.5 processors, 16 processors")
        }
    }

    @Test func `this process can use at least one processor`() {
        #expect(ContainerDefaults.usableProcessors >= 1)
        #expect(ContainerDefaults.usableProcessors <= ProcessInfo.processInfo.processorCount)
    }

    @Test(
        arguments: [
            ("max", 1.0), ("8589934592", 1), ("2147483648", 0.875), ("536870912", 0.125), ("1048576", 0), ("0", 0),
        ]
    )
    func `default budgets decrease with the container's memory`(memory: String, share: Double) throws {
        try group(Self.v2.merging(["sys/fs/cgroup/memory.max": memory]) { $1 }) { root in
            let defaults = ContainerDefaults(ControlGroup(root: root), processors: 2)
            #expect(defaults.share(of: 2048, besides: 256) == share)
            #expect(defaults.share(of: 0, besides: 256) == 1)
        }
    }

    @Test(
        arguments: [
            (["proc/self/cgroup": "0::/a", "sys/fs/cgroup/a/memory.events": "low 0\noom 3\noom_kill 2"], 2),
            (
                [
                    "proc/self/cgroup": "4:memory:/b\n0::/",
                    "sys/fs/cgroup/memory/b/memory.oom_control": "under_oom 0\noom_kill 7",
                ], 7
            ),
            (["proc/self/cgroup": "0::/", "sys/fs/cgroup/memory.events": "oom_kill 1"], 1),
            (["proc/self/cgroup": "0::/", "sys/fs/cgroup/memory.events": "oom_kill many"], 0),
            ([:], 0),
        ] as [([String: String], Int)]
    )
    func `processes that the kernel killed because of memory are counted`(files: [String: String], count: Int) throws {
        try group(files) { root in #expect(ControlGroup.memoryKills(root: root) == count) }
    }
}
