import Geometry
import Imaging
import Pipeline

/// The JSON of Cloudflare's `format=json`: the sizes of result and source, and the format of the source.
struct CloudflareDocument: Encodable {
    struct Original: Encodable {
        let width: Int
        let height: Int
        let format: String
    }

    let width: Int
    let height: Int
    let original: Original

    init(_ plan: FramePlan) {
        let output = plan.crops.first?.output ?? plan.source.size
        (width, height) = plan.turn.swapsSides ? (output.height, output.width) : (output.width, output.height)
        original = Original(
            width: plan.source.size.width,
            height: plan.source.size.height,
            format: "image/\(plan.source.format.rawValue)"
        )
    }
}
