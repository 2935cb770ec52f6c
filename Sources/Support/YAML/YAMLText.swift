import CYAML

/// Formatting of text in YAML syntax.
package enum YAMLText {
    /// Formats a mapping of one name to a text, as a line without its line end: `name: value`.
    ///
    /// The value is in quotes if necessary. Lines of the value are neither joined nor broken, so a value with several
    /// lines gives a result with several lines.
    ///
    /// - Returns: Nil for a value that YAML cannot represent.
    package static func entry(_ name: String, _ value: String) -> String? {
        // The address of the emitter must not change, because libyaml stores a pointer to the emitter in it.
        let emitter = UnsafeMutablePointer<yaml_emitter_t>.allocate(capacity: 1)
        defer { emitter.deallocate() }
        emitter.initialize(to: yaml_emitter_t())
        guard yaml_emitter_initialize(emitter) == 1 else { return nil }
        defer { yaml_emitter_delete(emitter) }
        // A byte becomes an escape of at most four bytes. A line feed, with its indentation, becomes three bytes.
        let capacity = 8 * (name.utf8.count + value.utf8.count) + 64
        let output = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: capacity)
        defer { output.deallocate() }
        var written = 0
        return withUnsafeMutablePointer(to: &written) { written in
            yaml_emitter_set_output_string(emitter, output.baseAddress, capacity, written)
            yaml_emitter_set_encoding(emitter, YAML_UTF8_ENCODING)
            yaml_emitter_set_width(emitter, -1)
            yaml_emitter_set_unicode(emitter, 1)
            guard emit(name, value, to: emitter) else { return nil }
            // The output without the line feed at the end.
            return String(decoding: output.prefix(written.pointee).dropLast(), as: UTF8.self)
        }
    }

    private static func emit(_ name: String, _ value: String, to emitter: UnsafeMutablePointer<yaml_emitter_t>) -> Bool
    {
        func emit(_ initialise: (UnsafeMutablePointer<yaml_event_t>) -> Int32) -> Bool {
            var event = yaml_event_t()
            return initialise(&event) == 1 && yaml_emitter_emit(emitter, &event) == 1
        }
        func emit(scalar text: String) -> Bool {
            // libyaml rejects a null pointer, which an empty array may have.
            let bytes = Array(text.utf8) + [0]
            return bytes.withUnsafeBufferPointer { bytes in
                emit { event in
                    yaml_scalar_event_initialize(
                        event,
                        nil,
                        nil,
                        bytes.baseAddress,
                        Int32(bytes.count - 1),
                        1,
                        1,
                        YAML_ANY_SCALAR_STYLE
                    )
                }
            }
        }
        return emit { yaml_stream_start_event_initialize($0, YAML_UTF8_ENCODING) }
            && emit { yaml_document_start_event_initialize($0, nil, nil, nil, 1) }
            && emit { yaml_mapping_start_event_initialize($0, nil, nil, 1, YAML_ANY_MAPPING_STYLE) }
            && emit(scalar: name) && emit(scalar: value) && emit { yaml_mapping_end_event_initialize($0) }
            && emit { yaml_document_end_event_initialize($0, 1) } && emit { yaml_stream_end_event_initialize($0) }
    }
}
