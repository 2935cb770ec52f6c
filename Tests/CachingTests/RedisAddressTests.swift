import Caching
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct RedisAddressTests {
    @Test(arguments: [
        ("redis://localhost", "redis://localhost:6379/0"), ("redis://localhost:7000/3", "redis://localhost:7000/3"),
        ("redis://:secret@10.0.0.1", "redis://10.0.0.1:6379/0"), ("redis://me:s%40x@h:1/", "redis://h:1/0"),
        ("redis://[::1]:6380/1", "redis://[::1]:6380/1"), ("unix:/run/redis.sock", "unix:/run/redis.sock"),
    ])
    func `an address is parsed, and printed without its password`(text: String, told: String) throws {
        let address = try #require(RedisAddress(text))
        #expect("\(address)" == told)
    }

    @Test(arguments: [
        "", "localhost", "http://localhost", "rediss://localhost", "redis://", "redis://localhost:0",
        "redis://localhost:70000", "redis://localhost/x", "redis://localhost/1/2", "redis://localhost?db=1",
        "redis://me@localhost", "unix:", "unix:run/redis.sock", "unix:/",
    ])
    func `a malformed address is refused`(text: String) {
        #expect(RedisAddress(text) == nil)
    }
}
