import HeadroomAPI

extension SettingsReader {
    /// The largest file of secrets, in bytes: as many as there may be, at their longest, with room for line ends.
    private static let maxFileBytes = 8192

    /// Secrets from the variable of a setting, or from the file that the setting with `-file` behind its name names.
    ///
    /// There is no option for the secrets themselves, as everybody on a machine may read the command lines of processes.
    /// What is wrong is told without them.
    ///
    /// - Parameters:
    ///   - name: The setting's name, such as `signing-keys`.
    ///   - file: The option of its file.
    /// - Returns: None when neither is set.
    mutating func secrets(_ name: String, file: String?) -> [Secret] {
        let variable = Self.variable(name)
        let text = environment[variable].flatMap { $0.isEmpty ? nil : $0 }
        var path: String?
        _ = value("\(name)-file", file, expected: "a path") { path = $0 }
        switch (text, path) {
        case (nil, nil): return []
        case (let text?, nil): return secrets(text, of: "\(variable) is not valid")
        case (_, let path?):
            let origin = file == nil ? Self.variable("\(name)-file") : "--\(name)-file"
            guard text == nil else {
                refuse("\(origin)=\(path) is not valid: expected none while \(variable) is set.")
                return []
            }
            let bytes: [UInt8]
            do {
                bytes = try LocalFile.read(path)
            } catch {
                refuse("\(origin)=\(path) is not valid: expected a file that can be read; \(error.reasons[0]).")
                return []
            }
            guard bytes.count <= Self.maxFileBytes else {
                refuse("\(origin)=\(path) is not valid: expected at most \(Self.maxFileBytes) bytes.")
                return []
            }
            return secrets(String(decoding: bytes, as: UTF8.self), of: "\(origin)=\(path) is not valid")
        }
    }

    private mutating func secrets(_ text: String, of origin: String) -> [Secret] {
        do {
            return try Secret.list(text)
        } catch {
            refuse("\(origin): \(error.reason).")
            return []
        }
    }
}
