import Imaging
import Testing

@Suite struct BitmapFontTests {
    private func pixels(_ character: Character) -> Set<[Int]> {
        Set(BitmapFont.pixels(of: character).map { [$0.x, $0.y] })
    }

    @Test func `every printable character has its own pixels within its cell`() {
        var seen: Set<Set<[Int]>> = []
        for code in UInt8(33)...126 {
            let pixels = pixels(Character(UnicodeScalar(code)))
            #expect(!pixels.isEmpty)
            #expect(seen.insert(pixels).inserted, "\(Character(UnicodeScalar(code))) looks like another character")
            #expect(pixels.allSatisfy { (0..<5).contains($0[0]) && (0..<BitmapFont.height).contains($0[1]) })
        }
        #expect(pixels(" ").isEmpty)
    }

    @Test func `a character that is not printable ASCII is drawn as a box`() {
        for character in ["\u{7F}", "\n", "é", "😀", "\u{0}", "\r\n"] as [Character] {
            #expect(pixels(character).count == 20)
            #expect(pixels(character).isSuperset(of: [[0, 0], [4, 0], [0, 6], [4, 6]]))
        }
    }
}
