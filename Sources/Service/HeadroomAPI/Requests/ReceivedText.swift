import Imaging
import Requests
import UntrustedText

/// The kind of text that was received instead of an image.
enum ReceivedText {
    case dataURL
    case base64
    case url
    case fileName
    /// A web page.
    case html
    /// XML, or a part of a web page.
    case markup
    case json
    case other

    /// The number of bytes that are examined.
    private static let examinedBytes = 1024

    /// Detects the kind of a text; nil for bytes that are not text.
    init?(_ bytes: ArraySlice<UInt8>) {
        let start = bytes.prefix(Self.examinedBytes)
        guard !start.isEmpty, start.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || [9, 10, 13].contains($0) }) else {
            return nil
        }
        // The last character may be truncated.
        let whole = bytes.count > start.count ? start.dropLastCharacter : start
        guard String(validating: whole, as: UTF8.self) != nil else { return nil }
        let text = String(decoding: start.drop { [0xEF, 0xBB, 0xBF, 0x20, 9, 10, 13].contains($0) }, as: UTF8.self)
            .bytes.lowercased()
        let image = ImageText(bytes)
        if image.isDataURL {
            self = .dataURL
        } else if text.bytes.hasPrefix("http://") || text.bytes.hasPrefix("https://") {
            self = .url
        } else if text.bytes.hasPrefix("<") {
            let marks = ["<!doctype html", "<!--", "<html", "<div", "<head", "<body", "<script", "<meta", "<title"]
            self = marks.contains { text.bytes.contains($0) } ? .html : .markup
        } else if text.bytes.hasPrefix("{") || text.bytes.hasPrefix("[") {
            self = .json
        } else if image.isBase64OfImage {
            self = .base64
        } else {
            self = Self.isFileName(bytes) ? .fileName : .other
        }
    }

    /// Returns the first line of a text, shortened, without the `@` that curl expects before a file name.
    static func line(of bytes: ArraySlice<UInt8>) -> String {
        let line = bytes.prefix(examinedBytes).prefix { $0 != 10 && $0 != 13 }
        let name = line.first == UInt8(ascii: "@") ? line.dropFirst() : line
        return ParameterError.shortened(String(decoding: name, as: UTF8.self))
    }

    /// Whether a text is one line that ends with a file name extension, or starts like a path.
    private static func isFileName(_ bytes: ArraySlice<UInt8>) -> Bool {
        let line = bytes.prefix(examinedBytes).prefix { $0 != 10 && $0 != 13 }
        guard bytes.dropFirst(line.count).allSatisfy({ $0 == 10 || $0 == 13 }), let first = line.first else {
            return false
        }
        if [UInt8(ascii: "@"), UInt8(ascii: "/"), UInt8(ascii: "~")].contains(first) { return true }
        guard let dot = line.lastIndex(of: UInt8(ascii: ".")) else { return false }
        let ending = line[dot...].dropFirst()
        return (2...5).contains(ending.count) && ending.allSatisfy(\.isAlphanumericASCII)
    }
}

extension UInt8 {
    fileprivate var isAlphanumericASCII: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
    }
}

extension ReceivedText {
    /// Returns the sentences of a problem for a body that is this text; `line` is its first line.
    func problem(ofBody line: String) -> String {
        let file = "Send the bytes of the image file, with curl --data-binary @FILE."
        let field = "in the JSON member or the form field image"
        return switch self {
        case .dataURL: "The body is a data: URL, not an image. Send the bytes of the file, or the data: URL \(field)."
        case .base64: "The body is Base64, not an image. Send the bytes of the file, or the Base64 \(field)."
        case .url: "The body is a URL, not an image. Send it in the parameter url."
        case .fileName:
            "The body is the file name \(line), not the file. Send the file: with curl, --data-binary @\(line)."
        case .html: "The body is a web page (HTML), not an image. \(file)"
        case .markup: "The body is XML, not an image. \(file)"
        case .json: "The body is JSON, not an image. \(file)"
        case .other: "The body is text, not an image. \(file)"
        }
    }

    /// The sentences of a problem for a URL that returns this text.
    var problemOfURL: String {
        let advice = "Use the URL of the image file itself."
        return switch self {
        case .html:
            "The url leads to a web page (HTML), such as a login page or a share link, not to an image. \(advice)"
        case .markup: "The url leads to an XML document, not to an image. \(advice)"
        case .json: "The url leads to JSON, not to an image. \(advice)"
        case .dataURL, .base64: "The url leads to an image as Base64 text, not to an image file. \(advice)"
        case .url, .fileName, .other: "The url leads to text, not to an image. \(advice)"
        }
    }
}
