import Cryptography
import Encodings
import HTTPTypes
import HeadroomAPI
import TestPacing
import Testing

/// The mistakes of programs that sign requests.
@Suite(.limitedConcurrency) struct SignatureMistakeTests {
    @Test(arguments: [
        ("POST /frame?aspect=1%3A1&url=https%3A%2F%2Fo%2Fa%20b.jpg&v=1", "made for POST, but the request is a GET"),
        ("GET /frame?aspect=1%3A1&url=https%3A%2F%2Fo%2Fa%20b.jpg", "The parameter v was added after signing"),
        ("GET /frame?url=https%3A%2F%2Fo%2Fa%20b.jpg&aspect=1%3A1&v=1", "another order"),
        ("GET /img/frame?aspect=1%3A1&url=https%3A%2F%2Fo%2Fa%20b.jpg&v=1", "A different path was signed, /img/frame"),
        ("GET /frame/?aspect=1%3A1&url=https%3A%2F%2Fo%2Fa%20b.jpg&v=1", "A different path was signed, /frame/"),
        ("GET /frame?aspect=1%253A1&url=https%253A%252F%252Fo%252Fa%2520b.jpg&v=1", "percent-encoded twice"),
        ("GET /frame?aspect=1%3a1&url=https%3a%2f%2fo%2fa%20b.jpg&v=1", "lower-case escapes"),
        ("GET /frame?aspect=1%3A1&url=https%3A%2F%2Fo%2Fa+b.jpg&v=1", "encodes spaces as +"),
        ("GET /frame?aspect=1:1&url=https://o/a b.jpg&v=1", "not percent-encoded"),
        ("/frame?aspect=1%3A1&url=https%3A%2F%2Fo%2Fa%20b.jpg&v=1", "The method is missing"),
        ("GET /frame?nothing=1", ""),
    ])
    func `the mistake of a signature is named`(signed: String, mistake: String) throws {
        let code = MessageDigest.sha256.authenticationCode(
            of: Array(signed.utf8),
            key: Array(Credentials.firstKey.utf8)
        )
        let found = SignatureMistake.of(
            Hexadecimal.text(code),
            .get,
            path: "/frame",
            query: "url=https%3A%2F%2Fo%2Fa%20b.jpg&aspect=1%3A1&v=1",
            prefix: "",
            keys: Credentials.list(Credentials.firstKey)
        )
        #expect(found?.sentence.contains(mistake) ?? mistake.isEmpty, "\(found?.sentence ?? "nothing")")
    }

    @Test func `a signature in Base64 and a prefix are recognised`() throws {
        func mistake(_ signed: String, _ text: ([UInt8]) -> String, prefix: String = "") -> String? {
            let code = MessageDigest.sha256.authenticationCode(
                of: Array(signed.utf8),
                key: Array(Credentials.firstKey.utf8)
            )
            return SignatureMistake.of(
                text(code),
                .post,
                path: "/faces",
                query: "aspect=1%3A1&signature=0",
                prefix: prefix,
                keys: Credentials.list("\(Credentials.secondKey) \(Credentials.firstKey)")
            )?.sentence
        }
        let text = "POST /faces?aspect=1%3A1"
        #expect(mistake(text, { Base64.text($0, isStandard: true) })?.contains("Base64") == true)
        let prefixed = mistake("POST /a/b/faces?aspect=1%3A1", Hexadecimal.text, prefix: "/a/b")
        #expect(prefixed?.contains("The path prefix /a/b was signed") == true)
    }
}
