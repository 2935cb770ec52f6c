import Requests

/// The times of `maxage`: nginx' numbers with units, such as `31d` and `1w12h`, or a number of seconds.
enum WeservTime {
    /// The units in descending order, in seconds; each may occur once.
    private static let units: [(mark: UInt8, seconds: Int)] = [
        (UInt8(ascii: "y"), 31_536_000), (UInt8(ascii: "M"), 2_592_000), (UInt8(ascii: "w"), 604_800),
        (UInt8(ascii: "d"), 86_400), (UInt8(ascii: "h"), 3600), (UInt8(ascii: "m"), 60), (UInt8(ascii: "s"), 1),
    ]

    /// The times that weserv accepts: a day to a year.
    private static let accepted = 86_400...31_536_000

    /// The maximum number of digits of a number: more than a year in seconds has.
    private static let maxDigits = 9

    /// Parses a time; nil for a time that weserv ignores.
    static func seconds(_ text: String) -> Int? {
        var rest = text.utf8[...]
        var next = 0
        var total = 0
        guard !rest.isEmpty else { return nil }
        while !rest.isEmpty {
            let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            guard digits.count <= maxDigits, let number = Int(plainDigits: Substring(digits)) else { return nil }
            rest = rest.dropFirst(digits.count)
            // A number without a unit is the number of seconds.
            let mark = rest.first ?? UInt8(ascii: "s")
            guard let place = units.firstIndex(where: { $0.mark == mark }), place >= next else { return nil }
            // bounded: at most nine digits, times the seconds of a year, for each of seven units
            total += number * units[place].seconds
            next = place + 1
            rest = rest.dropFirst()
        }
        return accepted.contains(total) ? total : nil
    }
}
