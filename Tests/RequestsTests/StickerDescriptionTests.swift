import Pipeline
import Requests
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct StickerDescriptionTests {
    private func problems(_ json: String) throws -> [String] {
        try #require(throws: StickerDescription.Malformed.self) { try StickerDescription(Array(json.utf8)) }.problems
    }

    @Test func `a description contains an anchor and a width, and has defaults`() throws {
        let short = try StickerDescription(Array(#"{"anchor": "head", "width": 1.5}"#.utf8))
        let sticker = try #require(short.sticker(name: "crown", files: [[1]]))
        #expect(sticker.anchor == .head && sticker.width == 1.5 && sticker.unit == .face && sticker.depth == .front)
        #expect(sticker.x == 0 && sticker.y == 0 && !sticker.stands && sticker.delay == nil && short.frames == nil)
        let text = #"""
            {"anchor": "face", "width": 1, "unit": "eyes", "offset": [0.5, -2], "stands": true, "z": "behind",
             "delay": 40, "frames": ["b.png", "a.png"]}
            """#
        let long = try StickerDescription(Array(text.utf8))
        let other = try #require(long.sticker(name: "a", files: []))
        #expect(other.unit == .eyes && other.x == 0.5 && other.y == -2 && other.stands && other.depth == .behind)
        #expect(other.delay == 40 && long.frames == ["b.png", "a.png"])
    }

    @Test(arguments: [
        "", "[]", "{", "{}", #"{"anchor": "eyes"}"#, #"{"anchor": 1, "width": 1}"#,
        #"{"anchor": "eyes", "width": "1"}"#,
        #"{"anchor": "nose", "width": 1}"#, #"{"anchor": "eyes", "width": 0}"#, #"{"anchor": "eyes", "width": 21}"#,
        #"{"anchor": "eyes", "width": 1, "offset": [1]}"#, #"{"anchor": "eyes", "width": 1, "offset": [1, 99]}"#,
        #"{"anchor": "eyes", "width": 1, "stands": true}"#, #"{"anchor": "eyes", "width": 1, "delay": 5}"#,
        #"{"anchor": "eyes", "width": 1, "z": "above"}"#, #"{"anchor": "eyes", "width": 1, "size": 3}"#,
        #"{"anchor": "eyes", "width": 1, "frames": []}"#, #"{"anchor": "eyes", "width": 1, "frames": ["../a.png"]}"#,
    ])
    func `any other description is rejected`(json: String) throws {
        #expect(try problems(json).count == 1)
    }

    @Test func `all problems are reported`() throws {
        let json = #"{"anchor": "nose", "width": 99, "z": "x", "delay": 1, "more": true}"#
        #expect(try problems(json).count == 5)
    }
}
