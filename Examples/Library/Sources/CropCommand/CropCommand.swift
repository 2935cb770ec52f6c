import Foundation
import HeadroomKit

/// Crops an image to a square around its people: `CropCommand IN OUT`.
@main
enum CropCommand {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else { throw CropError.invalidOptions(["Expected two paths."]) }
        let image = [UInt8](try Data(contentsOf: URL(filePath: arguments[1])))
        switch try await Cropper().crop(image, CropOptions(aspect: "1:1", width: 400, format: .jpeg)) {
        case .cropped(let crop):
            try Data(crop.bytes).write(to: URL(filePath: arguments[2]))
            print("\(crop.size.width)×\(crop.size.height), \(crop.plan.keepsFaces.filter { $0 }.count) heads kept")
        case .noFace:
            print("no face")
        }
    }
}
