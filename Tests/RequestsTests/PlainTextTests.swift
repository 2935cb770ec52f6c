import Requests
import Testing

@Suite struct PlainTextTests {
    @Test(arguments: [
        ("0", 0.0), ("16", 16), ("1.91", 1.91), (".5", 0.5), ("007", 7),
        ("123456789012345678901234", 1.23456789012345678901234e23),
    ])
    func `a plain decimal is parsed`(text: String, number: Double) {
        #expect(Double(plainDecimal: text) == number)
    }

    @Test(arguments: [
        "", ".", "-1", "+1", "1e3", "0x10", "inf", "nan", "1,5", " 1", "1 ", "1.2.3", "١", "1\0",
        "1234567890123456789012345",
    ])
    func `other notations of numbers are rejected`(text: String) {
        #expect(Double(plainDecimal: text) == nil)
    }

    @Test(arguments: [("0", 0), ("007", 7), ("999999999999", 999_999_999_999)])
    func `plain digits are parsed`(text: String, number: Int) {
        #expect(Int(plainDigits: text) == number)
    }

    @Test(arguments: ["", "-1", "+1", "1.0", " 1", "１", "1000000000000", "0x1"])
    func `signs, other digits and too many digits are rejected`(text: String) {
        #expect(Int(plainDigits: text) == nil)
    }

    @Test func `characters with a special meaning in HTML are escaped`() {
        #expect(
            HTMLText.escaped("<a href=\"x\">'&amp;'</a>") == "&lt;a href=&quot;x&quot;&gt;&#39;&amp;amp;&#39;&lt;/a&gt;"
        )
        #expect(HTMLText.escaped("größe 👨‍👩‍👧\r\n") == "größe 👨‍👩‍👧\r\n")
    }
}
