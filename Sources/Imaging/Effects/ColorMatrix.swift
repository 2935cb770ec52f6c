/// A linear change of red, green and blue, for values from 0 to 1.
struct ColorMatrix: Hashable, Sendable {
    /// For red, green and blue of the result: factors of red, green and blue, and a summand.
    private(set) var rows: [[Double]]

    /// A matrix by its three rows of four numbers.
    init(_ red: [Double], _ green: [Double], _ blue: [Double]) {
        precondition([red, green, blue].allSatisfy { $0.count == 4 }, "a row has four numbers")
        rows = [red, green, blue]
    }

    /// Multiplies every channel by a factor, and adds a summand.
    init(factor: Double, summand: Double = 0) {
        self.init([factor, 0, 0, summand], [0, factor, 0, summand], [0, 0, factor, summand])
    }

    /// The luma of BT.709 in every channel, `grayscale(1)` of CSS.
    static let grayscale = ColorMatrix(saturation: 0)

    /// `saturate()` of CSS (Filter Effects Module Level 1), with the luma of BT.709.
    init(saturation: Double) {
        let (red, green, blue) = (0.2126, 0.7152, 0.0722)
        let rest = 1 - saturation
        self.init(
            [red * rest + saturation, green * rest, blue * rest, 0],
            [red * rest, green * rest + saturation, blue * rest, 0],
            [red * rest, green * rest, blue * rest + saturation, 0]
        )
    }

    /// This change, and then another.
    func then(_ next: ColorMatrix) -> ColorMatrix {
        let product = next.rows.map { row in
            (0..<4).map { column in
                (0..<3).reduce(column == 3 ? row[3] : 0) { $0 + row[$1] * rows[$1][column] }
            }
        }
        return ColorMatrix(product[0], product[1], product[2])
    }

    /// The twelve numbers for samples from 0 to 255.
    var samples: [Float] { rows.flatMap { [Float($0[0]), Float($0[1]), Float($0[2]), Float($0[3] * 255)] } }
}
