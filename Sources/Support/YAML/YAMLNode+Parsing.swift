import CYAML

extension YAMLNode {
    /// The maximum number of levels in a document.
    package static let maxLevels = 64
    /// The maximum number of nodes in a document.
    ///
    /// Each alias counts as all nodes that it represents.
    package static let maxNodes = 1 << 20

    /// Parses a text that contains one YAML 1.1 document, with libyaml.
    ///
    /// Tags are ignored, and `<<` is an ordinary key.
    ///
    /// - Returns: The root; nil for a text that contains only comments.
    /// - Throws: A ``YAMLError``, including for repeated keys in a mapping, for several documents, and beyond
    ///   ``maxLevels`` or ``maxNodes``.
    package static func document(_ text: String) throws(YAMLError) -> YAMLNode? {
        // libyaml reads the bytes while it parses, so their address must not change before the end.
        let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count + 1)
        defer { bytes.deallocate() }
        let (_, end) = bytes.initialize(from: text.utf8)
        return try YAMLComposer(UnsafeBufferPointer(rebasing: bytes[..<end])).document()
    }
}

/// Creates nodes from the events of libyaml's parser.
private final class YAMLComposer {
    /// An event, copied from the memory of libyaml.
    private struct Event {
        enum Kind {
            case alias(String)
            case scalar(String, isPlain: Bool)
            case sequence, mapping
            /// The end of a sequence, a mapping, a document or the stream, or the start of a document or the stream.
            case other(yaml_event_type_t)
        }

        let kind: Kind
        /// The name that an alias uses to refer to the node.
        let anchor: String?
        let line: Int

        init(_ event: yaml_event_t) {
            line = Int(event.start_mark.line) + 1
            switch event.type {
            case YAML_ALIAS_EVENT:
                kind = .alias(Self.name(event.data.alias.anchor) ?? "")
                anchor = nil
            case YAML_SCALAR_EVENT:
                let scalar = event.data.scalar
                let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
                kind = .scalar(String(decoding: bytes, as: UTF8.self), isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE)
                anchor = Self.name(scalar.anchor)
            case YAML_SEQUENCE_START_EVENT:
                kind = .sequence
                anchor = Self.name(event.data.sequence_start.anchor)
            case YAML_MAPPING_START_EVENT:
                kind = .mapping
                anchor = Self.name(event.data.mapping_start.anchor)
            default:
                kind = .other(event.type)
                anchor = nil
            }
        }

        private static func name(_ bytes: UnsafeMutablePointer<UInt8>?) -> String? { bytes.map { String(cString: $0) } }

        func ends(_ type: yaml_event_type_t) -> Bool {
            guard case .other(type) = kind else { return false }
            return true
        }
    }

    // The address of the parser must not change, because libyaml stores a pointer to the parser in it.
    private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    /// The nodes with anchors, each with its number of nodes.
    private var anchors: [String: (node: YAMLNode, size: Int)] = [:]
    /// The number of nodes so far.
    private var size = 0

    /// Creates a composer for bytes, which must outlive the composer.
    init(_ bytes: UnsafeBufferPointer<UInt8>) throws(YAMLError) {
        parser.initialize(to: yaml_parser_t())
        guard yaml_parser_initialize(parser) == 1 else { throw .unreadable }
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
    }

    func document() throws(YAMLError) -> YAMLNode? {
        _ = try next()
        if try next().ends(YAML_STREAM_END_EVENT) { return nil }
        let root = try node(try next(), level: 1)
        _ = try next()
        let end = try next()
        guard end.ends(YAML_STREAM_END_EVENT) else { throw .syntax("but found another document", line: end.line) }
        return root
    }

    private func node(_ event: Event, level: Int) throws(YAMLError) -> YAMLNode {
        guard level <= YAMLNode.maxLevels else {
            throw .syntax("found more than \(YAMLNode.maxLevels) levels", line: event.line)
        }
        if case .alias(let name) = event.kind {
            guard let (node, size) = anchors[name] else { throw .syntax("found undefined alias", line: event.line) }
            try count(size, event)
            return YAMLNode(content: node.content, line: event.line)
        }
        let before = size
        try count(1, event)
        let node = YAMLNode(content: try content(event, level: level), line: event.line)
        if let anchor = event.anchor { anchors[anchor] = (node, size - before) }
        return node
    }

    private func content(_ event: Event, level: Int) throws(YAMLError) -> YAMLNode.Content {
        switch event.kind {
        case .scalar(let text, let isPlain): return .scalar(text, isPlain: isPlain)
        case .sequence:
            var members: [YAMLNode] = []
            var event = try next()
            while !event.ends(YAML_SEQUENCE_END_EVENT) {
                members.append(try node(event, level: level + 1))
                event = try next()
            }
            return .sequence(members)
        case .mapping:
            var entries: [YAMLNode.Entry] = []
            var event = try next()
            while !event.ends(YAML_MAPPING_END_EVENT) {
                let key = try node(event, level: level + 1)
                entries.append((key, try node(try next(), level: level + 1)))
                event = try next()
            }
            try checkKeys(entries)
            return .mapping(entries)
        case .alias, .other: throw .unreadable
        }
    }

    private func checkKeys(_ entries: [YAMLNode.Entry]) throws(YAMLError) {
        var lines: [String: Int] = [:]
        var repeated: Set<String> = []
        for (key, _) in entries {
            guard let text = key.text else { continue }
            if lines[text] == nil { lines[text] = key.line } else { repeated.insert(text) }
        }
        let names = repeated.sorted()
        if let first = names.first { throw .repeatedKeys(names, line: lines[first] ?? 1) }
    }

    private func count(_ more: Int, _ event: Event) throws(YAMLError) {
        size += more
        guard size <= YAMLNode.maxNodes else {
            throw .syntax("found more than \(YAMLNode.maxNodes) values", line: event.line)
        }
    }

    private func next() throws(YAMLError) -> Event {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw problem }
        defer { yaml_event_delete(&event) }
        return Event(event)
    }

    /// The error that the parser reports.
    private var problem: YAMLError {
        switch parser.pointee.error {
        case YAML_SCANNER_ERROR, YAML_PARSER_ERROR, YAML_COMPOSER_ERROR:
            let text = parser.pointee.problem.map { String(cString: $0) } ?? "found an error"
            return .syntax(text, line: Int(parser.pointee.problem_mark.line) + 1)
        default: return .unreadable
        }
    }
}
