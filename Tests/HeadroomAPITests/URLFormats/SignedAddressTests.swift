import Addresses
import HTTPTypes
import HeadroomAPI
import Requests
import Testing
import TestImages

/// Changes to signed URLs.
///
/// A changed URL must be rejected or have the same meaning.
@Suite struct SignedAddressTests {
    /// The outcome of a URL.
    private enum Outcome: Equatable {
        case refused(Int)
        case job(String)
    }

    private static func outcome(_ urlFormat: any URLFormat, _ address: String) -> Outcome {
        let sides = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let parts = ForeignURL(path: sides[0], query: sides.count > 1 ? sides[1] : nil)
        do throws(Problem) {
            try urlFormat.verify(parts)
            let translation = try urlFormat.translate(parts)
            let parameters = translation.parameters.map { "\($0.name)=\($0.value)" }.sorted()
            let expiry = translation.expires.map { " until \($0)" } ?? ""
            return .job("\(translation.source) \(parameters.joined(separator: "&"))\(expiry)")
        } catch {
            return .refused(error.status.code)
        }
    }

    /// Changes to one byte of a signed URL: each byte is changed in several ways.
    private static func changesOfBytes(_ address: String, _ generator: inout SeededGenerator) -> [String] {
        let bytes = Array(address.utf8)
        var changed: [[UInt8]] = []
        for index in bytes.indices.dropFirst() {
            changed.append(Array(bytes[..<index]) + Array(bytes[(index + 1)...]))
            changed.append(Array(bytes[...index]) + Array(bytes[index...]))
            for byte in "/?&=%,:-_.0s".utf8 + [UInt8.random(in: 33...126, using: &generator)] {
                changed.append(Array(bytes[..<index]) + [byte] + Array(bytes[index...]))
                changed.append(Array(bytes[..<index]) + [byte] + Array(bytes[(index + 1)...]))
            }
        }
        return changed.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Changes to parts: words are added at each slash and at the end, and parts between slashes are moved, doubled and
    /// dropped.
    private static func changesOfParts(_ address: String, _ generator: inout SeededGenerator) -> [String] {
        var changed = endings.map { address + $0 }
        let parts = address.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        for index in parts.indices.dropFirst() {
            for word in words { changed.append((parts[..<index] + [word] + parts[index...]).joined(separator: "/")) }
            changed.append((parts[..<index] + parts[(index + 1)...]).joined(separator: "/"))
            changed.append((parts[...index] + parts[index...]).joined(separator: "/"))
        }
        for _ in 0..<200 {
            var moved = parts
            moved.swapAt(
                .random(in: 1..<parts.count, using: &generator),
                .random(in: 1..<parts.count, using: &generator)
            )
            if .random(using: &generator) { moved.insert(words.randomElement(using: &generator) ?? "", at: 1) }
            changed.append(moved.joined(separator: "/") + (endings.randomElement(using: &generator) ?? ""))
        }
        return changed
    }

    private static let endings = [
        "?", "?w=9", "&w=9", "?s=9", "&s=9", "?file=secret", "&file=secret", "#file", "/", "/a", "%2Fa", "?_a=B",
        "?_i=A&x=1",
        ";a", "@png", ".png",
    ]
    private static let words = [
        "", ".", "..", "v1", "v22", "w_9", "w:9", "w=9", "9x9", "meta", "debug", "unsafe", "image", "fetch", "upload",
        "plain", "shop", "press", "http:", "s--00000000--", "smart", "_",
    ]

    @Test(arguments: SignedAddresses.all) func `a change to any byte is rejected or has no effect`(
        signed: SignedAddresses.Row
    ) throws {
        let urlFormat = try signed.urlFormat()
        var generator = SeededGenerator(seed: 14)
        let meant = Self.outcome(urlFormat, signed.address)
        guard case .job = meant else {
            Issue.record("\(signed.address) was rejected")
            return
        }
        var refused = 0
        let changes =
            Self.changesOfBytes(signed.address, &generator) + Self.changesOfParts(signed.address, &generator)
        for address in changes {
            let outcome = Self.outcome(urlFormat, address)
            if outcome == meant { continue }
            refused += 1
            guard case .refused(let status) = outcome, [400, 401, 403, 404, 410, 501].contains(status) else {
                Issue.record("\(signed.address) was changed to \(address), which means \(outcome)")
                return
            }
        }
        #expect(refused > changes.count / 2)
    }

    /// Unsigned text must not have an effect.
    ///
    /// Cloudinary does not sign the version, so a URL with other text at this position has the same signature.
    @Test(arguments: [
        ("w_50/c_fill,w_20/dir/a.jpg", "w_50/v1/c_fill,w_20/dir/a.jpg"), ("w_50/dir/a.jpg", "v1/w_50/dir/a.jpg"),
        ("http://example.com/a.jpg", "v1/http://example.com/a.jpg"),
    ])
    func `Cloudinary's version does not split a signed path`(signed: String, other: String) throws {
        let urlFormat = CloudinaryURLFormat(
            origin: OriginBase("https://origin.example"),
            secrets: try Secret.list(SignedAddresses.secret, lengths: Secret.foreignLengths)
        )
        let signature = SignedAddresses.cloudinary(signed)
        #expect(Self.outcome(urlFormat, "/image/upload/s--\(signature)--/\(other)") == .refused(401))
    }

    @Test func `Cloudinary's signature covers the query of a source`() throws {
        let urlFormat = CloudinaryURLFormat(
            secrets: try Secret.list(SignedAddresses.secret, lengths: Secret.foreignLengths)
        )
        let path = "w_50/http://example.com/render.php"
        let signature = SignedAddresses.cloudinary(path)
        let address = "/image/fetch/s--\(signature)--/\(path)"
        #expect(Self.outcome(urlFormat, "\(address)?file=secret") == .refused(401))
        #expect(Self.outcome(urlFormat, "\(address)?_a=B") == Self.outcome(urlFormat, address))
        let long = SignedAddresses.cloudinary("\(path)?file=1")
        let queried = Self.outcome(urlFormat, "/image/fetch/s--\(long)--/\(path)?file=1&_a=B")
        guard case .job(let job) = queried else { throw Problem(.forbidden, .forbidden, "\(queried)") }
        #expect(job.hasPrefix("http://example.com/render.php?file=1 ") && job.hasSuffix("width=50"), "\(job)")
        #expect(Self.outcome(urlFormat, "/image/fetch/s--\(long)--/\(path)?file=2") == .refused(401))
        #expect(Self.outcome(urlFormat, "/image/fetch/s--\(long)--/\(path)") == .refused(401))
    }

    @Test func `an imgix token is valid only for its source`() throws {
        let sources = try #require(ImgixSources("shop=https://shop.example,press=https://press.example,*"))
        let tokens = try ImgixTokens("shop=FOO123bar,press=another-token press=third-token,*=whole-token", of: sources)
        let urlFormat = ImgixURLFormat(sources: sources, tokens: tokens)
        let whole = "/http%3A%2F%2Fexample.com%2Fa.jpg"
        for (token, source, path) in [
            ("FOO123bar", "/shop", "/a.jpg"), ("another-token", "/press", "/a.jpg"),
            ("third-token", "/press", "/a.jpg"),
            ("whole-token", "", whole), ("FOO123bar", "/shop", whole),
        ] {
            let signature = SignedAddresses.imgix("\(path)?w=9", token: token)
            for other in ["/shop", "/press", ""] where other != "" || path == whole {
                let outcome = Self.outcome(urlFormat, "\(other)\(path)?w=9&s=\(signature)")
                if case .job = outcome {
                    #expect(other == source)
                } else {
                    #expect(other != source && outcome == .refused(403))
                }
            }
        }
    }

    @Test func `options that are percent-encoded after signing still match the signature`() throws {
        let url = "http://example.com/a.jpg"
        let thumbor = try #require(
            try SignedAddresses.configuration(origin: "https://origin.example").served[.thumbor]
        )
        let signed = "60x50/smart/filters:quality(80):format(png)/\(url)"
        let signature = SignedAddresses.thumbor(signed)
        let meant = Self.outcome(thumbor, "/\(signature)/\(signed)")
        let encoded = "60x50/smart/filters%3Aquality%2880%29%3Aformat%28png%29/\(url)"
        #expect(Self.outcome(thumbor, "/\(signature)/\(encoded)") == meant)
        // The signature of the encoded text is also valid.
        #expect(Self.outcome(thumbor, "/\(SignedAddresses.thumbor(encoded))/\(encoded)") == meant)
        for other in [
            "60x50%2Fsmart/filters:quality(80):format(png)/\(url)",
            "60x50/smart/filters%3Aquality%2881%29%3Aformat%28png%29/\(url)",
        ] {
            #expect(Self.outcome(thumbor, "/\(signature)/\(other)") == .refused(400))
        }
        let cloudinary = CloudinaryURLFormat(
            secrets: try Secret.list(SignedAddresses.secret, lengths: Secret.foreignLengths)
        )
        let text = SignedAddresses.cloudinary("c_fill,w_60,h_50/\(url)")
        let plain = Self.outcome(cloudinary, "/image/fetch/s--\(text)--/c_fill,w_60,h_50/\(url)")
        #expect(plain == Self.outcome(cloudinary, "/image/fetch/s--\(text)--/c_fill%2Cw_60%2Ch_50/\(url)"))
        #expect(plain != .refused(401))
    }
}
