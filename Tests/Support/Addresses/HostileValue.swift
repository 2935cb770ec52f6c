/// Values that no format expects for its options: empty values, separators, and numbers at and beyond limits.
package enum HostileValue {
    /// Separators of all formats, alone, repeated, and next to a number.
    private static let separators: [String] = ["-", "_", ":", ",", ";", "x", ".", "|", "/", "@", "~", "*"].flatMap {
        [$0, $0 + $0, "\($0)1", "1\($0)", "1\($0)\($0)1", "\($0)1\($0)"]
    }

    /// Numbers at and beyond the limits of parameters and of integers, in all notations.
    private static let numbers = [
        "0", "-0", "+0", "00", "1", "-1", "+1", "2", "0.0", "0.5", "-0.5", ".5", "5.", "0.000001", "0.1", "1.5", "5",
        "8",
        "45", "90", "-90", "99", "100", "101", "254", "255", "256", "360", "441", "442", "2000", "2001", "16384",
        "16385",
        "32767", "65536", "99999", "100000", "100001", "1000000", "1000001", "2147483647", "2147483648", "-2147483649",
        "4294967296", "999999999999", "1000000000000", "9007199254740993", "9223372036854775807", "9223372036854775808",
        "-9223372036854775808", "-9223372036854775809", "18446744073709551616", "99999999999999999999999999999999",
        "0.00000000000000000000001", "1e1", "1e308", "1e309", "-1e309", "1E-400", "0x10", "0b1", "1_000", "nan", "NaN",
        "-nan", "inf", "-inf", "Infinity", "infinity", "1/0", "0/0", "50%", "100%", "0%", "101%", "10px", "-10px",
    ]

    /// Non-ASCII digits, points and signs, characters of several scalars, and text that is not a value.
    private static let texts = [
        "", " ", "%", "%2", "%zz", "%00", "%25", "+", "&", "=", "#", "\u{FF12}\u{FF13}", "\u{0663}", "\u{00BD}",
        "\u{2212}1", "1\u{0301}", "\u{1F600}", "\u{0}", "\u{7F}", "null", "undefined", "true", "false", "auto", "none",
        "NaNpx", "%s", "${width}", "{{w}}",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    ]

    /// Values with several parts, like some formats' options, with missing, extra or reversed parts.
    private static let parts = [
        "0:0", "1:0", "0:1", "16:9", "16:9:4", "9-16", "0-0", "1-0", "3x2", "0x0", "1x2:1x2", "9x9:1x1",
        "0x0:99999x99999",
        "1,2", "1,2,3,4", "0,0,0,0", "0.5,0.5,0.5,0.5", "4,3,2,1,0", ",,,", "1;2;3;4", ";;;", "a,b,c,d", "iw", "ih",
        "iw_div_0", "iw_div_2", "iw_mul_", "iw_mul_0.5", "ih_mul_1e9", "cw", "cw_div_", "i", "c", "face:0", "face:1",
        "point:1,1", "point:,", "focal-1-1", "crop-100-100", "crop-1-", "rgb()", "rgb(1,2,3)", "rgb(,,)",
        "rgb(1e9,2,3,4)",
        "rgb:", "rgb:fff", "#", "#12", "#1234567", "fff", "ffff", "ff00ff00", "rounded:0.5", "20|20", "|", "20|",
        "b64:",
        "aHR0cA==", "=", "====", "a.b.c", "....", "%2F..%2F", "(", ")", "()", ")(", "((((", "a(b):c(d",
    ]

    /// All values without duplicates.
    package static let all: [String] = {
        var seen: Set<String> = []
        return (texts + numbers + separators + parts).filter { seen.insert($0).inserted }
    }()
}
