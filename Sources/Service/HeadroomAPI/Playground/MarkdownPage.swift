import Requests
import UntrustedText

/// Renders pages of the documentation as HTML for the playground.
///
/// It supports only the Markdown syntax that these pages use.
///
/// The pages are part of the program, so they are trusted input.
enum MarkdownPage {
    /// The pages that the playground serves.
    private static let pages = ["parameters", "responses", "plan", "problems"]

    /// Returns a page in HTML.
    static func bytes(of markdown: [UInt8]) -> [UInt8] {
        let text = String(decoding: markdown, as: UTF8.self)
        var lines = text.bytes.split(separator: "\n", omittingEmptySubsequences: false)[...]
        var title = "Headroom"
        var blocks = ""
        while let line = lines.first {
            let mark = line.utf8.first
            if isBlank(line) || line.bytes.hasPrefix("<!--") {
                lines = lines.dropFirst()
            } else if line.bytes.hasPrefix("```") {
                let content = lines.dropFirst().prefix { !$0.bytes.hasPrefix("```") }
                blocks += code(content)
                lines = lines.dropFirst(content.count + 2)
            } else if line.bytes.hasPrefix("    ") {
                let content = lines.prefix { $0.bytes.hasPrefix("    ") || isBlank($0) }
                blocks += code(content.map { $0.bytes.dropFirst(min(4, $0.utf8.count)) }[...])
                lines = lines.dropFirst(content.count)
            } else if mark == UInt8(ascii: "#") {
                let level = line.utf8.prefix { $0 == UInt8(ascii: "#") }.count
                let words = line.bytes.dropFirst(level).bytes.trimmed()
                if level == 1 { title = String(words) }
                let name = "h\(min(6, max(2, level)))"
                blocks += "<\(name) id=\"\(identifier(words))\">\(inline(words))</\(name)>\n"
                lines = lines.dropFirst()
            } else if mark == UInt8(ascii: "|") {
                let rows = lines.prefix { $0.utf8.first == UInt8(ascii: "|") }
                blocks += table(Array(rows))
                lines = lines.dropFirst(rows.count)
            } else if let kind = listKind(line) {
                let content = lines.prefix { listKind($0) != nil || $0.utf8.first == UInt8(ascii: " ") }
                blocks += list(Array(content), kind)
                lines = lines.dropFirst(content.count)
            } else {
                let rest = lines.dropFirst().prefix { line in
                    !isBlank(line) && listKind(line) == nil && !"|# ".utf8.contains(line.utf8.first ?? 0)
                }
                blocks += "<p>\(inline(Substring(([line] + rest).joined(separator: " "))))</p>\n"
                lines = lines.dropFirst(rest.count + 1)
            }
        }
        return Array(page(title, blocks).utf8)
    }

    private static func page(_ title: String, _ blocks: String) -> String {
        let links = pages.map { name in
            let word = name == "problems" ? "errors" : name
            return "    <a href=\"\(name).md\">\(word.prefix(1).uppercased())\(word.dropFirst())</a>\n"
        }.joined()
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(HTMLText.escaped(title)) – Headroom</title>
            <link rel="icon" href="icon.svg">
            <link rel="stylesheet" href="style.css">
            </head>
            <body>
            <header>
              <h1><img src="icon.svg" alt="" width="28" height="28">Headroom <span>documentation</span></h1>
              <nav aria-label="Documentation">
                <a href="../">Playground</a>
            \(links)    <a href="../openapi.yaml">OpenAPI</a>
              </nav>
            </header>
            <main class="page">
            \(blocks)</main>
            </body>
            </html>

            """
    }

    // MARK: Blocks

    private static func isBlank(_ line: Substring) -> Bool { line.bytes.trimmed().isEmpty }

    private static func code(_ lines: ArraySlice<Substring>) -> String {
        var lines = lines
        while let last = lines.last, isBlank(last) { lines = lines.dropLast() }
        return "<pre tabindex=\"0\"><code>\(HTMLText.escaped(lines.joined(separator: "\n")))</code></pre>\n"
    }

    /// The list type, `ul` or `ol`, for the first line of an item; nil for other lines.
    private static func listKind(_ line: Substring) -> String? {
        if line.bytes.hasPrefix("- ") || line.bytes.hasPrefix("* ") { return "ul" }
        let digits = line.utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return !digits.isEmpty && line.bytes.dropFirst(digits.count).bytes.hasPrefix(". ") ? "ol" : nil
    }

    private static func list(_ lines: [Substring], _ kind: String) -> String {
        var items: [String] = []
        for line in lines {
            if listKind(line) != nil {
                items.append(String(line.bytes.dropFirst(line.bytes.prefix(before: " ").utf8.count).bytes.trimmed()))
            } else if let last = items.popLast() {
                items.append("\(last) \(line.bytes.trimmed())")
            }
        }
        let text = items.map { "<li>\(inline($0[...]))</li>\n" }.joined()
        return "<\(kind)>\n\(text)</\(kind)>\n"
    }

    private static func table(_ lines: [Substring]) -> String {
        func row(_ line: Substring, _ open: String, _ name: String) -> String {
            "<tr>\(cells(line).map { "<\(open)>\(inline($0))</\(name)>" }.joined())</tr>\n"
        }
        let head = lines.first.map { row($0, "th scope=\"col\"", "th") } ?? ""
        let body = lines.dropFirst(2).map { row($0, "td", "td") }.joined()
        return
            "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Table\"><table>\n<thead>\(head)</thead>\n"
            + "<tbody>\(body)</tbody>\n</table></div>\n"
    }

    /// Returns the cells of a table row.
    ///
    /// A bar inside code or after a backslash does not separate cells.
    private static func cells(_ line: Substring) -> [Substring] {
        var (cells, cell, isCode, isEscaped) = ([[UInt8]](), [UInt8](), false, false)
        for byte in line.bytes.trimmed().utf8.dropFirst() {
            if byte == UInt8(ascii: "|"), !isCode, !isEscaped {
                cells.append(cell)
                cell = []
                continue
            }
            if byte == UInt8(ascii: "|"), isEscaped { cell = Array(cell.dropLast()) }
            if byte == UInt8(ascii: "`") { isCode.toggle() }
            isEscaped = byte == UInt8(ascii: "\\")
            cell.append(byte)
        }
        return cells.map { Substring(decoding: $0, as: UTF8.self).bytes.trimmed() }
    }

    // MARK: Text

    /// Returns the identifier of a heading, as used in links.
    private static func identifier(_ words: Substring) -> String {
        let bytes = words.bytes.lowercased().utf8.compactMap { byte -> UInt8? in
            if byte == UInt8(ascii: " ") { return UInt8(ascii: "-") }
            let isKept = byte >= 0x80 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
            let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            return isKept || isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte : nil
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the HTML of a text with code, bold text and links.
    private static func inline(_ text: Substring) -> String {
        var (html, rest) = ("", text)
        while let mark = rest.utf8.firstIndex(where: { "`*[".utf8.contains($0) }) {
            html += HTMLText.escaped(String(rest[..<mark]))
            rest = rest[mark...]
            if rest.bytes.hasPrefix("`"), let (code, after) = parts(rest, after: 1, before: "`") {
                html += "<code>\(HTMLText.escaped(String(code)))</code>"
                rest = after
            } else if rest.bytes.hasPrefix("**"), let (words, after) = parts(rest, after: 2, before: "**") {
                html += "<strong>\(inline(words))</strong>"
                rest = after
            } else if rest.bytes.hasPrefix("["), let (label, tail) = parts(rest, after: 1, before: "]("),
                let (address, after) = parts(tail, after: 0, before: ")")
            {
                html += link(label, to: address)
                rest = after
            } else {
                html += HTMLText.escaped(String(rest.prefix(1)))
                rest = rest.dropFirst()
            }
        }
        return html + HTMLText.escaped(String(rest))
    }

    /// Returns the text between the first `count` bytes and a mark, and the text after the mark; nil without the mark.
    private static func parts(_ text: Substring, after count: Int, before mark: String) -> (Substring, Substring)? {
        let (before, after) = text.bytes.dropFirst(count).bytes.halves(at: mark)
        return after.map { (before, $0) }
    }

    /// Returns a link to a URL, a heading or a page of the playground.
    ///
    /// For a page that the playground does not have, returns only the text.
    private static func link(_ label: Substring, to address: Substring) -> String {
        let isServed = pages.contains { address.bytes.hasPrefix("\($0).md") }
        let isOther = ["https://", "http://", "#"].contains { address.bytes.hasPrefix($0) }
        guard isServed || isOther else { return inline(label) }
        return "<a href=\"\(HTMLText.escaped(String(address)))\">\(inline(label))</a>"
    }
}
