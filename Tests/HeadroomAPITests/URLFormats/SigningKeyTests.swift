import Addresses
import Encodings
import HeadroomAPI
import Testing

/// The position of the key that matches a signature.
///
/// Logs report it, so that an operator can see when an old key is unused.
@Suite struct SigningKeyTests {
    /// A URL format whose second key is the key of ``SignedAddresses``.
    private static func second(_ name: URLFormatName) throws -> any URLFormat {
        var configuration = try SignedAddresses.configuration(origin: "https://origin.example")
        let others = try Secret.list("0011223344556677", lengths: Secret.foreignLengths)
        configuration[ThumborURLFormat.self].keys = others + configuration[ThumborURLFormat.self].keys
        configuration[ImgproxyURLFormat.self].keys = others + configuration[ImgproxyURLFormat.self].keys
        configuration[ImgproxyURLFormat.self].salts = others + configuration[ImgproxyURLFormat.self].salts
        configuration[CloudinaryURLFormat.self].secrets = others + configuration[CloudinaryURLFormat.self].secrets
        configuration[ImgixURLFormat.self].tokens = try ImgixTokens(
            "shop=other-000,shop=\(SignedAddresses.secret),press=other-0000,press=press-\(SignedAddresses.secret),"
                + "*=other-00000,*=whole-\(SignedAddresses.secret)",
            of: configuration[ImgixURLFormat.self].sources
        )
        return try #require(configuration.served[name])
    }

    @Test(arguments: SignedAddresses.all) func `the position of the matching key is returned`(
        signed: SignedAddresses.Row
    ) throws {
        let sides = signed.address.split(separator: "?", maxSplits: 1).map(String.init)
        let address = ForeignURL(path: sides[0], query: sides.count > 1 ? sides[1] : nil)
        #expect(try signed.urlFormat().verify(address) == 1)
        #expect(try Self.second(signed.name).verify(address) == 2)
    }

    /// Every format declares whether it has signatures, so that no format is served unsigned by default.
    @Test(arguments: URLFormatName.allCases) func `a format with signatures but without keys is reported as unsigned`(
        name: URLFormatName
    ) throws {
        var open = URLFormatConfiguration()
        open.names = URLFormatName.allCases
        let signed = try SignedAddresses.configuration(origin: "https://origin.example")
        let hasSignatures = [.thumbor, .imgproxy, .imgix, .cloudinary].contains(name)
        #expect(open.unsigned.contains(name) == hasSignatures)
        #expect(try #require(signed.served[name]).signing.isRequired == hasSignatures)
        #expect(!signed.unsigned.contains(name))
    }
}
