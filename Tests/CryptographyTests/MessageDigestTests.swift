import Cryptography
import Encodings
import Testing

@Suite struct MessageDigestTests {
    /// The test vectors in RFC 1321 §A.5 and the examples for FIPS 180-4: no bytes, and `abc`.
    private static let digests: [(function: MessageDigest, empty: String, abc: String)] = [
        (.md5, "d41d8cd98f00b204e9800998ecf8427e", "900150983cd24fb0d6963f7d28e17f72"),
        (.sha1, "da39a3ee5e6b4b0d3255bfef95601890afd80709", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (
            .sha256, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        ),
        (
            .sha512,
            "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
                + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e",
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        ),
    ]

    @Test(arguments: digests)
    func `digests equal the standards' examples`(function: MessageDigest, empty: String, abc: String) {
        #expect(Hexadecimal.text(function.digest(of: [])) == empty)
        #expect(Hexadecimal.text(function.digest(of: Array("abc".utf8))) == abc)
    }

    @Test func `SHA-256 gives the same digest in both types`() {
        for bytes in [[], Array("abc".utf8), [UInt8](repeating: 7, count: 1000)] {
            #expect(SHA256.digest(of: bytes) == MessageDigest.sha256.digest(of: bytes))
            #expect(SHA256.digest(of: bytes).count == SHA256.byteCount)
        }
    }

    @Test(
        arguments: [
            (.md5, "750c783e6ab0b503eaa86e310a5db738"), (.sha1, "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
            (.sha256, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
            (
                .sha512,
                "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
                    + "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"
            ),
        ] as [(MessageDigest, String)]
    )
    func `authentication codes equal the examples in RFC 2202 and RFC 4231`(function: MessageDigest, code: String) {
        let message = Array("what do ya want for nothing?".utf8)
        #expect(Hexadecimal.text(function.authenticationCode(of: message, key: Array("Jefe".utf8))) == code)
    }

    @Test func `codes are equal if all bytes are equal`() {
        #expect(MessageDigest.areEqual([], []))
        #expect(MessageDigest.areEqual([1, 2], [1, 2]))
        for other in [[], [1], [1, 3], [0, 2], [1, 2, 0]] as [[UInt8]] {
            #expect(!MessageDigest.areEqual([1, 2], other))
        }
    }
}
