import Encodings
import FoundationEssentials
import Geometry
import Requests

/// An HTML page that shows every image with its crops, and marks cut heads.
///
/// The page is one self-contained file with embedded images and without scripts.
struct ContactSheet {
    /// The height of images in CSS pixels.
    static let rowHeight = 200

    let report: CheckReport

    var html: String {
        """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
        <meta name="viewport" content="width=device-width">
        <title>Headroom check</title>
        <style>\(Self.style)</style>
        <h1>\(HTMLText.escaped(report.summary.text))</h1>
        <p>Heads are framed: green are whole, <b>red are cut</b>, dashed are uncertain.</p>
        \(report.images.map(row).joined())
        </html>

        """
    }

    private static let style = """
        body{font:14px system-ui,sans-serif;margin:2em;background:#fff;color:#222}
        h1{font-size:20px} h2{font-size:14px;margin:2em 0 .5em;overflow-wrap:anywhere} b{color:#d11}
        .row{display:flex;flex-wrap:wrap;gap:12px;overflow-x:auto;padding:3px} figure{margin:0;flex:none} figcaption{padding:4px 0}
        .frame{position:relative;overflow:hidden;width:fit-content;outline:2px solid #ccc} .cut .frame{outline:3px solid #d11}
        .frame img{display:block;height:\(rowHeight)px}
        i{position:absolute;box-sizing:border-box;border:2px solid #2c5;box-shadow:0 0 0 1px #000}
        i.cut{border-color:#d11} i.unsure{border-style:dashed}
        """

    private func row(_ image: CheckedImage) -> String {
        let cut = image.crops.flatMap(\.cut)
        let whole = PixelRect(x: 0, y: 0, width: image.width, height: image.height)
        let note = image.faces.isEmpty ? "no face" : "\(image.faces.count) in the image"
        var figures = figure(image, image: 0, rect: whole, cut: cut, caption: note, isCut: false)
        for (index, crop) in image.crops.enumerated() {
            let kept = image.faces.count - crop.cut.count
            figures += figure(
                image,
                image: index + 1,
                rect: crop.crop,
                cut: crop.cut,
                caption: "\(crop.aspect): \(kept) of \(image.faces.count), \(crop.decision)",
                isCut: !crop.cut.isEmpty
            )
        }
        return "<h2>\(HTMLText.escaped(image.file))</h2>\n<div class=\"row\">\n\(figures)</div>\n"
    }

    private func figure(
        _ image: CheckedImage,
        image index: Int,
        rect: PixelRect,
        cut: [Int],
        caption: String,
        isCut: Bool
    ) -> String {
        guard image.images.indices.contains(index) else { return "" }
        let source = "data:image/jpeg;base64,\(Data(image.images[index]).base64EncodedString())"
        let shown = image.faces.enumerated().filter { rect.intersection($0.element.head).area > 0 }
        let heads = shown.map { index, face in
            var names = cut.contains(index + 1) ? ["cut"] : []
            if face.uncertain { names.append("unsure") }
            return "<i class=\"\(names.joined(separator: " "))\" style=\"\(Self.place(of: face.head, in: rect))\"></i>"
        }
        let text = HTMLText.escaped(caption)
        return """
            <figure\(isCut ? " class=\"cut\"" : "")><div class="frame"><img src="\(source)" alt="">\(heads.joined())</div>\
            <figcaption>\(isCut ? "<b>\(text)</b>" : text)</figcaption></figure>

            """
    }

    /// The CSS position of a head in percent of `rect`, which is valid at every display size of the area.
    private static func place(of head: PixelRect, in rect: PixelRect) -> String {
        let parts = [
            ("left", head.x - rect.x, rect.width), ("top", head.y - rect.y, rect.height),
            ("width", head.width, rect.width), ("height", head.height, rect.height),
        ]
        return parts.map { "\($0):\((100 * Double($1) / Double($2)).text(decimals: 2))%" }.joined(separator: ";")
    }
}
