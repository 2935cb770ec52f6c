import HeadroomAPI
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct MultipartFormTests {
    private static let type = "multipart/form-data; boundary=xyz"

    private func parse(_ body: String, type: String = Self.type) throws(MultipartForm.Failure) -> MultipartForm {
        try MultipartForm(Array(body.utf8), contentType: type)
    }

    private func part(_ name: String, _ content: String) -> String {
        "--xyz\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(content)\r\n"
    }

    private func text(_ part: MultipartForm.Part?) -> String? {
        part.map { String(decoding: $0.content, as: UTF8.self) }
    }

    @Test func `fields keep their order and bytes`() throws {
        let form = try parse(part("a", "1") + part("b", "two\r\nlines") + part("a", "") + "--xyz--\r\n")
        #expect(form.parts.map(\.name) == ["a", "b", "a"])
        #expect(form.parts.map { text($0) } == ["1", "two\r\nlines", ""])
    }

    @Test func `a file keeps all bytes, including line ends and fragments of delimiters`() throws {
        let bytes: [UInt8] = Array(0...255) + Array("\r\n--xy\r\n-xyz\r\n--\r\n".utf8) + [13, 10, 13]
        let head =
            "--xyz\r\nContent-Disposition: form-data; name=\"image\"; filename=\"a.jpg\"\r\n"
            + "Content-Type: image/jpeg\r\n\r\n"
        let form = try MultipartForm(
            Array(head.utf8) + bytes + Array("\r\n--xyz--".utf8),
            contentType: Self.type
        )
        #expect(form.parts.count == 1)
        #expect(form.parts.first?.fileName == "a.jpg")
        #expect(form.parts.first.map { Array($0.content) } == bytes)
    }

    @Test(arguments: [
        ("form-data; name=\"image\"; filename=\"a;b=c.jpg\"", "image", "a;b=c.jpg"),
        (#"form-data; name="image"; filename="say \"hi\".jpg""#, "image", #"say "hi".jpg"#),
        ("form-data; name=image; filename=a.jpg", "image", "a.jpg"),
        ("FORM-DATA;NAME=\"image\";FILENAME=\"\"", "image", ""),
        ("form-data; filename=\"é.jpg\"; name=\"image\"", "image", "é.jpg"),
        ("form-data; name=\"\"", "", nil),
    ])
    func `names and file names may be quoted or unquoted`(disposition: String, name: String, fileName: String?) throws {
        let form = try parse("--xyz\r\ncontent-disposition: \(disposition)\r\n\r\nx\r\n--xyz--")
        #expect(form.parts.map(\.name) == [name])
        #expect(form.parts.map(\.fileName) == [fileName])
    }

    @Test func `the preamble, spaces after a delimiter and the epilogue are skipped`() throws {
        let body =
            "hello\r\n--xyz  \t\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--xyz--\r\n--xyz\r\nrest"
        #expect(try parse(body).parts.map { text($0) } == ["1"])
    }

    @Test(arguments: ["\r", "\r\n", "\r\n-", "\r\n--xy", "-", "y"])
    func `a body that consists of delimiter fragments is parsed in a single pass`(unit: String) throws {
        let unit = Array(unit.utf8)
        let content = Array(repeating: unit, count: (8 << 20) / unit.count).flatMap(\.self)
        let body = Array(part("image", "").utf8).dropLast(2) + content + Array("\r\n--xyz--".utf8)
        let time = try processorTime {
            let form = try MultipartForm(Array(body), contentType: Self.type)
            #expect(form.parts.first?.content.count == content.count)
        }
        #expect(time < .seconds(1))
    }

    @Test func `a form may have no fields`() throws {
        #expect(try parse("--xyz--").parts.isEmpty)
    }

    @Test(arguments: [
        "multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=\"\"",
        "multipart/form-data; boundary", "",
        "multipart/form-data; boundary=" + String(repeating: "b", count: 71),
    ])
    func `a type without a valid boundary is rejected`(type: String) {
        #expect(throws: MultipartForm.Failure.noBoundary) { try parse("--xyz--", type: type) }
    }

    @Test func `a boundary may be quoted and contain every permitted character`() throws {
        let body = "--a b;c\r\nContent-Disposition: form-data; name=n\r\n\r\n1\r\n--a b;c--"
        #expect(try parse(body, type: "multipart/form-data; boundary=\"a b;c\"").parts.map(\.name) == ["n"])
    }

    @Test(arguments: [
        "", "nothing", "--xyz", "--xyz\r\n", "--xyz-", "--xyzzy--", "--xyz\n--xyz--",
        "--xyz\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1",
        "--xyz\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--xy--",
        "--xyz\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--xyz",
        "--xyz\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1--xyz--",
        "--xyz\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--xyz garbage\r\n\r\n--xyz--",
    ])
    func `a form without a closing delimiter is rejected`(body: String) {
        #expect(throws: MultipartForm.Failure.notClosed) { try parse(body) }
    }

    @Test(arguments: [
        "", "\r\n", "\r\nx", "Content-Disposition: form-data; name=\"a\"", "Content-Type: text/plain\r\n\r\nx",
        "Content-Disposition: form-data\r\n\r\nx", "Content-Disposition: attachment; name=\"a\"\r\n\r\nx",
        "Content-Disposition\r\n\r\nx", "Content-Disposition:\r\n\r\nx", ": form-data; name=\"a\"\r\n\r\nx",
    ])
    func `a part without a name is rejected`(part: String) {
        #expect(throws: MultipartForm.Failure.badPartHeader) { try parse("--xyz\r\n\(part)\r\n--xyz--") }
    }

    @Test func `the size of a part's header is limited`() {
        let long = "X: \(String(repeating: "x", count: MultipartForm.maxPartHeaderBytes))\r\n"
        let body = "--xyz\r\n\(long)Content-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--xyz--"
        #expect(throws: MultipartForm.Failure.badPartHeader) { try parse(body) }
    }

    @Test func `the number of parts is limited`() throws {
        let maximum = (0..<MultipartForm.maxParts).map { part("p\($0)", "1") }.joined()
        #expect(try parse(maximum + "--xyz--").parts.count == MultipartForm.maxParts)
        #expect(throws: MultipartForm.Failure.tooManyParts(limit: MultipartForm.maxParts)) {
            try parse(maximum + part("more", "1") + "--xyz--")
        }
    }

    @Test func `every truncated form yields an error`() throws {
        let whole = Array((part("a", "1") + part("image", "\r\n--xy") + "--xyz--").utf8)
        for count in 0..<whole.count {
            #expect(throws: MultipartForm.Failure.self) {
                try MultipartForm(Array(whole.prefix(count)), contentType: Self.type)
            }
        }
        #expect(try MultipartForm(whole, contentType: Self.type).parts.count == 2)
    }
}
