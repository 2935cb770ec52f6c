import Caching
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct RedisAddressTests {
    @Test(arguments: [
        ("redis://localhost", "redis://localhost:6379/0"), ("redis://localhost:7000/3", "redis://localhost:7000/3"),
        ("redis://:secret@10.0.0.1", "redis://10.0.0.1:6379/0"), ("redis://me:s%40x@h:1/", "redis://h:1/0"),
        ("redis://[::1]:6380/1", "redis://[::1]:6380/1"), ("unix:/run/redis.sock", "unix:/run/redis.sock"),
        ("rediss://default:secret@cache.example:6380", "rediss://cache.example:6380/0"),
        ("REDISS://[::1]/2", "rediss://[::1]:6379/2"),
        ("redis+sentinel://a/mymaster", "redis+sentinel://a:26379/mymaster/0"),
        ("redis+sentinel://me:s%40x@a:1,b,[::1]:2/my.master-1/4", "redis+sentinel://a:1,b:26379,[::1]:2/my.master-1/4"),
        ("rediss+sentinel://:secret@a,b/m", "rediss+sentinel://a:26379,b:26379/m/0"),
    ])
    func `an address is parsed and printed without its password`(text: String, told: String) throws {
        let address = try #require(RedisAddress(text))
        #expect("\(address)" == told)
        #expect(address.isEncrypted == told.hasPrefix("rediss"))
        #expect(address.hasSentinels == told.contains("+sentinel"))
        #expect(address.hasPassword == text.contains("@"))
    }

    @Test(arguments: [
        "", "localhost", "http://localhost", "redis://", "redis://localhost:0", "redis://localhost:70000",
        "redis://localhost/x", "redis://localhost/1/2", "redis://localhost?db=1", "redis://me@localhost",
        "redis://local%00host", "redis://local%20host", "redis://a,b", "redisss://localhost", "rediss://",
        "rediss:localhost", "unix:", "unix:run/redis.sock", "unix:/", "sentinel://a/m", "redis+sentinel://a",
        "redis+sentinel://a/", "redis+sentinel:///m", "redis+sentinel://a,/m", "redis+sentinel://a,,b/m",
        "redis+sentinel://a:0/m", "redis+sentinel://a/m/x", "redis+sentinel://a/m/1/2", "redis+sentinel://a/m?db=1",
        "redis+sentinel://a/m#1", "redis+sentinel://a/m%20n", "redis+sentinel://me@a/m", "redis+sentinel://a@b,c@d/m",
        "redis+sentinel://\(Array(repeating: "a", count: 17).joined(separator: ","))/m",
        "redis+sentinel://a/\(String(repeating: "m", count: 129))", "rediss+sentinel+sentinel://a/m",
    ])
    func `a malformed address is rejected`(text: String) {
        #expect(RedisAddress(text) == nil)
    }
}
