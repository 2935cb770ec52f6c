import Imaging
import Pipeline
import Requests
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct VideoParametersTests {
    private func read(_ pairs: [(String, String)]) throws(ParameterErrors) -> FrameParameters {
        try FrameParameters(pairs.map { (name: $0.0, value: $0.1) }, known: Parameter.all)
    }

    @Test(arguments: VideoFormat.allCases) func `a video is made from frames without another format`(
        format: VideoFormat
    ) throws {
        let parameters = try read([("format", format.rawValue), ("motion", "follow"), ("quality", "50")])
        #expect(parameters.format == .video(format) && parameters.format.word == format.rawValue)
        let accepted = Negotiation.Accepted(formats: [.webp], prefersJSON: true, prefersMultipart: false)
        let negotiation = Negotiation(parameters.format, accepted: accepted, route: .frame)
        #expect(negotiation.form == .video(format) && negotiation.video == format)
        #expect(!negotiation.dependsOnAccept && negotiation.word == format.rawValue)
        let job = negotiation.job(source: SourceBytes([1]), parameters: parameters)
        #expect(job.target == .image(.videoFrames))
    }

    @Test func `only /frame makes videos`() throws {
        #expect(ImageRoute.frame.formats.contains("mp4") && ImageRoute.frame.formats.contains("webm"))
        for route in [ImageRoute.faces, .face(1)] {
            let parameters = try read([("format", "mp4")])
            #expect(route.refusal(of: parameters, form: .video(.mp4))?.name == "format")
        }
    }

    @Test(arguments: [
        ("animation", "still", "animation=still is not allowed with format=mp4"),
        ("maxBytes", "1000", "maxBytes is not allowed with format=mp4"),
        ("chroma", "444", "chroma=444 is not allowed with format=mp4"),
        ("progressive", "true", "progressive=true is not allowed with format=mp4"),
        ("losslessCrop", "true", "losslessCrop=true is not allowed with format=mp4"),
        ("mask", "circle", "mask requires a background with format=mp4"),
        ("chromaKey", "00ff00", "chromaKey requires a backdrop or a background with format=mp4"),
        ("hdr", "keep", "format=mp4 is not valid: expected jpeg with hdr=keep"),
    ])
    func `parameters that a video does not support are rejected`(name: String, value: String, sentence: String) throws {
        let errors = try #require(throws: ParameterErrors.self) { try read([("format", "mp4"), (name, value)]) }
        #expect(errors.all.contains { $0.sentence.contains(sentence) }, "\(errors.all.map(\.sentence))")
    }

    @Test(arguments: [("mask", "circle"), ("chromaKey", "00ff00")])
    func `a background replaces transparency`(name: String, value: String) throws {
        #expect(try read([("format", "webm"), (name, value), ("background", "ffffff")]).format == .video(.webm))
    }
}
