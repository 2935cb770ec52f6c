/// The metadata of a camera and an image editor: location, thumbnail, notes, and author.
package enum CameraMetadata {
    /// Texts that no output may contain.
    package static let secrets = ["SecretPosition", "SecretThumbnail", "SecretNote", "SecretCamera"]

    /// A little-endian TIFF structure with a camera's name, artist and copyright, a location, a note, and a thumbnail
    /// in a second directory.
    package static func tiff(artist: String?, copyright: String?) -> [UInt8] {
        var entries: [(tag: Int, type: Int, data: [UInt8])] = [(0x0110, 2, Array("SecretCamera".utf8) + [0])]
        if let artist { entries.append((0x013B, 2, Array(artist.utf8) + [0])) }
        if let copyright { entries.append((0x8298, 2, Array(copyright.utf8) + [0])) }
        // Actual files have a separate directory for the location; its text is enough here.
        entries.append((0x8825, 7, Array("SecretPosition".utf8)))
        entries.append((0x927C, 7, Array("SecretNote".utf8)))
        let start = 8 + 2 + 12 * entries.count + 4
        var directory = number(entries.count, 2)
        var content: [UInt8] = []
        for entry in entries {
            directory += number(entry.tag, 2) + number(entry.type, 2) + number(entry.data.count, 4)
            if entry.data.count <= 4 {
                directory += entry.data + Array(repeating: 0, count: 4 - entry.data.count)
            } else {
                directory += number(start + content.count, 4)
                content += entry.data
            }
        }
        let second = number(0, 2) + number(0, 4) + Array("SecretThumbnail".utf8)
        return Array("II*\0".utf8) + number(8, 4) + directory + number(start + content.count, 4) + content + second
    }

    /// An XMP packet as an editor writes it.
    package static func xmp(creators: [String], rights: String?, credit: String?) -> [UInt8] {
        let items = creators.map { "     <rdf:li>\($0)</rdf:li>\n" }.joined()
        let creator = creators.isEmpty ? "" : "<dc:creator>\n    <rdf:Seq>\n\(items)    </rdf:Seq>\n   </dc:creator>"
        let notice = rights.map {
            "<dc:rights>\n    <rdf:Alt>\n     <rdf:li xml:lang=\"x-default\">\($0)</rdf:li>\n    </rdf:Alt>\n   </dc:rights>"
        }
        return Array(
            """
            <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
              <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"
                exif:GPSLatitude="SecretPosition"\(credit.map { " photoshop:Credit=\"\($0)\"" } ?? "")>
               \(creator)
               \(notice ?? "")
              </rdf:Description></rdf:RDF></x:xmpmeta>
            """.utf8
        )
    }

    /// Photoshop's image resources with IPTC records, after another resource with a name.
    package static func photoshop(records: [(number: UInt8, text: String)]) -> [UInt8] {
        let data = records.reduce(into: [0x1C, 0x02, 0x00, 0x00, 0x02, 0x00, 0x04] as [UInt8]) { bytes, record in
            bytes += [
                0x1C, 0x02, record.number, UInt8(record.text.utf8.count >> 8), UInt8(record.text.utf8.count & 0xFF),
            ]
            bytes += record.text.utf8
        }
        return resource(0x040C, name: "abc", Array("SecretThumbnail".utf8)) + resource(0x0404, name: "", data)
    }

    private static func resource(_ number: Int, name: String, _ data: [UInt8]) -> [UInt8] {
        var head = Array("8BIM".utf8) + [UInt8(number >> 8), UInt8(number & 0xFF), UInt8(name.utf8.count)] + name.utf8
        if (1 + name.utf8.count) % 2 == 1 { head.append(0) }
        let length = [24, 16, 8, 0].map { UInt8(data.count >> $0 & 0xFF) }
        return head + length + data + (data.count % 2 == 0 ? [] : [0])
    }

    private static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) }
    }
}
