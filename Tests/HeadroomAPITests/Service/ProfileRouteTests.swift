import Geometry
import Imaging
import TestHTTP
import TestPacing
import TestImages
import Testing

/// `profile` on real sockets.
@Suite(.limitedConcurrency) struct ProfileRouteTests {
    private let service: TestService
    private let image: [UInt8]
    private static let profile = ColorProfile(ColorProfile.displayP3Colorants, .srgb)

    init() throws {
        service = try TestService.dlib.get()
        let segment = Array("ICC_PROFILE\0".utf8) + [1, 1] + Self.profile.bytes
        image = JPEGSegments.inserting(0xE2, segment, into: try Images.pairJPEG.get())
    }

    private func profile(of file: [UInt8]) throws -> ICCProfile? {
        try ImageDecoder.decode(file, header: try ImageHeader.read(file)).iccProfile
    }

    @Test(arguments: ["/frame?accuracy=low", "/frame?accuracy=low&fit=pad&aspect=1:3", "/faces/1?accuracy=low"])
    func `an output contains the source's profile only with profile=keep`(target: String) async throws {
        for format in OutputFormat.allCases {
            for (use, expected) in [("", nil), ("&profile=srgb", nil), ("&profile=keep", Self.profile.profile)] {
                let target = "\(target)&format=\(format.rawValue)\(use)"
                let reply = try await service.request("POST", target, body: image)
                #expect(reply.status == 200)
                #expect(try profile(of: reply.body) == (format == .gif ? nil : expected), "\(target)")
            }
        }
    }

    @Test func `archives and annotated images contain the profile`() async throws {
        for (use, expected) in [("srgb", nil), ("keep", Self.profile.profile)] {
            let target = "/faces?accuracy=low&format=zip&profile=\(use)"
            let zip = try ZIPReader(try await service.request("POST", target, body: image).body)
            #expect(try profile(of: zip["face-1.jpg"] ?? []) == expected)
            for path in ["/frame?aspect=1:1", "/faces?"] {
                let target = "\(path)&accuracy=low&format=debug&profile=\(use)"
                #expect(try profile(of: try await service.request("POST", target, body: image).body) == expected)
            }
        }
        let list = try await service.request("POST", "/faces?profile=keep", body: image)
        #expect(list.status == 400)
    }

    @Test func `a lossless crop keeps the profile and cannot be converted`() async throws {
        for use in ["", "&profile=keep"] {
            let reply = try await service.request("POST", "/frame?accuracy=low&losslessCrop=true\(use)", body: image)
            #expect(reply.status == 200)
            #expect(try profile(of: reply.body) == Self.profile.profile)
        }
        let reply = try await service.request("POST", "/frame?losslessCrop=true&profile=srgb", body: image)
        #expect(reply.status == 400)
    }

    @Test func `the plan does not depend on profile`() async throws {
        let plans = try await ["srgb", "keep"].asyncMap { use in
            try await service.document("/frame?accuracy=low&aspect=1:1&format=json&profile=\(use)", posting: image)
        }
        #expect(plans[0]["crops"] == plans[1]["crops"] && plans[0]["faces"] == plans[1]["faces"])
    }
}

extension Sequence {
    fileprivate func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
