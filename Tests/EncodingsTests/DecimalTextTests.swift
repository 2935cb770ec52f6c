import Encodings
import Testing

@Suite struct DecimalTextTests {
    @Test(arguments: [
        (0.0, 2, "0.00"), (1.005, 2, "1.00"), (-2.5, 0, "-2"), (1234.5, 4, "1234.5000"),
        (1e21, 1, "1000000000000000000000.0"),
    ])
    func `a number is printed with a fixed number of decimals`(number: Double, decimals: Int, text: String) {
        #expect(number.text(decimals: decimals) == text)
    }
}
