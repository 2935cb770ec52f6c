import Cryptography
import Encodings
import Testing

struct AESKeyTests {
    /// The bytes 0, 1, 2 … of a key.
    private func key(_ length: Int) throws -> AESKey { try #require(AESKey((0..<length).map { UInt8($0) })) }

    private func bytes(_ digits: String) throws -> [UInt8] { try #require(Hexadecimal.bytes(digits)) }

    @Test func `only keys of 128, 192 and 256 bits are accepted`() {
        for length in 0...64 {
            #expect((AESKey([UInt8](repeating: 1, count: length)) != nil) == [16, 24, 32].contains(length))
        }
    }

    @Test func `GCM matches a vector of its specification`() throws {
        // Test case 14 of the submission to NIST.
        let key = try #require(AESKey([UInt8](repeating: 0, count: 32)))
        let text = [UInt8](repeating: 0, count: 16)
        let sealed = try #require(key.sealedGCM(text, nonce: [UInt8](repeating: 0, count: 12)))
        let rest = "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"
        #expect(try sealed == [UInt8](repeating: 0, count: 12) + bytes(rest))
        #expect(key.openedGCM(sealed) == text)
    }

    @Test func `a GCM text with a changed bit, or a different key, is rejected`() throws {
        let text = Array("https://example.com/team.jpg".utf8)
        let sealed = try #require(try key(32).sealedGCM(text, nonce: [UInt8](repeating: 3, count: 12)))
        #expect(sealed.count == text.count + 28)
        #expect(try key(32).openedGCM(sealed) == text)
        #expect(try key(16).openedGCM(sealed) == nil)
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(try key(32).openedGCM(changed) == nil, "byte \(index)")
        }
        for count in 0..<sealed.count { #expect(try key(32).openedGCM(Array(sealed.prefix(count))) == nil) }
        #expect(try key(32).openedGCM(sealed + [0]) == nil)
    }

    @Test func `GCM rejects empty texts and nonces of a different length`() throws {
        #expect(try key(32).sealedGCM([], nonce: [UInt8](repeating: 0, count: 12)) == nil)
        #expect(try key(32).sealedGCM([1], nonce: [UInt8](repeating: 0, count: 16)) == nil)
    }

    @Test(arguments: [
        (16, "d5fa5c07f8b2655e331f75a4688156b58d04563fa06829996c021cd93d13baa0"),
        (24, "85f37da3f457e1c4c635ae8e1c9634820ff1dae9726f688e64fff5b511c5cbdf"),
        (32, "1694328858db14895419b4fe5f8723c5e27bdddf3f0b2be4924af7b6c90a330a"),
    ])
    func `CBC decrypts texts of OpenSSL`(length: Int, digits: String) throws {
        let text = try [UInt8](repeating: 7, count: 16) + bytes(digits)
        #expect(try key(length).openedCBC(text) == Array("abcdefghijklmnop".utf8))
        #expect(try key(length).openedCBC(Array(text.prefix(32))) == nil)
    }

    @Test func `CBC rejects every padding except the padding of PKCS 7`() throws {
        // With one block, changing a byte of the initialization vector changes the same byte of the text.
        let whole = try [UInt8](repeating: 7, count: 16) + bytes("d5fa5c07f8b2655e331f75a4688156b5")
        let letters = Array("abcdefghijklmnop".utf8)
        func opened(as wanted: [UInt8]) throws -> [UInt8]? {
            var text = whole
            for index in 0..<16 { text[index] ^= letters[index] ^ wanted[index] }
            return try key(16).openedCBC(text)
        }
        for length in 1...16 {
            let padding = [UInt8](repeating: UInt8(length), count: length)
            let wanted = Array(letters.prefix(16 - length)) + padding
            #expect(try opened(as: wanted) == Array(letters.prefix(16 - length)))
            for index in (16 - length)..<16 where length > 1 {
                var wrong = wanted
                wrong[index] ^= 0x40
                #expect(try opened(as: wrong) == nil, "\(length) bytes, byte \(index)")
            }
        }
        for last in [0, 17, 18, 127, 128, 255] as [UInt8] {
            #expect(try opened(as: [UInt8](repeating: last, count: 16)) == nil)
        }
        for count in [0, 1, 16, 31, 33, 47] {
            #expect(try key(16).openedCBC([UInt8](repeating: 1, count: count)) == nil)
        }
    }

    @Test func `a key is not shown`() throws {
        let key = try key(16)
        #expect("\(key)" == "a key" && String(reflecting: key) == "a key" && Mirror(reflecting: key).children.isEmpty)
    }
}
