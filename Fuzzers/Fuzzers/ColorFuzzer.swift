import Geometry
@testable import Imaging
import TestImages

extension Fuzzer {
    /// A colour profile: the first byte selects an ICC profile for grey, RGB or CMYK, CICP code points, or a gamma.
    ///
    /// Creates a conversion from the profile and applies it to pixels, as for a source with this profile.
    static let color = Fuzzer(name: "color", maxLength: 4096) {
        let adobe = ColorProfile(ColorProfile.adobeColorants, .gamma(2.2))
        let profiles: [(UInt8, ColorProfile)] = [
            (0, ColorProfile(gray: .gamma(1.8))), (0, ColorProfile(gray: .srgb)), (1, adobe),
            (1, ColorProfile(ColorProfile.displayP3Colorants, .srgb)),
            (1, ColorProfile(ColorProfile.srgbColorants, .gamma(1))),
            (
                1,
                ColorProfile(table: "RGB ") { [Double($0.reduce(0, +)) * 33, Double($0[0]) * 40, Double($0[2]) * -50] }
            ),
            (2, ColorProfile(table: "CMYK") { [100 - Double($0.reduce(0, +)) * 25, 0, 0] }),
            (1, adobe.adding("cicp", Array("cicp".utf8) + [0, 0, 0, 0, 9, 16, 0, 1])),
            (0, ColorProfile(gray: .srgb).adding("cicp", Array("cicp".utf8) + [0, 0, 0, 0, 9, 18, 0, 1])),
        ]
        return profiles.map { [$0.0] + $0.1.bytes } + [[3, 12, 13], [3, 9, 16], [4, 0, 200]]
    } run: { input in
        guard let kind = input.first else { return }
        let rest = Array(input.dropFirst())
        let models: [ColorModel] = [.gray, .rgb, .cmyk]
        switch kind % 5 {
        case 3:
            let bytes = rest + [0, 0]
            let description = ColorDescription(primaries: UInt16(bytes[0]), transfer: UInt16(bytes[1]))
            for model in models.dropLast() { convert(ICCProfile(description, for: model), model) }
        case 4:
            var numbers = FuzzedNumbers(UnsafeBufferPointer(rebasing: input.dropFirst()))
            let values = (0..<9).map { _ in Double(numbers.number()) / 100_000 }
            for model in models.dropLast() {
                convert(ICCProfile(gamma: values[0], chromaticities: Array(values.dropFirst()), for: model), model)
            }
        default:
            convert(ICCProfile(rest), models[Int(kind % 5)])
        }
    }

    private static func convert(_ profile: ICCProfile?, _ model: ColorModel) {
        guard let profile else { return }
        let size = PixelSize(width: 5, height: 3)
        guard let transform = ColorTransform(profile, source: model) else { return }
        var planes: [Plane] = []
        for index in 0..<model.planeCount {
            guard let plane = try? Plane(size, sample: { x, y in UInt8(x * 63 ^ y * 97 ^ index * 31) }) else { return }
            planes.append(plane)
        }
        let image = PlanarImage(size: size, colorModel: model, planes: planes)
        guard let converted = try? transform.converted(image) else {
            preconditionFailure("a conversion that cannot be applied")
        }
        converted.checkSamples()
        precondition(converted.colorModel == transform.result)
        // A profile that is derived for encoded light must also be usable.
        guard model != .cmyk, let encoded = profile.ofEncodedLight(for: model) else { return }
        precondition(ColorTransform(encoded, source: model) != nil, "an encoded profile that cannot be used")
    }
}
