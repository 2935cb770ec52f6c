import Dispatch
import HeadroomKit

/// A server that crops uploads around people: `CropServer 8080`, then `curl --data-binary @me.jpg localhost:8080/`.
///
/// Untrusted images are decoded in sandboxed processes, which run this program again.
@main
enum CropServer {
    // Not `async`, because a worker must start with one thread.
    static func main() throws {
        Cropper.runWorker()
        let server = try SmallServer(port: CommandLine.arguments.dropFirst().first.flatMap(UInt16.init) ?? 8080)
        let cropper = try Cropper(isolation: .processes)
        print("http://127.0.0.1:\(server.port)/")
        Task { await server.run { image in await response(image, cropper) } }
        dispatchMain()
    }

    static func response(_ image: [UInt8], _ cropper: Cropper) async -> SmallServer.Response {
        do {
            switch try await cropper.crop(image, CropOptions(aspect: "1:1", width: 400)) {
            case .cropped(let crop): return .init(status: "200 OK", type: crop.mediaType, body: crop.bytes)
            case .noFace: return .init(status: "422 Unprocessable Content", text: "No face was found in the image.")
            }
        } catch {
            let status =
                switch error {
                case .unsupportedImage: "415 Unsupported Media Type"
                case .unreadableImage, .tooLarge, .invalidOptions: "422 Unprocessable Content"
                case .overloaded: "503 Service Unavailable"
                case .failed, .cancelled: "500 Internal Server Error"
                }
            return .init(status: status, text: error.description)
        }
    }
}
