import HTTPServer
import Testing

@Suite struct ListElementsTests {
    @Test(arguments: [
        ("", []), (" ,\t, ", []), ("a", ["a"]), (" a ,\tb;q=0.5 ,, c d\t", ["a", "b;q=0.5", "c d"]),
        ("é, ü ", ["é", "ü"]),
    ])
    func `whitespace around list elements and empty elements are skipped`(
        value: String,
        elements: [String]
    ) {
        #expect(value.listElements.map(String.init) == elements)
        #expect("x\(value)y".dropFirst().dropLast().listElements.map(String.init) == elements)
    }
}
