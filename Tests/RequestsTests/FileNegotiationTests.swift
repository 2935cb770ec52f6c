import Geometry
import Imaging
import Requests
import TestPacing
import Testing

/// Kinds of outputs that do not depend on `Accept`.
@Suite(.limitedConcurrency) struct FileNegotiationTests {
    @Test func `a file's job has all aspect ratios and the file's format`() throws {
        func form(
            _ pairs: [(String, String)],
            _ format: OutputFormat? = nil,
            plan: Bool = false
        ) throws -> Negotiation.Form {
            let parameters = try FrameParameters(pairs.map { (name: $0.0, value: $0.1) }, known: Parameter.all)
            return Negotiation(files: parameters, format: format, wantsImages: !plan).form
        }
        #expect(try form([]) == .image(nil))
        #expect(try form([("format", "png")]) == .image(.png))
        #expect(try form([("format", "png")], .webp) == .image(.webp))
        #expect(try form([("aspect", "1:1,16:9"), ("format", "jpeg")]) == .images(.jpeg))
        #expect(try form([("format", "debug")], .png) == .debug(.png))
        #expect(try form([("aspect", "1:1,16:9"), ("format", "debug")], plan: true) == .document)
    }

    @Test func `one crop has one aspect ratio, and plans and markup may have several`() {
        let ratios = [AspectRatio("16:9"), nil, AspectRatio("1:1")]
        let client = Negotiation.Accepted(formats: [], prefersJSON: false, prefersMultipart: false)
        for (format, isRefused) in [
            (FrameParameters.Format.auto, true), (.source, true), (.image(.png), true), (.debug, true), (.focus, true),
            (.json, false), (.html, false),
        ] {
            let negotiation = Negotiation(format, accepted: client, route: .frame)
            let error = negotiation.refusal(of: ratios)
            #expect((error != nil) == isRefused, "\(format.word)")
            #expect(error == nil || error?.name == "aspect" && error?.received == "16:9,,1:1")
            #expect(negotiation.refusal(of: [nil]) == nil)
        }
    }

    @Test func `a client that accepts no image format gets a format that is fast to encode`() {
        let client = Negotiation.Accepted(formats: [], prefersJSON: false, prefersMultipart: false)
        let negotiation = Negotiation(.auto, accepted: client, route: .frame)
        #expect(!negotiation.acceptedFormats.isEmpty && !negotiation.acceptedFormats.contains { $0.isExpensive })
        #expect(Negotiation(.source, accepted: client, route: .frame).acceptedFormats.isEmpty)
    }
}
