/// The code in an error of S3: `<Error><Code>SignatureDoesNotMatch</Code>…`.
enum S3ErrorCode {
    /// The code in the beginning of a body; nil if there is none.
    ///
    /// - Returns: 1 to 64 ASCII letters and digits, for a log.
    static func code(in body: [UInt8]) -> String? {
        let text = String(decoding: body, as: UTF8.self)
        guard let start = text.firstRange(of: "<Code>"),
            let end = text[start.upperBound...].firstRange(of: "</Code>")
        else { return nil }
        let code = text[start.upperBound..<end.lowerBound]
        let isCode =
            1...64 ~= code.utf8.count
            && code.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: false
                }
            }
        return isCode ? String(code) : nil
    }
}
