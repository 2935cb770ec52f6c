/// Reads IPTC records out of Photoshop's image resources (IPTC IIM 4.2, 1.6; Adobe Photoshop file formats).
enum IPTCRecords {
    /// The notice in records 2:80 (by-line), 2:110 (credit) and 2:116 (copyright notice).
    static func notice(_ resources: ArraySlice<UInt8>) -> CopyrightNotice {
        var notice = CopyrightNotice()
        guard let data = records(in: resources) else { return notice }
        var offset = data.lowerBound
        while offset + 5 <= data.upperBound, resources[offset] == 0x1C {
            let (record, number) = (resources[offset + 1], resources[offset + 2])
            let length = Int(resources[offset + 3]) << 8 | Int(resources[offset + 4])
            // A length with its highest bit set is the size of an extended length, which no text needs.
            guard length < 0x8000, offset + 5 + length <= data.upperBound else { return notice }
            let text = CopyrightNotice.text(resources[offset + 5..<offset + 5 + length])
            switch (record, number) {
            case (2, 80): notice.artist = notice.artist ?? text
            case (2, 110): notice.credit = notice.credit ?? text
            case (2, 116): notice.copyright = notice.copyright ?? text
            default: break
            }
            offset += 5 + length
        }
        return notice
    }

    /// The range of resource 0x0404.
    private static func records(in resources: ArraySlice<UInt8>) -> Range<Int>? {
        var offset = resources.startIndex
        while offset + 12 <= resources.endIndex, resources[offset..<offset + 4].elementsEqual("8BIM".utf8) {
            let number = Int(resources[offset + 4]) << 8 | Int(resources[offset + 5])
            // The name has a length, and both together an even number of bytes.
            let size = offset + 6 + (Int(resources[offset + 6]) + 2) / 2 * 2
            guard size + 4 <= resources.endIndex else { return nil }
            let length = (0..<4).reduce(0) { $0 << 8 | Int(resources[size + $1]) }
            let start = size + 4
            guard length <= resources.endIndex - start else { return nil }
            if number == 0x0404 { return start..<start + length }
            offset = start + length + length % 2
        }
        return nil
    }
}
