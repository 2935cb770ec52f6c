@testable import HeadroomAPI

extension Fuzzer {
    /// Forms: a line with the content type, then the body.
    ///
    /// Invariant: a serialised form parses to the same contents.
    static let multipart = Fuzzer(name: "multipart", maxLength: 2048) {
        let image =
            "--b\r\nContent-Disposition: form-data; name=\"image\"; filename=\"a;\\\".jpg\"\r\n\r\n\u{1}\u{2}\r\n"
        return [
            "multipart/form-data; boundary=b\n\(image)--b\r\nContent-Disposition: form-data; name=width\r\n\r\n400\r\n--b--",
            "multipart/form-data; boundary=\"b\"\npreamble\r\n\(image)--b-- \r\nepilogue",
            "multipart/form-data; boundary=b\n--b--",
            "multipart/form-data; boundary=b\n--b \t\r\n--b\r\nX: y\r\n\r\n\r\n--b--",
        ].map { Array($0.utf8) }
    } run: { input in
        let end = input.firstIndex(of: UInt8(ascii: "\n")) ?? input.endIndex
        let type = String(decoding: input[..<end], as: UTF8.self)
        guard let form = try? MultipartForm(Array(input[end...].dropFirst()), contentType: type) else { return }
        precondition(form.parts.count <= MultipartForm.maxParts)
        // Contents with the last character of this boundary are skipped, so no content contains the boundary.
        let boundary = String(repeating: "-", count: 69) + "~"
        guard !form.parts.contains(where: { $0.content.contains(UInt8(ascii: "~")) }) else { return }
        var body: [UInt8] = []
        for (index, part) in form.parts.enumerated() {
            body += Array("--\(boundary)\r\nContent-Disposition: form-data; name=\"p\(index)\"\r\n\r\n".utf8)
            body += part.content + Array("\r\n".utf8)
        }
        body += Array("--\(boundary)--".utf8)
        guard let again = try? MultipartForm(body, contentType: "multipart/form-data; boundary=\(boundary)") else {
            preconditionFailure("the serialised form is invalid")
        }
        precondition(again.parts.map(\.content).elementsEqual(form.parts.map(\.content)) { $0.elementsEqual($1) })
        precondition(again.parts.enumerated().allSatisfy { $0.element.name == "p\($0.offset)" })
    }
}
