import CLinux
import UntrustedText

/// A body of `multipart/form-data` (RFC 7578).
package struct MultipartForm: Sendable {
    /// One field of the form.
    package struct Part: Sendable {
        package var name: String
        /// The file name; nil if the field is not a file.
        package var fileName: String?
        /// The content, unchecked.
        package var content: ArraySlice<UInt8>
    }

    /// The reason why a body is not a valid form.
    package enum Failure: Error, Hashable {
        /// The content type is not `multipart/form-data`, or its boundary is missing, empty or longer than 70 bytes.
        case noBoundary
        /// The closing delimiter is missing, or a delimiter is followed by other text on its line.
        case notClosed
        /// A part lacks `Content-Disposition: form-data` with a name.
        case badPartHeader
        /// There are more parts than ``maxParts``.
        case tooManyParts(limit: Int)
    }

    /// The maximum number of fields in a form.
    package static let maxParts = 64
    /// The maximum size of a part's header, in bytes.
    package static let maxPartHeaderBytes = 4096

    package let parts: [Part]

    /// Parses a body.
    ///
    /// - Parameters:
    ///   - body: The request's body.
    ///   - contentType: The request's `Content-Type`, which names the boundary.
    /// - Throws: ``Failure``.
    package init(_ body: [UInt8], contentType: String) throws(Failure) {
        guard let boundary = MediaType(contentType)?.parameters["boundary"],
            (1...70).contains(boundary.utf8.count)  // RFC 2046 §5.1.1
        else { throw .noBoundary }
        let delimiter = Array("\r\n--\(boundary)".utf8)
        var parts: [Part] = []
        // A delimiter at the start of the body does not need a line break before it.
        var position: Int
        if body.starts(with: delimiter.dropFirst(2)) {
            position = delimiter.count - 2
        } else {
            guard let first = body.firstPlace(of: delimiter, from: 0) else { throw .notClosed }
            position = first.upperBound
        }
        while true {
            if body.hasBytes("--", at: position) { break }
            position = body.skippingBlanks(from: position)
            guard body.hasBytes("\r\n", at: position) else { throw .notClosed }
            guard parts.count < Self.maxParts else { throw .tooManyParts(limit: Self.maxParts) }
            // In a part without header fields, one line break ends the delimiter and starts the next delimiter.
            guard let end = body.firstPlace(of: delimiter, from: position) else { throw .notClosed }
            // bounded: the range ends at its start or after it
            parts.append(try Self.part(body[(position + 2)..<max(position + 2, end.lowerBound)]))
            position = end.upperBound
        }
        self.parts = parts
    }

    private static func part(_ bytes: ArraySlice<UInt8>) throws(Failure) -> Part {
        let head = bytes.prefix(maxPartHeaderBytes)
        guard let blank = Array(head).firstPlace(of: Array("\r\n\r\n".utf8), from: 0) else { throw .badPartHeader }
        let lines = String(decoding: head.prefix(blank.lowerBound), as: UTF8.self).bytes.split(separator: "\r\n")
        for line in lines {
            let sides = line.bytes.split(separator: ":", maxSplits: 1)
            guard sides.count == 2, sides[0].bytes.matches("content-disposition") else { continue }
            guard let disposition = MediaType(sides[1]), disposition.essence == "form-data",
                let name = disposition.parameters["name"]
            else { break }
            return Part(
                name: name,
                fileName: disposition.parameters["filename"],
                content: bytes.dropFirst(blank.upperBound)
            )
        }
        throw .badPartHeader
    }
}

extension [UInt8] {
    /// Finds the first occurrence of `needle` at or after `start`, in linear time.
    fileprivate func firstPlace(of needle: [UInt8], from start: Int) -> Range<Int>? {
        guard start <= count else { return nil }
        let place = withUnsafeBytes { bytes in
            // bounded: start is at most the count
            let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
            return needle.withUnsafeBytes { hr_find(rest.baseAddress, rest.count, $0.baseAddress, $0.count) }
        }
        // bounded: the needle was found at this position
        return place < 0 ? nil : start + place..<start + place + needle.count
    }

    fileprivate func hasBytes(_ text: String, at position: Int) -> Bool {
        let wanted = text.utf8
        // bounded: the length was checked before
        return position + wanted.count <= count && self[position..<(position + wanted.count)].elementsEqual(wanted)
    }

    /// Skips the spaces and tabs that RFC 2046 §5.1.1 allows between a delimiter and the end of its line.
    fileprivate func skippingBlanks(from position: Int) -> Int {
        self[Swift.min(position, count)...].firstIndex { $0 != 32 && $0 != 9 } ?? count
    }
}
