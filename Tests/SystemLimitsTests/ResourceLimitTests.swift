import SystemLimits
import Testing

@Suite("Inherited resource limits")
struct ResourceLimitTests {
    @Test func `values are printed with units`() {
        #expect(ResourceLimit.addressSpace.text(512 << 20) == "512 MiB")
        #expect(ResourceLimit.fileSize.text(4096) == "4 KiB")
        #expect(ResourceLimit.processorTime.text(30) == "30 s")
        #expect(ResourceLimit.processes.text(100) == "100")
    }

    @Test func `each limit that is set is reported with the option that sets it`() {
        for limit in ResourceLimit.allCases {
            let text = ResourceLimit.inherited([limit])
            #expect((text == nil) == (limit.hard == nil))
            #expect(text.map { $0.contains("ulimit -") } ?? true)
        }
        #expect(ResourceLimit.inherited([]) == nil)
    }
}
