import Glibc
import Isolation

/// A worker that somebody has taken over: it speaks the language, and lies.
enum Liar {
    static func run(_ lie: String) -> Never {
        guard let link = try? WorkerLink() else { exit(64) }
        link.greet(Array(#"{"detectorName":"liar","smallestDetectableSide":80,"addressSpaceBytes":1000000000}"#.utf8))
        while let request = link.next() {
            switch lie {
            case "garbage":
                link.reply(to: request, head: Array("garbage".utf8), body: [])
            case "nothing":
                link.reply(to: request, head: Array("{\"imageBytes\":[]}".utf8), body: [])
            case "long":
                link.reply(to: request, head: [UInt8](repeating: 0x20, count: 5 << 20), body: [])
            case "greedy":
                _ = link.ask(for: Int.max, of: request)
                link.reply(to: request, head: [], body: [])
            case "deaf":
                close(3)
                while true { pause() }
            case "replaced":
                // An image of another type than it says, and larger than the picture.
                link.reply(to: request, head: Array(Self.plan.utf8), body: [Array("<script>".utf8)])
            case "overflow":
                let text = Self.plan.replacing("\"width\":64", with: "\"width\":\(Int.max)")
                link.reply(to: request, head: Array(text.utf8), body: [[0xFF, 0xD8, 0xFF, 0, 0, 0, 0, 0]])
            case "missing":
                let text = Self.plan.replacing("[8]", with: "[9000]")
                link.reply(to: request, head: Array(text.utf8), body: [[0xFF, 0xD8, 0xFF, 0, 0, 0, 0, 0]])
            default:
                exit(64)
            }
        }
        exit(0)
    }

    /// An answer that would be good if it were true.
    private static let plan = """
        {"imageBytes":[8],"result":{"image":{"format":"png","bytes":[],"size":{"width":64,"height":64}},"images":[],\
        "plan":{"source":{"size":{"width":64,"height":64},"format":"png","orientation":1},"crops":[{"rect":{"x":0,"y":0,\
        "width":64,"height":64},"output":{"width":64,"height":64},"position":{"x":50,"y":50},"decision":"center"}],\
        "faces":[],"ignored":[]},"times":{"queue":[0,0],"decode":[0,0],"detect":[0,0],"encode":[0,0]}}}
        """
}
