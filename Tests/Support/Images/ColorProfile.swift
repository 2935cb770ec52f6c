package import Imaging

/// ICC profiles written in code (ICC.1:2022): with a matrix and curves, for grey, and with tables.
package struct ColorProfile: Sendable {
    /// Red, green and blue as XYZ under D50.
    package typealias Colorants = [[Double]]

    /// The colorants of sRGB, adapted to D50 by the Bradford matrix.
    package static let srgbColorants: Colorants = [
        [0.4360747, 0.2225045, 0.0139322], [0.3850649, 0.7168786, 0.0971045], [0.1430804, 0.0606169, 0.7141733],
    ]
    /// The colorants of Adobe RGB (1998).
    package static let adobeColorants: Colorants = [
        [0.6097559, 0.3111242, 0.0194811], [0.2052401, 0.6256560, 0.0608902], [0.1492240, 0.0632197, 0.7448387],
    ]
    /// The colorants of Display P3.
    package static let displayP3Colorants: Colorants = [
        [0.5151187, 0.2411976, -0.0010505], [0.2919778, 0.6922441, 0.0418791], [0.1571035, 0.0665583, 0.7840713],
    ]

    /// The curve from samples to linear light.
    package enum Curve: Sendable {
        /// A power function.
        case gamma(Double)
        /// The curve of sRGB, as a formula.
        case srgb

        /// The linear light of a sample; both are from 0 to 1.
        package func light(_ sample: Double) -> Double {
            switch self {
            case .gamma(let gamma): sample.power(gamma)
            case .srgb: sample < 0.04045 ? sample / 12.92 : ((sample + 0.055) / 1.055).power(2.4)
            }
        }

        fileprivate var element: [UInt8] {
            switch self {
            case .gamma(let gamma):
                Self.type("para") + [0, 0, 0, 0] + ColorProfile.fixed(gamma)
            case .srgb:
                Self.type("para") + [0, 3, 0, 0]
                    + [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045].flatMap(ColorProfile.fixed)
            }
        }

        private static func type(_ name: String) -> [UInt8] { Array(name.utf8) + [0, 0, 0, 0] }
    }

    private let space: String
    private let connection: String
    private let profileClass: String
    private var elements: [(tag: String, data: [UInt8])] = []

    /// A display profile with a matrix and one curve.
    package init(_ colorants: Colorants, _ curve: Curve) {
        (space, connection, profileClass) = ("RGB ", "XYZ ", "mntr")
        for (name, xyz) in zip(["rXYZ", "gXYZ", "bXYZ"], colorants) { add(name, Self.xyz(xyz)) }
        for name in ["rTRC", "gTRC", "bTRC"] { add(name, curve.element) }
    }

    /// A grey profile with one curve.
    package init(gray curve: Curve) {
        (space, connection, profileClass) = ("GRAY", "XYZ ", "mntr")
        add("kTRC", curve.element)
    }

    /// A `lut8Type` table with the Lab colours at the corners of the device colour space.
    ///
    /// - Parameters:
    ///   - space: `RGB ` or `CMYK`.
    ///   - color: L, a and b of a corner; the corner's coordinates are 0 or 1.
    package init(table space: String, color: ([Int]) -> [Double]) {
        (self.space, connection, profileClass) = (space, "Lab ", space == "CMYK" ? "prtr" : "mntr")
        let channels = space == "CMYK" ? 4 : 3
        let ramp = (0..<256).map { UInt8($0) }
        var data = Array("mft1".utf8) + [0, 0, 0, 0, UInt8(channels), 3, 2, 0]
        data += (0..<9).flatMap { Self.fixed($0 % 4 == 0 ? 1 : 0) }
        data += (0..<channels).flatMap { _ in ramp }
        for corner in 0..<(1 << channels) {
            let coordinates = (0..<channels).map { corner >> (channels - 1 - $0) & 1 }
            let lab = color(coordinates)
            data += [Self.byte(lab[0] * 2.55), Self.byte(lab[1] + 128), Self.byte(lab[2] + 128)]
        }
        data += (0..<3).flatMap { _ in ramp }
        add("A2B0", data)
    }

    /// The same profile with an additional element.
    package func adding(_ tag: String, _ data: [UInt8]) -> ColorProfile {
        var profile = self
        profile.add(tag, data)
        return profile
    }

    private mutating func add(_ tag: String, _ data: [UInt8]) { elements.append((tag, data)) }

    /// The bytes of the profile.
    package var bytes: [UInt8] {
        let description =
            Array("mluc".utf8) + [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 12] + Array("enUS".utf8) + [0, 0, 0, 2, 0, 0, 0, 28]
            + [0, 65]
        let all = [("desc", description), ("cprt", description), ("wtpt", Self.xyz(Self.d50))] + elements
        var table = Self.number(all.count)
        var data: [UInt8] = []
        let start = 128 + 4 + 12 * all.count
        for (tag, content) in all {
            table += Array(tag.utf8) + Self.number(start + data.count) + Self.number(content.count)
            data += content + [UInt8](repeating: 0, count: (4 - content.count % 4) % 4)
        }
        var header = Self.number(start + data.count) + [0, 0, 0, 0, 4, 0x40, 0, 0]
        header += Array((profileClass + space + connection).utf8) + [UInt8](repeating: 0, count: 12)
        header += Array("acsp".utf8) + [UInt8](repeating: 0, count: 28)
        header += Self.d50.flatMap(Self.fixed)
        header += [UInt8](repeating: 0, count: 128 - header.count)
        return header + table + data
    }

    /// The profile for the decoder.
    package var profile: ICCProfile? { ICCProfile(bytes) }

    // MARK: Encoding

    private static let d50 = [0.9642, 1, 0.8249]

    private static func xyz(_ values: [Double]) -> [UInt8] {
        Array("XYZ ".utf8) + [0, 0, 0, 0] + values.flatMap(fixed)
    }

    private static func number(_ value: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }

    /// A number as `s15Fixed16Number`.
    private static func fixed(_ value: Double) -> [UInt8] { number(Int((value * 65536).rounded())) }

    private static func byte(_ value: Double) -> UInt8 { UInt8(min(max(value.rounded(), 0), 255)) }
}
