import Cryptography
import Encodings
import HeadroomAPI
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct SecretTests {
    private static let letters = String(repeating: "0123456789abcdef", count: 16)

    @Test(arguments: [
        (String(letters.prefix(32)), 1), (letters, 1), ("\(letters),\(letters)", 2), ("\(letters)\n\(letters)\r\n", 2),
        ("  \(letters) ,, \(letters)\t", 2), ("-._~+/=ABCDEFGHIJKLMNOPQRSTUVWXYZ", 1),
    ])
    func `secrets have a minimum length and are separated by commas, spaces or line ends`(
        text: String,
        count: Int
    ) throws {
        #expect(try Secret.list(text).count == count)
    }

    @Test(arguments: [
        ("", "contains no secret"), (" ,\n", "contains no secret"),
        (String(letters.prefix(31)), "number 1 has 31 characters; expected 32 to 256"),
        ("\(letters) x", "number 2 has 1 characters; expected 32 to 256"),
        (letters + "0", "number 1 has 257 characters; expected 32 to 256"),
        (letters.dropLast() + "é", "number 1 has 257 characters; expected 32 to 256"),
        (
            letters.dropLast() + "\"",
            "number 1 may contain only letters, digits and - . _ ~ + / ="
        ),
        (
            Array(repeating: letters, count: 17).joined(separator: " "),
            "contains 17 secrets; expected at most 16"
        ),
    ])
    func `error messages about secrets do not contain the secrets`(text: String, reason: String) {
        let error = #expect(throws: Secret.ListError.self) { try Secret.list(text) }
        #expect(error?.reason == reason)
    }

    @Test func `a secret is not printed`() throws {
        let secret = try #require(Secret.list(Self.letters).first)
        var dumped = ""
        dump(secret, to: &dumped)
        let policy = AccessPolicy(signingKeys: [secret])
        for text in ["\(secret)", String(reflecting: secret), String(describing: [secret]), dumped, "\(policy)"] {
            #expect(!text.contains("0123") && !text.contains("48, 49"), "\(text)")
        }
    }

    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ])
    func `digests match FIPS 180`(text: String, digest: String) {
        #expect(Hexadecimal.text(SHA256.digest(of: Array(text.utf8))) == digest)
    }

    @Test func `hexadecimal digits are decoded in pairs`() {
        #expect(Hexadecimal.bytes("00fFa9") == [0, 255, 0xA9])
        #expect(Hexadecimal.bytes("") == [])
        for text in ["0", "0g", "0x00", " 00", "é"] { #expect(Hexadecimal.bytes(text) == nil) }
    }
}
