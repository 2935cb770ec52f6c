import Cryptography
import Testing

/// Prepared HMAC-SHA-256 keys.
struct AuthenticationKeyTests {
    /// Lengths around the block length and above it.
    @Test(arguments: [0, 1, 31, 32, 63, 64, 65, 200])
    func `a prepared key computes the same codes`(length: Int) {
        let key = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 7) }
        let prepared = AuthenticationKey(key)
        for count in [0, 1, 55, 64, 1000] {
            let message = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 13) }
            let code = MessageDigest.sha256.authenticationCode(of: message, key: key)
            #expect(prepared.code(of: message) == code)
            // A key can be used again.
            #expect(prepared.code(of: message) == code)
        }
    }

    @Test func `the first matching key is found`() {
        let keys = (0..<200).map { AuthenticationKey(Array("key \($0 == 150 ? 50 : $0)".utf8)) }
        let message = Array("GET /frame?width=9".utf8)
        func index(_ key: AuthenticationKey, _ message: [UInt8] = message) -> Int? {
            AuthenticationKey.firstIndex(in: keys, of: key.code(of: message), for: Array("GET /frame?width=9".utf8))
        }
        #expect(index(keys[0]) == 0)
        #expect(index(keys[150]) == 50)
        #expect(index(keys[199]) == 199)
        #expect(index(AuthenticationKey([1])) == nil)
        #expect(index(keys[3], []) == nil)
        #expect(AuthenticationKey.firstIndex(in: keys, of: [], for: message) == nil)
        #expect(AuthenticationKey.firstIndex(in: [], of: keys[0].code(of: message), for: message) == nil)
    }
}
