import Encodings
import Testing

@Suite struct FileNameTests {
    @Test(
        arguments: [
            [], Array("caf\u{E9} \u{1F600}".utf8), [0x63, 0xE9], [0xFF, 0xFE], [0xE2, 0x82], [0xF4, 0x8F, 0xBF, 0xA9],
            [0xF4, 0x8F, 0xBE, 0x7F], [0xF4, 0x8F, 0xBE, 0x80, 0x41], [0xF4, 0x90, 0x80, 0x80], [0xC0, 0x80],
            [0xED, 0xA0, 0x80],
            Array("\u{F4}\u{10FF7F}\u{10FF80}\u{10FFFF}".utf8), Array(0x01...0xFF),
        ] as [[UInt8]]
    )
    func `every name has one text, and the text converts back to the name`(bytes: [UInt8]) {
        let text = FileName.text(of: bytes)
        #expect(FileName.bytes(of: text) == bytes)
        #expect(text.systemPath == bytes.map { CChar(bitPattern: $0) } + [0])
        if String(validating: bytes, as: UTF8.self) == nil {
            #expect(text.unicodeScalars.contains { $0.value >= 0x10FF80 })
        }
    }

    @Test func `different names never have the same text`() {
        // Some characters represent raw bytes. A name that contains such a character must differ from a name that
        // contains the raw byte.
        #expect(FileName.text(of: [0xE9]) != FileName.text(of: Array("\u{10FFE9}".utf8)))
    }
}
